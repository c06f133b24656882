// Reads each roll and each score aloud, if this device is asked to: what other devices do, too. The sheet carries the
// latest changes with their numbers and sentences; what was there when the page came is not said, and nothing twice.

import { find } from "./page.js";
import { language, t } from "./words.js";

const speech = window.speechSynthesis;
const live = find("#live");
const told = () => JSON.parse(find("[data-said]", live)?.dataset.said || "[]");

let on = document.cookie.split("; ").includes("dicescribe_speech=on");
let heard = Math.max(0, ...told().map(([seq]) => seq));

// The best voice for the page's language: one that needs no net before one that does.
function voice() {
  const spoken = (speech?.getVoices() || []).filter((one) => one.lang.replace("_", "-").split("-")[0] === language);
  return spoken.find((one) => one.default && one.localService) || spoken.find((one) => one.localService) || spoken[0];
}

function say(words) {
  const chosen = voice();
  if (!chosen) return;
  const sentence = new SpeechSynthesisUtterance(words);
  sentence.voice = chosen;
  sentence.lang = chosen.lang;
  sentence.addEventListener("error", (event) => event.error === "not-allowed" && explain(t("Tap anywhere on the page: then it may speak.")));
  sentence.addEventListener("start", () => explain(""));
  speech.speak(sentence);
}

function explain(words) {
  const place = find("#voiceless");
  if (!place) return;
  place.textContent = words;
  place.hidden = !words;
}

// A voice is known only some time after the page has come.
function lacking() {
  return on && !voice() ? t("This browser has no voice for the language of this page: it stays silent.") : "";
}

function listen() {
  for (const [seq, words] of told()) {
    if (seq <= heard) continue;
    heard = seq;
    if (on) say(words);
  }
}

new MutationObserver(listen).observe(live, { childList: true });
document.addEventListener("chosen", ({ detail: { name, value } }) => {
  if (name !== "speech") return;
  on = value === "on";
  speech?.cancel();
  explain(lacking());
  if (on) say(t("From now on each roll and each score is read aloud."));
});
speech?.addEventListener?.("voiceschanged", () => explain(lacking()));
explain(lacking());
