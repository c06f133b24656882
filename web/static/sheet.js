// The sheet of one game: taking rolls and scores, and keeping every open screen fresh.

import { keepFresh } from "./fresh.js";
import { setUpLive } from "./live.js";
import { setUpOutbox } from "./outbox.js";
import { all, find, send } from "./page.js";
import { setUpPanel } from "./panel.js";
import { offerDice } from "./review.js";
import { onDice } from "./ways_in.js";
import { t, tn } from "./words.js";

// ---- The sheet

function playSheet(live) {
  const { session } = live.dataset;
  const path = `/sessions/${session}`;
  const facts = () => find("#sheet", live).dataset;
  let busy = false;
  let asking = null;

  const keepName = () => `kept ${session} ${facts().seq}`;
  const keeps = () => all("[data-keep][aria-pressed=true]", live);

  onDice(nextTask);
  function nextTask() {
    const { name, roll, rolls, seq, player } = facts();
    const number = Number(roll) + 1;
    if (player === "" || number > Number(rolls)) return null;
    return {
      title: t("%(name)s, roll", { name }),
      confirm: (chosen) => t("This is roll %(n)s", { n: chosen }),
      numbers: [1, 2, 3].filter((later) => later >= number),
      expect: 5,
      kept: keeps().map((button) => Number(button.dataset.value)),
      inks: document.body.classList.contains("two-inks"),
      use: (dice, seen) => useDice(Number(seq), dice, seen, t("%(name)s, roll %(n)s", { name, n: seen.number || number })),
    };
  }

  async function useDice(seq, dice, seen, title) {
    const answer = await outbox.deliver({ what: "rolls", seq, body: { dice, ...seen }, title, dice });
    if (answer.kept) return { ok: true, focus: find("#unsent button") };
    if (answer.ok) {
      await refresh(true);
      toTop();
      return { ok: true, focus: find("#keep-0, [data-box], [data-chip]", live) };
    }
    if (answer.status !== 409) return answer;
    // Somebody else was faster. The dice stay here; what they would be for has changed.
    await refresh(true);
    return { ...answer, error: t("The sheet was changed on another screen meanwhile. Your dice are still here: check whose turn it is."), task: nextTask() };
  }

  // `seq` is that of the sheet on which it was decided, which by now may be an older one.
  async function change(what, seq, body, said) {
    if (busy) return { ok: false, error: t("A moment: the last change is still on its way.") };
    busy = true;
    hideToast();
    const answer = what === "scores" ? await outbox.deliver({ what, seq: Number(seq), body, title: said })
      : await send(`${path}/${what}`, { seq: Number(seq), ...body });
    busy = !answer.kept;
    if (answer.kept) return answer;
    const { player } = facts();
    await refresh(true);
    busy = false;
    if (facts().player !== player) toTop();
    if (answer.ok) toast(said, what !== "undo", told === facts().seq);
    else toast(answer.status === 409 ? t("The sheet was changed on another screen: this is how it stands now.") : answer.error, false);
    return answer;
  }

  function toTop() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    window.scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
  }

  // -- Keeping it fresh

  const { refresh, state } = keepFresh({
    session, path, facts, put,
    busy: () => busy,
    changed: () => outbox?.show(),
    back: () => outbox?.flush(),
  });
  const outbox = setUpOutbox({
    session, path, live, state,
    refresh: () => refresh(true),
    sent: (entry) => toast(t("Sent: %(what)s", { what: entry.title }), false),
    refused,
  });

  // What waited is not what the sheet waits for any more. Dice are offered once more; says whether they could be.
  function refused(entry, why) {
    const task = entry.dice ? nextTask() : null;
    return Boolean(task) && offerDice(task, entry.dice, [t("Not entered: %(what)s", { what: entry.title }), why]);
  }

  let told = ""; // the seq of what was said last
  function put(html) {
    const before = new Map(all("[data-cell]", live).map((cell) => [cell.dataset.cell, cell.textContent.trim()]));
    const { player, seq, latest } = facts();
    const across = find(".scroll", live)?.scrollLeft || 0;
    const focused = live.contains(document.activeElement) ? document.activeElement : null;
    live.innerHTML = html;
    if (find(".scroll", live)) find(".scroll", live).scrollLeft = across;
    const happened = [];
    if (facts().seq !== seq) {
      all("td[data-cell]", live).forEach((cell) => {
        if (find(".written, .zero", cell) && before.get(cell.dataset.cell) !== cell.textContent.trim()) cell.classList.add("fresh");
      });
      if (facts().latest && facts().latest !== latest) happened.push(facts().latest);
    }
    restoreKeeps();
    if (facts().player !== player) {
      showColumn();
      if (facts().player !== "") happened.push(t("It is %(name)s's turn.", { name: facts().name }));
    }
    if (happened.length) speak(happened.join(" "));
    told = happened.length ? facts().seq : told;
    // What had the focus may be gone: then it is where the turn goes on.
    if (focused) (document.getElementById(focused.id) || find("h2", live)).focus({ preventScroll: true });
  }

  // A dialog gives the focus back to where it was, unless the sheet was drawn anew below it.
  let last = "";
  live.addEventListener("focusin", (event) => { last = event.target.id; });
  document.addEventListener("close", () => {
    const at = document.activeElement;
    if (at === document.body || at.closest("dialog:not([open])")) document.getElementById(last)?.focus({ preventScroll: true });
  }, true);

  function speak(words) {
    find("#spoken").textContent = words;
  }

  // With many players the column whose turn it is comes into view beside the names of the boxes.
  function showColumn() {
    const scroll = find(".scroll", live);
    const column = find("thead .now", live);
    if (!scroll || !column) return;
    const names = find("thead .box", live).offsetWidth;
    const { offsetLeft: left, offsetWidth: width } = column;
    if (left - names < scroll.scrollLeft || left + width > scroll.scrollLeft + scroll.clientWidth) {
      scroll.scrollLeft = Math.max(0, left - names - (scroll.clientWidth - names - width) / 2);
    }
  }

  // What is drawn by the server, as the pictures at the end, is drawn for the type that holds.
  document.addEventListener("chosen", ({ detail }) => detail.name === "type" && refresh(true));

  // -- Dice that stay

  function press(button, on) {
    button.setAttribute("aria-pressed", String(on));
    find(".keep-word", button).textContent = on ? t("stays") : t("throw");
  }

  function storeKeeps() {
    sessionStorage.setItem(keepName(), JSON.stringify(keeps().map((one) => one.dataset.keep)));
    keepHint();
  }

  function restoreKeeps() {
    const kept = JSON.parse(sessionStorage.getItem(keepName()) || "[]");
    all("[data-keep]", live).forEach((button) => press(button, kept.includes(button.dataset.keep)));
    keepHint();
  }

  function keepHint() {
    const hint = find("#keep-hint", live);
    if (!hint) return;
    hint.dataset.first ||= hint.textContent;
    const kept = keeps().length;
    hint.textContent = !kept ? hint.dataset.first
      : kept === 5 ? t("All five stay: score them.")
      : kept === 4 ? t("4 dice stay: throw the other one, then show them all.")
      : tn("%(n)s die stays: throw the other %(rest)s, then show them all.", "%(n)s dice stay: throw the other %(rest)s, then show them all.", kept, { rest: 5 - kept });
  }

  // -- Scoring

  function ask(title, text, yes, then) {
    find("#ask-title").textContent = title;
    find("#ask-text").textContent = text;
    find("[data-ask=yes]").textContent = yes;
    asking = then;
    find("#ask").showModal();
  }

  function fill(button) {
    const { box, name, points, scratch, why } = button.dataset;
    const { seq } = facts();
    const striking = find("[data-strike]", live)?.getAttribute("aria-pressed") === "true";
    const player = facts().name;
    if (Number(points) && !striking) {
      change("scores", seq, { box }, t("%(name)s: %(points)s in %(box)s.", { name: player, points, box: name }));
      return;
    }
    const wasted = striking && scratch === "yes";
    ask(t("A zero in %(box)s?", { box: name }),
      wasted ? t("This roll would score %(points)s there. The box is closed for %(name)s after this.", { points, name: player })
        : `${why} ${t("The box is closed for %(name)s after this.", { name: player })}`,
      t("Write the zero"),
      () => change("scores", seq, wasted ? { box, scratch: true } : { box }, t("%(name)s: %(points)s in %(box)s.", { name: player, points: 0, box: name })));
  }

  live.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || busy) return;
    const data = button.dataset;
    if ("keep" in data) {
      press(button, button.getAttribute("aria-pressed") !== "true");
      storeKeeps();
    } else if ("keepThese" in data) {
      all("[data-keep]", live).forEach((one) => press(one, "advised" in one.dataset));
      storeKeeps();
    } else if ("box" in data) fill(button);
    else if ("chip" in data) {
      change("scores", facts().seq, { chip: data.chip, from: data.from }, t("%(name)s: %(chip)s, %(points)s.", { name: facts().name, chip: data.name, points: data.points }));
    } else if ("pass" in data) {
      const free = all(".chip-button.can", live).length;
      const { seq, name } = facts();
      const pass = () => change("scores", seq, { pass: true }, t("%(name)s took no chip.", { name }));
      if (free) ask(t("Take no chip?"), t("This roll could take one."), t("Take none"), pass);
      else pass();
    } else if ("strike" in data) {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      find("#sheet", live).classList.toggle("striking", on);
      all("[data-box]", live).forEach((option) => {
        option.dataset.label ||= option.getAttribute("aria-label");
        option.dataset.shown ||= option.innerHTML;
        option.innerHTML = on ? "0" : option.dataset.shown;
        option.setAttribute("aria-label", on ? t("Write a zero in %(box)s", { box: option.dataset.name }) : option.dataset.label);
      });
    }
  });
  document.addEventListener("click", (event) => {
    const undo = event.target.closest("[data-undo]");
    if (undo) change("undo", undo.dataset.seq || facts().seq, {}, t("Taken back."));
    const answer = event.target.closest("[data-ask]");
    if (answer) {
      find("#ask").close();
      if (answer.dataset.ask === "yes") asking();
    }
    if (event.target.closest("#invite")) find("#invite-dialog").showModal();
    event.target.closest("[data-close-dialog]")?.closest("dialog").close();
  });

  // -- A word about what was done

  let hiding = 0;
  function toast(words, undo, isSaid) {
    const box = find("#toast");
    if (!isSaid) speak(words);
    find("p", box).textContent = words;
    find("[data-undo]", box).hidden = !undo;
    find("[data-undo]", box).dataset.seq = facts().seq;
    box.hidden = false;
    clearTimeout(hiding);
    hiding = setTimeout(hideToast, 6000);
  }
  function hideToast() {
    find("#toast").hidden = true;
  }

  setUpPanel({ path, live, change, ask, refresh: () => refresh(true), hint: (words) => toast(words, false) });
  setUpLive({ path, seq: () => Number(facts().seq), refresh: () => busy || refresh(true), hint: (words) => toast(words, false) });
  restoreKeeps();
  showColumn();
}

playSheet(find("#live"));
