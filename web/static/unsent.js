// On the first page: which games have something that this device could not send yet. Their own pages send it.

import { element, find } from "./page.js";
import { remembered, unsent } from "./outbox.js";
import { t } from "./words.js";

const waiting = unsent().map((session) => [session, remembered(session)]).filter(([, entry]) => entry);
find("#unsent").hidden = !waiting.length;
find("#unsent").replaceChildren(...waiting.map(([session, { title }]) => element("p", {},
  element("a", { href: `/sessions/${session}`, text: t("Not sent yet: %(what)s", { what: title }) }))));
