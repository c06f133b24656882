// Keeps a sheet fresh: hears of each change while the page is looked at, asks now and then, and says when it can't.

import { read, write } from "./memory.js";
import { fetchInTime, find, isThere } from "./page.js";
import { locale, t } from "./words.js";

const ASK_MS = 1500; // between two questions where changes are not told
const TOLD_MS = 5000; // where they are: a line that is dead does not say so
const LATE_MS = 4000; // after which it is said that no answer comes, or none yet
const CROWDED_MS = 30_000;

const page = document.documentElement;

// `sheet` is what the page gives: {session, path, facts(), busy(), put(html), changed(), back()}: the last two are called
// when the state is another one, and whenever the computer has answered with how it stands.
//
// The state: "fresh"; "away", no answer comes; "kept", the same on a page that this device has kept from earlier;
// "barred", what comes is no sheet.
export function keepFresh(sheet) {
  const { path, facts } = sheet;
  const seenName = `seen ${sheet.session}`;
  let stream = null;
  let told = false; // whether changes are told
  let listenAgain = 0;
  let state = page.dataset.kept ? "kept" : "fresh";

  // -- Saying that what is shown may be old

  function say(words, now) {
    const place = find("#stale");
    if (place.textContent !== words) place.textContent = words; // else it would be read aloud again and again
    place.hidden = !words;
    document.body.classList.toggle("old", Boolean(words));
    state = now;
    sheet.changed();
  }

  function lost() {
    quit();
    listenAgain = 0; // by whom it was refused is there no more
    if (page.dataset.kept) say(t("As it stood at %(time)s: the table's computer does not answer.", { time: keptAt() }), "kept");
    else say(t("The table's computer does not answer. What you see may be old."), "away");
  }

  // No answer yet: is it away, or has it much to do? In doubt only as long as `open()`.
  async function doubt(open) {
    const there = await isThere();
    if (!open()) return;
    if (!there) lost();
    else if (page.dataset.kept) say(t("As it stood at %(time)s: the table's computer is busy, its answer is still to come.", { time: keptAt() }), "kept");
    else say(t("The table's computer is busy. What you see may be old for a moment."), "fresh");
  }

  function keptAt() {
    const seen = new Date(Math.max(Date.parse(page.dataset.kept), Number(read(seenName))));
    const today = seen.toDateString() === new Date().toDateString();
    return seen.toLocaleString(locale, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
  }

  // -- Asking how it stands

  let asked = 0;
  let waiting = false;
  let answeredAt = 0;
  let newest = null;

  /**
   * How it stands now, if that has changed; `anyway`: even if not. It is done when the newest question is answered.
   *
   * A game that was not here may come back another one of as many changes: what is shown says nothing then.
   */
  function refresh(anyway) {
    newest = ask(anyway || state === "barred");
    return newest;
  }

  async function ask(anyway) {
    asked += 1;
    const mine = asked;
    waiting = true;
    const late = setTimeout(() => doubt(() => mine === asked && waiting), LATE_MS);
    try {
      const shown = anyway ? "" : `?shown=${encodeURIComponent(facts().shown)}`;
      const { status, text } = await fetchInTime(`${path}/${sheet.part || "sheet"}${shown}`);
      if (mine !== asked) return newest;
      answered(status, text);
    } catch {
      if (mine !== asked) return newest;
      clearTimeout(late);
      await doubt(() => mine === asked);
    } finally {
      clearTimeout(late);
      if (mine === asked) waiting = false;
    }
    return null;
  }

  function answered(status, text) {
    answeredAt = Date.now();
    if (status === 200 || status === 204) {
      delete page.dataset.kept;
      write(seenName, String(answeredAt));
      if (status === 200) sheet.put(text);
      say("", "fresh");
      sheet.back();
      listen();
      return;
    }
    quit();
    say(status === 403 ? t("This phone has to join the table again: scan the code on the computer.")
      : status === 404 ? t("This game is no longer on the table's computer.")
      : t("The table's computer can't show the sheet just now. What you see may be old."), "barred");
  }

  // Only when the last question has been answered: where answers take longer than this, none would ever count.
  setInterval(() => {
    const working = facts().shown.split(" ").length > 2; // something is worked out, and how far that is, is no change
    const often = !told || working;
    if (!document.hidden && !sheet.busy() && !waiting && (often || Date.now() - answeredAt >= TOLD_MS)) refresh(false);
  }, ASK_MS);

  // -- Being told: who doesn't look takes no place from those who do

  function listen() {
    if (stream || document.hidden || !window.EventSource || Date.now() < listenAgain) return;
    const mine = new EventSource(`/api/v1${path}/events`);
    stream = mine;
    mine.addEventListener("open", () => { told = mine === stream; });
    mine.addEventListener("message", (event) => mine === stream && heard(Number(event.lastEventId)));
    mine.addEventListener("error", () => {
      if (mine !== stream) return;
      if (mine.readyState === EventSource.CLOSED) listenAgain = Date.now() + CROWDED_MS; // refused, not broken
      quit();
      refresh(false);
    });
  }

  function heard(seq) {
    if (seq <= Number(facts().seq)) return;
    if (sheet.busy()) setTimeout(heard, 100, seq);
    else refresh(false);
  }

  function quit() {
    stream?.close();
    stream = null;
    told = false;
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) quit();
    else refresh(false);
  });
  window.addEventListener("pagehide", quit); // a page with an open line could not be kept for the Back button
  window.addEventListener("pageshow", (event) => event.persisted && refresh(true));
  for (const change of ["online", "offline"]) window.addEventListener(change, () => refresh(false));

  // After the page has been put together.
  setTimeout(() => {
    if (state === "kept") lost();
    refresh(false);
  });
  return { refresh, state: () => state };
}
