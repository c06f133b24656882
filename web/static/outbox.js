// What is entered while the table's computer does not answer: kept on this device, shown as not sent yet, and sent once
// when it is back. At most one change waits: what the next one could be, only the computer knows.

import { read, write } from "./memory.js";
import { all, dieDrawing, element, find, send, unanswered } from "./page.js";
import { t } from "./words.js";

const OFFERED = "[data-by-hand], [data-keep], [data-keep-these], [data-box], [data-chip], [data-pass], [data-strike]";
export const NAME = "unsent ";
const NONE = unanswered("");
const AGAIN_MS = 10_000; // after the computer could not take it

// `sheet` is what the page gives: {session, path, live, state(), refresh(), sent(entry), refused(entry, why)}: `refused`
// says whether it has told so, and else it is told here.
export function setUpOutbox(sheet) {
  const name = NAME + sheet.session;
  const place = find("#unsent");
  let entry = remembered(sheet.session);
  let waits = Boolean(entry); // as against being on its way for the first time
  let sending = false;
  let notBefore = 0;
  let refused = null; // a change that came too late, and why
  let giveUp = () => {}; // waiting for the answer to what is sent for the first time

  function hold(next) {
    entry = next;
    waits = false;
    write(name, entry && JSON.stringify(entry));
  }

  // It is kept before it goes: a page that is closed meanwhile has lost nothing.
  async function post() {
    const { what, seq, body } = entry;
    sending = true;
    const answer = await send(`${sheet.path}/${what}`, { seq, ...body });
    sending = false;
    // A change that is on record already had arrived at the first try, whose answer was lost.
    return answer.data.recorded ? { ...answer, ok: true } : answer;
  }

  /**
   * Send a change {what, seq, body, title, dice}: `title` says what it is, `dice` are those it brings. The answer is as
   * of `send`, but `kept` if it could not be sent now and waits.
   */
  async function deliver(next) {
    if (entry) return unanswered(t("One change is still to be sent: wait until it has arrived."));
    hold(next);
    // A computer that sleeps may take long not to answer; that it does is known before.
    const given = new Promise((resolve) => { giveUp = () => resolve(NONE); });
    const answer = await (sheet.state() === "away" ? NONE : Promise.race([post(), given]));
    if (answer.status === 0) {
      waits = true;
      show();
      sheet.refresh();
      return { ...answer, kept: true };
    }
    hold(null);
    show();
    return answer;
  }

  /** To be called when the computer answers: sends what waits. */
  async function flush() {
    show();
    if (!waits || sending || Date.now() < notBefore) return;
    const was = entry;
    const answer = await post();
    if (entry !== was) return; // taken back meanwhile
    if (!answer.ok && (answer.status === 0 || answer.status === 403 || answer.status >= 500)) {
      notBefore = Date.now() + AGAIN_MS;
      if (answer.status) show(answer.error);
      return;
    }
    hold(null);
    await sheet.refresh();
    if (answer.ok) sheet.sent(was);
    else if (!sheet.refused(was, answer.error)) refused = { entry: was, why: answer.error };
    show();
  }

  function show(trouble = "") {
    if (sheet.state() === "away") giveUp();
    const told = waits ? [t("Not sent yet:"), entry, trouble || t("It is sent as soon as the table's computer answers."), t("Don't send it")]
      : refused ? [t("Not entered:"), refused.entry, refused.why, t("Close")] : null;
    const now = JSON.stringify(told);
    place.hidden = !told;
    if (told && place.dataset.told !== now) {
      const [what, { title, dice = [] }, why, done] = told;
      place.replaceChildren(
        element("p", {}, element("strong", { text: what }), ` ${title}`, element("span", { class: "few-dice" }, ...dice.map(dieDrawing)), element("span", { class: "unseen", text: dice.join(", ") })),
        element("p", { text: why }),
        element("button", { type: "button", class: "button", "data-unsend": "", text: done }),
      );
    }
    place.dataset.told = now;
    restrict();
  }

  // What can't be done now is not offered.
  function restrict() {
    const now = sheet.state();
    const off = (one) => waits || (now !== "fresh" && (now !== "away" || !one.matches(OFFERED)));
    for (const one of all("button, input", sheet.live)) {
      if ("off" in one.dataset && !off(one)) {
        one.disabled = false;
        delete one.dataset.off;
      } else if (!one.disabled && off(one)) {
        one.disabled = true;
        one.dataset.off = "";
      }
    }
  }

  place.addEventListener("click", (event) => {
    if (!event.target.closest("[data-unsend]") || sending) return;
    hold(null);
    refused = null;
    show();
    sheet.refresh();
  });
  show();
  return { deliver, flush, show, waits: () => waits };
}

/** What of a session waits on this device, if anything. */
export function remembered(session) {
  try { return JSON.parse(read(NAME + session)); } catch { return null; }
}

/** The sessions of which something waits. */
export function unsent() {
  try { return Object.keys(localStorage).filter((name) => name.startsWith(NAME)).map((name) => name.slice(NAME.length)); } catch { return []; }
}
