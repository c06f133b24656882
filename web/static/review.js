// The review: a picture or a pad in, confirmed dice out.

import { keepAside } from "./aside.js";
import { all, dieDrawing, element, find } from "./page.js";
import { uploadPhoto } from "./smaller.js";
import { lay, placement, view } from "./stage.js";
import { locale, t, tn } from "./words.js";

// A task says what the dice are for: {title, expect, kept, numbers, inks, confirm(number), use(dice, seen)}. `numbers`
// are the rolls of the turn that this may be, `seen` is what goes with the dice: source, kept, number, inks, confidence.
// `use` answers {ok, error, task, focus}: `task` is what the dice would be for now, if that has changed, `focus` where
// to go on.

const dialog = find("#review");
const review = { task: null, dice: [], chosen: null, place: null, size: null, file: null, url: null, sending: null, busy: false, whole: false, kept: [] };

function openReview(task) {
  Object.assign(review, { dice: [], chosen: null, place: null, size: null, file: null, whole: false, busy: false, source: "typed" });
  setTask(task);
  showPicture(null);
  say([]);
  present();
  drawReview();
}

function present() {
  if (dialog.open) return;
  dialog.showModal();
  opened();
}

const opened = keepAside(dialog,
  () => (review.task && !review.busy && (review.dice.length || review.file) ? review.dice.map((die) => die.value) : null),
  () => {
    const { file, size } = review;
    present();
    showPicture(file);
    if (file && !size) readPhoto(file);
    drawReview();
  });

function setTask(task) {
  review.task = task;
  review.kept = task ? task.kept : [];
  review.number = task?.numbers[0];
  find("#review-title").textContent = task ? task.title : t("The dice are not needed now");
}

// What stayed is known only from the roll just before.
function keptNow() {
  return review.number === review.task?.numbers[0] ? review.kept : [];
}

/** Opens the dialog with the pad for this task. */
export function enterByHand(task) {
  openReview(task);
  review.dice = review.kept.map((value) => ({ value, box: null, sure: true, kept: true }));
  drawReview();
  find(".pad-die", dialog).focus();
}

/** Opens the dialog with a reading that was made elsewhere, and its picture (a file, or null). */
export function reviewReading(task, file, reading) {
  openReview(task);
  Object.assign(review, { file, source: "camera" });
  showPicture(file);
  takeReading(reading);
  drawReview();
}

/** Opens the dialog with dice that were entered before, and why they are asked for again; false if it is in use. */
export function offerDice(task, values, why) {
  if (dialog.open) return false;
  openReview(task);
  review.dice = values.map((value) => ({ value, box: null, sure: true }));
  say(why, "wrong");
  drawReview();
  return true;
}

function showPicture(file) {
  const picture = find("#picture");
  if (review.url) URL.revokeObjectURL(review.url);
  review.url = file ? URL.createObjectURL(file) : null;
  find("#stage").hidden = !file;
  find(".review-body", dialog).classList.toggle("with-picture", Boolean(file));
  picture.hidden = true;
  if (file) picture.src = review.url;
  else picture.removeAttribute("src");
}

async function readPhoto(file) {
  if (review.sending) review.sending.stop();
  Object.assign(review, { file, dice: [], chosen: null, place: null, size: null, whole: false, source: "photo" });
  showPicture(file);
  say([]);
  const waiting = find("#waiting");
  const words = find("#waiting-text");
  words.textContent = t("Sending the picture …");
  waiting.hidden = false;
  find("[data-review=retry]").hidden = true;
  drawReview();
  const sending = uploadPhoto(file, review.task.expect, (part) => {
    words.textContent = part < 1 ? t("Sending the picture … %(share)s", { share: part.toLocaleString(locale, { style: "percent" }) }) : t("Reading the dice …");
  });
  review.sending = sending;
  const answer = await sending.answer;
  if (review.sending !== sending || answer === null) return;
  review.sending = null;
  waiting.hidden = true;
  if (answer.ok) takeReading(answer.data);
  else {
    say([answer.error, t("The dice can also be entered with the pad below.")], "wrong");
    find("[data-review=retry]").hidden = answer.status !== 429 && answer.status >= 400 && answer.status < 500;
  }
  drawReview();
}

function takeReading(reading) {
  review.size = [reading.width, reading.height];
  review.dice = reading.dice.map((die) => ({ value: die.value, box: die.box, sure: die.sure, ink: die.ink.name, confidence: die.confidence }));
  const { expect } = review.task;
  // Where another number was read, the last doubt says so; what to do about it is said below.
  const said = reading.doubts.slice(0, review.dice.length === expect ? undefined : -1);
  // In Yamslam the ink tells odd from even, a check on the counted pips that costs nothing; not with plain dice.
  const inks = new Set(reading.dice.map((die) => die.ink.name));
  if (review.task.inks && inks.has("black") && inks.has("red")) {
    for (const [die, { ink }] of review.dice.map((die, n) => [die, reading.dice[n]])) {
      const wanted = die.value % 2 ? "black" : "red";
      if (["black", "red"].includes(ink.name) && ink.name !== wanted && ink.confidence > 0.8) {
        die.sure = false;
        said.push(die.value % 2 ? t("the red die read as %(value)s should be black: look again", { value: die.value })
          : t("the black die read as %(value)s should be red: look again", { value: die.value }));
      }
    }
  }
  // A doubt that is about none of the dice may lie anywhere in the picture.
  review.whole = said.length > 0 && reading.dice.every((die) => die.sure);
  const kept = keptNow();
  if (kept.length && review.dice.length === expect - kept.length) {
    review.dice.push(...kept.map((value) => ({ value, box: null, sure: true, kept: true })));
    said.push(tn("%(n)s die seen; the %(kept)s that stayed make %(all)s", "%(n)s dice seen; the %(kept)s that stayed make %(all)s", expect - kept.length, { kept: kept.length, all: expect }));
  }
  if (reading.other) said.push(tn("%(n)s other die without pips left out", "%(n)s other dice without pips left out", reading.other));
  const missing = without(kept, review.dice.map((die) => die.value));
  if (review.dice.length === expect && missing.length) {
    said.push(t("you kept %(kept)s, but these dice lack %(missing)s", { kept: kept.join(" "), missing: missing.join(" ") }));
  }
  if (!review.dice.length) said.push(t("no dice were found: try a picture from nearer, or tap the faces below"));
  else if (review.dice.length < expect) said.push(tn("%(n)s die found: tap where the others lie, or add them below", "%(n)s dice found: tap where the others lie, or add them below", review.dice.length));
  if (said.length) say(said.map((words) => words[0].toUpperCase() + words.slice(1) + "."));
  else if (review.dice.length === expect) say([t("All dice read. Tap one if it is wrong.")], "fine");
  askNext();
}

// Each die in doubt is asked for in its turn, and answered by one tap on a face.
function askNext() {
  const next = review.dice.findIndex((die) => !die.sure && die.box);
  review.chosen = next < 0 || review.whole ? null : next;
}

function without(part, whole) {
  const rest = [...whole];
  return part.filter((value) => {
    const at = rest.indexOf(value);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

function say(lines, kind = "") {
  const place = find("#say");
  place.className = `say ${kind}`;
  place.replaceChildren(...lines.map((text) => element("p", { text })));
}

// Drawn anew as a whole; who uses the keyboard stays where they were, or comes to what is next.
function drawReview() {
  const { die, number } = document.activeElement?.dataset || {};
  drawNumbers();
  drawTray();
  drawMarks();
  drawPad();
  drawConfirm();
  const focused = document.activeElement;
  if (dialog.contains(focused) && focused !== dialog && !focused.disabled) return;
  const places = [`#tray [data-die="${die}"]`, `[data-number="${number}"]`, "[data-review=confirm]:enabled", "#tray button", "[data-face]:enabled"];
  places.map((place) => find(place, dialog)).find(Boolean)?.focus();
}

// Which roll of the turn: a turn may begin with its second or last one, if only that was photographed.
function drawNumbers() {
  const numbers = review.task?.numbers || [];
  find("#which").hidden = !numbers.length;
  find("#which").replaceChildren(...(numbers.length ? [1, 2, 3] : []).map((number) => element("button", {
    type: "button", role: "radio", "data-number": number, "aria-checked": String(number === review.number),
    disabled: numbers.includes(number) ? false : "", label: t("Roll %(n)s", { n: number }), text: number,
  })));
}

function dieClass(die, index) {
  return `${index === review.chosen ? "chosen " : ""}${die.sure ? "" : "doubtful "}${die.kept ? "kept" : ""}`;
}

function drawTray() {
  const { task, dice } = review;
  const kept = keptNow();
  const expect = task ? task.expect : 0;
  const buttons = dice.map((die, index) => element("button", {
    type: "button", class: dieClass(die, index), "data-die": index, "aria-pressed": index === review.chosen ? "true" : "false",
    label: die.sure ? t("Die %(n)s shows %(value)s. Correct it", { n: index + 1, value: die.value })
      : t("Die %(n)s shows %(value)s, not sure. Correct it", { n: index + 1, value: die.value }),
  }, dieDrawing(die.value)));
  for (let n = dice.length; n < expect; n += 1) buttons.push(element("span", {}, dieDrawing(0)));
  find("#tray").replaceChildren(...buttons);
  const note = find("#kept-note");
  note.hidden = !kept.length;
  note.replaceChildren(element("span", { text: t("Kept:") }), ...kept.map(dieDrawing),
    element("span", { class: "unseen", text: kept.join(", ") }),
    element("button", { type: "button", class: "button quiet", "data-review": "unkeep", text: t("Not so") }));
}

const shownPart = () => view(review, review.task ? review.task.expect - keptNow().length : 0);
const placedNow = () => placement(shownPart(), find("#stage"));

function drawMarks() {
  const marks = find("#marks");
  const picture = find("#picture");
  const natural = [picture.naturalWidth, picture.naturalHeight];
  if (!find("#stage").hidden && !review.size && natural[0] && review.sending) {
    // Shown at once, while it is being read.
    Object.assign(review, { size: natural });
    lay(picture, [0, 0, ...natural], placedNow());
    picture.hidden = false;
    review.size = null;
  }
  find("#zoom").hidden = true;
  if (!review.size || find("#stage").hidden) {
    marks.replaceChildren();
    return;
  }
  const at = placedNow();
  // A browser that can't show the picture, or would show it turned otherwise than it was read, shows just the dice.
  const fits = natural[0] > 0 && Math.abs(natural[0] * review.size[1] - natural[1] * review.size[0]) < 0.02 * natural[0] * review.size[1];
  picture.hidden = !fits;
  lay(picture, [0, 0, ...review.size], at);
  const shown = review.dice.map((die, index) => [die, index]).filter(([die]) => die.box).map(([die, index]) => {
    const mark = element("button", {
      type: "button", class: `mark ${dieClass(die, index)}`, "data-die": index, tabindex: "-1",
      label: t("Die %(n)s in the picture shows %(value)s. Correct it", { n: index + 1, value: die.value }),
    }, dieDrawing(die.value));
    lay(mark, die.box, at);
    return mark;
  });
  if (review.place) {
    const ghost = element("span", { class: "mark new" });
    lay(ghost, review.place, at);
    shown.push(ghost);
  }
  marks.replaceChildren(...shown);
  const zoomed = review.whole || shownPart()[2] < review.size[0];
  find("#zoom").hidden = !zoomed;
  find("#zoom").setAttribute("aria-label", review.whole ? t("Show the dice closer") : t("Show the whole picture"));
}

function drawPad() {
  const { task, dice, chosen, place } = review;
  const full = !task || dice.length >= task.expect;
  const label = chosen !== null ? t("Which face does the marked die show?")
    : place ? t("Which face does that die show?")
    : full ? t("Tap a die to correct it.")
    : dice.length || review.size ? t("Tap a face to add a die.") : t("Tap the faces that lie on the table.");
  find("#pad-label").textContent = label;
  const asked = chosen !== null && !dice[chosen].sure ? dice[chosen].value : 0;
  all("[data-face]", dialog).forEach((button) => {
    button.disabled = chosen === null && full;
    button.classList.toggle("likely", Number(button.dataset.face) === asked);
  });
  find("[data-review=remove]").disabled = chosen === null;
}

function drawConfirm() {
  const { task, dice, busy, sending } = review;
  const button = find("[data-review=confirm]");
  const lack = task ? task.expect - dice.length : 0;
  button.disabled = !task || busy || Boolean(sending) || lack !== 0;
  button.textContent = !task ? t("Nothing to enter any more")
    : sending ? t("Reading …") : busy ? t("One moment …")
    : lack > 0 ? tn("%(n)s die is missing", "%(n)s dice are missing", lack)
    : lack < 0 ? tn("%(n)s die too many: tap, then remove", "%(n)s dice too many: tap, then remove", -lack) : task.confirm(review.number);
}

function choose(index) {
  Object.assign(review, { chosen: index, place: null });
  drawReview();
}

function face(value) {
  const { task, dice, chosen } = review;
  if (chosen !== null) {
    Object.assign(dice[chosen], { value, sure: true, kept: false, confidence: undefined });
  } else if (task && dice.length < task.expect) {
    dice.push({ value, box: review.place, sure: true });
  } else return;
  review.place = null;
  askNext();
  if (dice.every((die) => die.sure) && task && dice.length === task.expect) say([]);
  drawReview();
}

function removeDie() {
  if (review.chosen === null) return;
  review.dice.splice(review.chosen, 1);
  if (find("#say").classList.contains("fine")) say([]);
  choose(null);
}

// A tap beside the dice says where one was missed.
function pointAt(event) {
  if (!review.size || !review.task || review.dice.length >= review.task.expect) return;
  const box = find("#stage").getBoundingClientRect();
  const { scale, left, top } = placedNow();
  const sizes = review.dice.filter((die) => die.box).map((die) => Math.max(die.box[2], die.box[3])).sort((a, b) => a - b);
  const size = sizes.length ? sizes[sizes.length >> 1] : 0.1 * Math.max(...review.size);
  const x = (event.clientX - box.left - left) / scale;
  const y = (event.clientY - box.top - top) / scale;
  Object.assign(review, { chosen: null, place: [x - size / 2, y - size / 2, size, size] });
  drawReview();
}

const across = ({ box }) => (box ? box[0] + box[2] / 2 : Number.MAX_VALUE); // one that has no place comes last

async function confirmDice() {
  const { task } = review;
  const dice = [...review.dice].sort((one, other) => across(one) - across(other));
  review.busy = true;
  drawConfirm();
  const values = dice.map((die) => die.value);
  const read = dice.filter((die) => die.confidence !== undefined).map((die) => die.confidence);
  const result = await task.use(values, {
    source: review.source,
    kept: keptNow(),
    ...(review.number ? { number: review.number } : {}),
    ...(read.length ? { confidence: Math.min(...read) } : {}),
    ...(dice.every((die) => die.ink) ? { inks: dice.map((die) => die.ink) } : {}),
  });
  review.busy = false;
  if (result.ok) {
    dialog.close();
    result.focus?.focus({ preventScroll: true });
    return;
  }
  if (result.task !== undefined) setTask(result.task);
  say([result.error], "wrong");
  drawReview();
}

dialog.addEventListener("click", (event) => {
  const die = event.target.closest("[data-die]");
  const pad = event.target.closest("[data-face]");
  const number = event.target.closest("[data-number]")?.dataset.number;
  const action = event.target.closest("[data-review]")?.dataset.review;
  if (die) choose(Number(die.dataset.die));
  else if (pad) face(Number(pad.dataset.face));
  else if (number) { review.number = Number(number); drawReview(); }
  else if (action === "close") dialog.close();
  else if (action === "remove") removeDie();
  else if (action === "confirm") confirmDice();
  else if (action === "retry") readPhoto(review.file);
  else if (action === "unkeep") { review.kept = []; review.dice.forEach((one) => { one.kept = false; }); drawReview(); }
  else if (event.target.closest("#zoom")) { review.whole = !review.whole; drawReview(); }
  else if (event.target.closest("#stage")) pointAt(event);
});
dialog.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-6]$/.test(event.key)) face(Number(event.key));
  else if (event.key === "Backspace" || event.key === "Delete") {
    if (review.chosen === null && review.dice.length) review.chosen = review.dice.length - 1;
    removeDie();
  } else return;
  event.preventDefault();
});
dialog.addEventListener("close", () => {
  if (review.sending) review.sending.stop();
  review.sending = null;
  showPicture(null);
});
find("#picture").addEventListener("load", drawMarks);
find("#picture").addEventListener("error", drawMarks);
window.addEventListener("resize", () => dialog.open && drawMarks());

/** A picture for the dialog; `next` gives the task if it is not open, or null. */
export function reviewPhoto(file, next) {
  if (!dialog.open) {
    const task = next();
    if (!task) return;
    openReview(task);
  }
  if (review.task) readPhoto(file);
}
