// On the first page: which games have something that this device could not send yet. Their own pages send it; for a
// game that is there no more nobody can, and that is said once.

import { write } from "./memory.js";
import { element, fetchInTime, find } from "./page.js";
import { NAME, remembered, unsent } from "./outbox.js";
import { t } from "./words.js";

const waiting = unsent().map((session) => [session, remembered(session)]).filter(([, entry]) => entry);
find("#unsent").hidden = !waiting.length;
find("#unsent").replaceChildren(...waiting.map(([session, { title }]) => {
  const line = element("p", {}, element("a", { href: `/sessions/${session}`, text: t("Not sent yet: %(what)s", { what: title }) }));
  fetchInTime(`/api/v1/sessions/${session}`).then(({ status }) => {
    if (status !== 404) return;
    write(NAME + session, null);
    line.textContent = `${t("Not entered: %(what)s", { what: title })} ${t("This game is no longer on the table's computer.")}`;
  }).catch(() => { /* another time */ });
  return line;
}));
