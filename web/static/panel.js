// The dialog of what is not needed every turn: correcting a filled box, coaching on this device, the players.

import { all, dieDrawing, element, fetchInTime, find, OFFLINE } from "./page.js";
import { enterByHand } from "./review.js";
import { t } from "./words.js";

const YEAR = 365 * 24 * 3600;
const LONG_MS = 500;
const STILL = 10; // pixels that a resting finger may move
const MEANWHILE = t("The sheet was changed on another screen meanwhile. If this is still right, send it once more.");

const panel = find("#panel");

// `game` is what the sheet gives: {path, live, change(what, seq, body, said), refresh(), hint(words), ask(…)}.
export function setUpPanel(game) {
  const { path, live } = game;

  async function open(part) {
    let answer;
    try {
      answer = await fetchInTime(`${path}/${part}`);
    } catch {
      game.hint(OFFLINE);
      return;
    }
    if (answer.status !== 200) {
      game.hint(t("The sheet was changed on another screen: look at it again."));
      game.refresh();
      return;
    }
    panel.innerHTML = answer.text;
    if (!panel.open) panel.showModal();
  }

  function say(words) {
    find("#panel-error", panel).textContent = words;
  }

  // -- What is written, and what could be: a long press, a right click, or a key

  const edit = (cell) => open(`boxes/${cell.dataset.player}/${cell.dataset.edit}`);

  function why({ name, why: words }) {
    panel.replaceChildren(
      element("h2", { id: "panel-title", text: name }),
      element("div", { class: "dice why-dice" }, ...find("#sheet", live).dataset.dice.split(" ").map(dieDrawing)),
      element("p", { class: "why", text: words }),
      element("div", { class: "row" }, element("button", { class: "button", type: "button", "data-close-dialog": "", text: t("Close") })),
    );
    if (!panel.open) panel.showModal();
  }

  const pressable = (event) => event.target.closest("[data-edit], [data-why]");
  const lookAt = (one) => ("edit" in one.dataset ? edit(one) : why(one.dataset));
  let pressing = null;
  let pressed = false; // the click that ends a long press is none

  function stopPressing() {
    clearTimeout(pressing?.timer);
    pressing = null;
  }

  live.addEventListener("pointerdown", (event) => {
    const one = pressable(event);
    pressed = false;
    stopPressing();
    if (!one || event.button !== 0) return;
    const timer = setTimeout(() => { stopPressing(); pressed = true; lookAt(one); }, LONG_MS);
    pressing = { timer, x: event.clientX, y: event.clientY };
  });
  live.addEventListener("pointermove", (event) => {
    if (pressing && Math.hypot(event.clientX - pressing.x, event.clientY - pressing.y) > STILL) stopPressing();
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) live.addEventListener(end, stopPressing);
  live.addEventListener("contextmenu", (event) => {
    const one = pressable(event);
    if (!one) return;
    event.preventDefault();
    if (!pressed) lookAt(one); // else the finger that rests has opened it already
    stopPressing();
    pressed = true;
  });
  // Before the sheet hears of it: a press that was long must not score.
  live.addEventListener("click", (event) => {
    const one = pressable(event);
    const long = pressed && event.detail !== 0;
    pressed = false;
    if (!one || !long) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  live.addEventListener("click", (event) => {
    const one = pressable(event);
    if (!one || "box" in one.dataset || "chip" in one.dataset) return;
    if ("why" in one.dataset) why(one.dataset); // there is nothing else to do with it
    else if (event.detail === 0) edit(one); // from the keyboard, or a screen reader
    else game.hint(t("To correct what is written, press it longer."));
  });
  live.addEventListener("keydown", (event) => {
    const one = event.key === "?" && pressable(event);
    if (one) lookAt(one);
  });
  live.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-edit]");
    pressed = false;
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (!cell || !step) return;
    event.preventDefault();
    const row = [...cell.closest("tbody").rows].indexOf(cell.closest("tr"));
    const column = Number(cell.dataset.player);
    const cells = all("[data-edit]", live).map((one) => ({
      one,
      down: ([...one.closest("tbody").rows].indexOf(one.closest("tr")) - row) * (step[0] || 0),
      across: (Number(one.dataset.player) - column) * (step[1] || 0),
    }));
    const next = cells
      .filter(({ one, down, across }) => (step[0] ? down > 0 && one.dataset.player === cell.dataset.player : across > 0 && one.dataset.edit === cell.dataset.edit))
      .sort((a, b) => a.down + a.across - b.down - b.across)[0];
    next?.one.focus();
  });
  live.addEventListener("focusin", (event) => {
    if (!event.target.closest("[data-edit]")) return;
    all("[data-edit]", live).forEach((one) => { one.tabIndex = one === event.target ? 0 : -1; });
  });

  async function correct(value) {
    const { seq, player, box, name, whose } = find("#edit", panel).dataset;
    const answer = await game.change("edits", seq, { player: Number(player), box, ...value }, t("%(name)s: %(box)s is corrected.", { name: whose, box: name }));
    if (answer.ok) panel.close();
    else if (answer.status === 409) {
      // Somebody else was faster, perhaps elsewhere on the sheet. What was entered stays, to be sent again.
      find("#edit", panel).dataset.seq = answer.data.seq;
      answer.error = MEANWHILE;
    }
    if (!answer.ok) say(answer.error);
    return answer;
  }

  function correctDice() {
    const { name, whose } = find("#edit", panel).dataset;
    enterByHand({
      title: t("%(box)s, %(name)s", { box: name, name: whose }),
      confirm: () => t("These were the dice"),
      numbers: [],
      expect: 5,
      kept: [],
      inks: false,
      use: (dice) => correct({ dice }),
    });
  }

  // -- The players

  const seats = () => all("#seats li", panel);

  function moveUp(seat) {
    seat.previousElementSibling?.before(seat);
    seats().forEach((one, n) => { find("[data-move-up]", one).disabled = n === 0; });
    const button = find("[data-move-up]", seat);
    (button.disabled ? find("input", seat) : button).focus();
  }

  const nameOf = (player) => find(`[data-player="${player}"] input`, panel);
  const typed = () => seats().map((seat) => ({ player: Number(seat.dataset.player), input: find("input", seat) }))
    .filter(({ input }) => input.value.trim() !== input.dataset.was);

  // Each name is a change of its own, and so is the order; the first that is refused stops them.
  async function saveNames() {
    const changes = typed().map(({ player, input }) => ({ player, name: input.value }));
    const order = seats().map((seat) => Number(seat.dataset.player));
    if (order.some((player, n) => player !== n)) changes.push({ order });
    for (const body of changes) {
      const answer = await save(body);
      if (answer.ok) continue;
      // Others have changed the names, or the order can't be changed any more: so the dialog is another one.
      if (answer.status === 409 || body.order) await renew();
      say(answer.status === 409 ? MEANWHILE : answer.error);
      return;
    }
    panel.close();
  }

  // Whatever else has happened on another screen is no reason not to save a name.
  async function save(body) {
    const { dataset } = find("#more", panel);
    for (;;) {
      const answer = await game.change("players", dataset.seq, body, t("Saved."));
      const { seq, players } = answer.data || {};
      if (answer.ok && body.name) nameOf(body.player).dataset.was = players[body.player].name;
      const asBefore = players?.every(({ name }, player) => name === nameOf(player)?.dataset.was);
      if (answer.ok || (answer.status === 409 && asBefore)) dataset.seq = seq;
      if (answer.status !== 409 || !asBefore) return answer;
    }
  }

  // The dialog as it is by now, with what was typed into it: it belongs to whoever had that name, wherever they sit.
  async function renew() {
    const kept = typed().map(({ player, input }) => ({ player, was: input.dataset.was, name: input.value }));
    await open("more");
    for (const { player, was, name } of kept) {
      const own = all("#seats input", panel).find((input) => input.dataset.was === was) || nameOf(player);
      own.value = name;
    }
  }

  function leave({ name }, player) {
    const { seq } = find("#more", panel).dataset;
    if (!typed().length) panel.close();
    game.ask(t("%(name)s leaves?", { name }),
      t("What %(name)s has scored stays on the sheet, in grey, and counts no more. The others play on.", { name }),
      t("%(name)s leaves", { name }),
      async () => {
        await game.change("players", seq, { player, leave: true }, t("%(name)s has left.", { name }));
        if (panel.open) renew();
      });
  }

  panel.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if ("editDice" in button.dataset) correctDice();
    else if ("editPoints" in button.dataset) correct({ points: Number(find("#edit-points", panel).value) });
    else if ("moveUp" in button.dataset) moveUp(button.closest("li"));
    else if ("saveNames" in button.dataset) saveNames();
    else if ("leave" in button.dataset) leave(button.dataset, Number(button.closest("li").dataset.player));
  });
  panel.addEventListener("change", (event) => {
    if (event.target.name === "coach") {
      document.cookie = `dicescribe_coach=${event.target.value}; path=/; max-age=${YEAR}; samesite=lax`;
      game.refresh();
    } else if (event.target.id === "edit-points") find("[data-edit-points]", panel).disabled = false;
  });
  find("#open-more").addEventListener("click", () => open("more"));
}
