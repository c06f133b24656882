// What the live table shows: the state in words, the dice outlined in the picture, the rolls of the turn, and the
// question about a roll that is not sure.

import { all, dieDrawing, element, find } from "./page.js";
import { t, tn } from "./words.js";

const SAID = ["settled", "unsure", "missing", "lost"]; // states that are read aloud
const BLIND = ["starting", "lost"]; // states without a picture that could be read

const ENLARGED = 0.35; // of the picture's height: a die that is asked about
const LEAST = 18; // pixels of the screen that a sign by a die has at least

const panel = find("#watch");
const marks = find("#watch-marks");
let ask = null; // the roll that is asked about: {n, roll, values, open: which are in doubt, sent}
let drawn = {};
let spoken = "";

/** Forgets what is shown, so that it is drawn anew. */
export function forget() {
  ask = null;
  drawn = {};
}

/** A sentence above all else; none hides it. */
export function say(words) {
  find("#watch-note").textContent = words || "";
  find("#watch-note").hidden = !words;
}

// Draws a part anew only when what it shows has changed: buttons under a finger stay what they are.
function changed(part, shown) {
  const key = JSON.stringify(shown);
  if (drawn[part] === key) return false;
  drawn[part] = key;
  return true;
}

/** Shows an answer of the server. */
export function show(data) {
  panel.dataset.state = data.state;
  find("#watch-words").textContent = data.words;
  if (SAID.includes(data.state) && data.words !== spoken) {
    spoken = data.words;
    find("#watch-spoken").textContent = spoken;
  }
  if (changed("marks", [data.dice, data.width, data.height])) {
    drawMarks(data);
    delete drawn.ask; // it marks one of them
  }
  askAbout(data.pending);
  if (changed("help", data.help)) find("#watch-help").replaceChildren(...data.help.map((text) => element("p", { text })));
  if (changed("rolls", data.rolls)) drawRolls(data.rolls);
  const known = Boolean(data.roll || data.pending);
  find("[data-watch=fix]", panel).disabled = !known;
  find("[data-watch=not-a-roll]", panel).disabled = !known;
  find("[data-watch=again]", panel).disabled = BLIND.includes(data.state);
}

function drawing(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function drawMarks({ dice, width, height }) {
  if (width && height) {
    marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
    find(".watch-stage").style.aspectRatio = `${width} / ${height}`;
  }
  const least = (LEAST * width) / (marks.clientWidth || width);
  marks.replaceChildren(...dice.map((die) => {
    const [x, y, w, h] = die.box;
    const size = Math.max(least, Math.min(0.5 * w, 2 * least));
    const badge = [x + w - 0.35 * size, y + h - 0.35 * size];
    const group = drawing("g", { class: `seen${die.sure ? "" : " doubtful"}${die.kept ? " kept" : ""}` },
      drawing("rect", { class: "edge", x, y, width: w, height: h, rx: 0.12 * w }),
      drawing("rect", { class: "line", x, y, width: w, height: h, rx: 0.12 * w }),
      drawing("use", { href: `#die-${die.value}`, class: `die-of-${die.value}`, x: badge[0], y: badge[1], width: size, height: size }));
    if (!die.sure) group.append(sign(x, y, size, "?"));
    else if (die.kept) group.append(drawing("use", { href: "#icon-lock", class: "lock", x: x - 0.5 * size, y: y - 0.5 * size, width: size, height: size }));
    return group;
  }));
}

function sign(x, y, size, text) {
  return drawing("g", { class: "sign" },
    drawing("circle", { cx: x, cy: y, r: 0.5 * size }),
    drawing("text", { x, y, "font-size": 0.75 * size, dy: "0.35em", "text-anchor": "middle" }, text));
}

function drawRolls(rolls) {
  find("#watch-rolls").replaceChildren(...rolls.map(({ roll, dice, kept }) => {
    const left = [...kept];
    const shown = dice.map((value) => {
      const at = left.indexOf(value);
      if (at >= 0) left.splice(at, 1);
      return element("span", { class: at >= 0 ? "kept" : "" }, dieDrawing(value));
    });
    const facts = { n: roll, dice: dice.join(" "), kept: kept.join(" ") };
    const words = kept.length ? t("Roll %(n)s: %(dice)s, kept %(kept)s", facts) : t("Roll %(n)s: %(dice)s", facts);
    return element("li", {}, element("b", { text: t("Roll %(n)s", facts), "aria-hidden": "true" }),
      element("span", { class: "dice", "aria-hidden": "true" }, ...shown),
      element("small", { text: kept.length ? tn("%(n)s kept", "%(n)s kept", kept.length) : "", "aria-hidden": "true" }), element("span", { class: "unseen", text: words }));
  }));
}

// ---- A roll that is not sure: one tap on a face for each doubtful die

function askAbout(pending) {
  const answered = ask && pending && ask.n === pending.n && ask.sent;
  if (!pending || answered) {
    if (!pending) ask = null;
    hideAsk();
    return;
  }
  const key = JSON.stringify(pending.dice.map((die) => [die.value, die.sure]));
  if (ask?.n !== pending.n || ask.key !== key) {
    ask = { n: pending.n, key, roll: pending.roll, values: pending.dice.map((die) => die.value), open: pending.dice.map((die) => !die.sure), sent: false };
  }
  drawAsk();
}

function hideAsk() {
  enlarge(null);
  find("#watch-ask").hidden = true;
  delete drawn.ask;
}

// The picture so that this die is in its middle, large; without one the whole.
function enlarge(die) {
  const { width, height } = marks.viewBox.baseVal || {};
  const { clientWidth: across, clientHeight: down } = marks.parentElement;
  let transform = "";
  if (die && width && across) {
    const scale = Math.min(across / width, down / height);
    const [x, y, side] = ["x", "y", "width"].map((name) => Number(die.getAttribute(name)) * scale);
    const times = Math.max(1, Math.min(5, (ENLARGED * down) / side));
    const middle = (at, room, free) => room / 2 - times * (free + at + side / 2);
    transform = `translate(${middle(x, across, (across - width * scale) / 2)}px, ${middle(y, down, (down - height * scale) / 2)}px) scale(${times})`;
  }
  for (const layer of marks.parentElement.children) layer.style.transform = transform;
}

function drawAsk() {
  if (!changed("ask", ask)) return;
  const whole = ask.values.length === 5;
  const chosen = whole ? ask.open.indexOf(true) : -1;
  const seen = all(".seen", marks);
  seen.forEach((mark, n) => mark.classList.toggle("asked", seen.length === 5 && n === chosen));
  enlarge(find(".asked .line", marks));
  find("#watch-ask").hidden = false;
  find("#watch-ask-label").textContent = chosen >= 0 ? t("Roll %(n)s: which face does the marked die show?", { n: ask.roll })
    : whole ? t("Roll %(n)s: are these the dice?", { n: ask.roll })
    : t("Roll %(n)s: %(read)s of 5 dice could be read.", { n: ask.roll, read: ask.values.length });
  find("#watch-ask-dice").replaceChildren(...ask.values.map((value, n) => element("span", {
    class: `${ask.open[n] ? "doubtful" : ""}${n === chosen ? " chosen" : ""}`, role: "img",
    label: ask.open[n] ? t("Die %(n)s: %(value)s, not sure", { n: n + 1, value }) : t("Die %(n)s: %(value)s", { n: n + 1, value }),
  }, dieDrawing(value))));
  find("#watch-pad").hidden = chosen < 0;
  find("[data-watch=right]").hidden = !whole;
  find("[data-watch=enter]").hidden = whole;
  all("[data-watch-face]", panel).forEach((face) => face.classList.toggle("likely", Number(face.dataset.watchFace) === ask.values[chosen]));
}

/** The face of the die that is asked about; gives the roll {n, values} when all is answered, else null. */
export function answerFace(value) {
  const chosen = ask ? ask.open.indexOf(true) : -1;
  if (chosen < 0) return null;
  ask.values[chosen] = value;
  ask.open[chosen] = false;
  if (!ask.open.includes(true)) return answerRight();
  drawAsk();
  return null;
}

/** All dice are right as they stand: gives the roll {n, values}. */
export function answerRight() {
  if (!ask) return null;
  ask.sent = true;
  hideAsk();
  return { n: ask.n, values: ask.values };
}
