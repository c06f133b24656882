// Games that were exported come back from a file, beside those that are here.

import { element, find, sendJson } from "./page.js";
import { t, tn } from "./words.js";

const PATIENCE_MS = 120_000; // each game is played through anew

const input = find("[data-import]");
const place = find("#imported");

function say(...words) {
  place.replaceChildren(...words);
  place.hidden = false;
}

input.addEventListener("change", async () => {
  const [file] = input.files;
  if (!file) return;
  input.disabled = true;
  say(t("Reading the games …"));
  const answer = await sendJson("/imports", file, PATIENCE_MS);
  input.disabled = false;
  input.value = ""; // the same file may be chosen again
  if (!answer.ok) {
    say(answer.error);
    return;
  }
  const { new: fresh, known } = answer.data;
  if (fresh.length === 1 && !known.length) {
    location.assign(`/sessions/${fresh[0]}`);
    return;
  }
  const told = [
    fresh.length && tn("%(n)s game is new here.", "%(n)s games are new here.", fresh.length),
    known.length && tn("%(n)s game was here already.", "%(n)s games were here already.", known.length),
  ].filter(Boolean);
  if (!told.length) told.push(t("There are no games in this file."));
  say(`${told.join(" ")} `, ...(fresh.length ? [element("a", { href: "/history", text: t("All games") })] : []));
});
