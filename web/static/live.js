// The live table: a camera watches the dice, this device's own or that of the table's computer. What is read lands on
// the sheet by itself; here it is shown, and corrected.

import { answerFace, answerRight, forget, say, show } from "./live_show.js";
import { answerTo, find, send } from "./page.js";
import { reviewReading } from "./review.js";
import { t } from "./words.js";

const WIDEST = 1280; // pixels of a picture that is sent
const QUALITY = 0.8;
const MOVING_MS = 66; // between two pictures that are sent
const RESTING_MS = 150;
const LOOK_MS = 250; // between two looks at the computer's camera
const AGAIN_MS = 1000; // after something went wrong
const MOVING = ["starting", "rolling", "hand", "reading"];

const WHY_NOT = {
  NotAllowedError: t("The camera may not be used: allow it for this page in the browser's settings, then try again."),
  NotFoundError: t("No camera was found on this device."),
  OverconstrainedError: t("No camera was found on this device."),
  NotReadableError: t("The camera is busy: close what else uses it, then try again."),
  AbortError: t("The camera is busy: close what else uses it, then try again."),
};
const INSECURE = t("This device's own camera needs https: on the computer, stop dicescribe and start it with dicescribe serve --https. Photos work without.");

const panel = find("#watch");
const video = find("#watch-video");
const still = find("#watch-still");
const me = Math.random().toString(36).slice(2); // by which the table's computer knows this page
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

// `game` is what the sheet gives: {path, seq(), refresh(), hint(words)}.
export function setUpLive(game) {
  const path = `${game.path}/live`;
  const openName = `watching ${game.path}`;
  let source = null; // "browser": this device's camera; "server": the table's; "look": only to look at what is followed
  let run = 0; // counts what was begun; a loop whose number it no longer is ends
  let stream = null;
  let awake = null; // keeps the screen of the device with the camera from going dark
  let seen = null; // the newest answer
  let picture = 0; // the number of the still that is shown

  // ---- Beginning and ending

  async function open() {
    reveal();
    find("#watch-title").focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
    await look();
  }

  // On a page that is loaded anew it stays open, with the camera that it had.
  function reveal() {
    panel.hidden = false;
    document.body.classList.add("watching");
    sessionStorage.setItem(openName, source || "");
  }

  async function look(own) {
    const answer = await get();
    if (panel.hidden) return;
    if (!answer.ok) choose({}, answer.error);
    else if (answer.data.on) begin("look");
    else if (own) begin("browser");
    else choose(answer.data, answer.data.other);
  }

  const here = () => Boolean(navigator.mediaDevices?.getUserMedia);

  // Which camera: asked only where there are two.
  function choose({ available }, note) {
    halt();
    say(note);
    find("#watch-table").hidden = true;
    if (!note && here() !== Boolean(available)) {
      const only = here() ? "browser" : "server";
      if (only === "browser" || isSecureContext) {
        begin(only);
        return;
      }
    }
    find("#watch-choice").hidden = false;
    find("[data-watch=browser]").hidden = !here();
    find("[data-watch=server]").hidden = !available;
    find("[data-watch=browser]").classList.toggle("primary", !available);
    find("#watch-why").textContent = here() ? (available ? t("Which camera looks at the dice?") : "")
      : isSecureContext ? t("This browser gives no live camera. Photos work without.") : INSECURE;
  }

  async function begin(which) {
    halt();
    say("");
    const mine = run;
    find("#watch-choice").hidden = true;
    if (which === "browser" && !(await openCamera(mine))) return;
    const answer = which === "look" ? await get() : await send(path, { on: true, source: which, by: me });
    if (mine !== run) return;
    if (!answer.ok) {
      chooseAgain(answer.error);
      return;
    }
    source = which;
    sessionStorage.setItem(openName, which);
    find("#watch-table").hidden = false;
    video.hidden = which !== "browser";
    still.hidden = true;
    shown(answer.data);
    if (which === "browser") sendPictures(mine);
    else lookOn(mine);
  }

  async function openCamera(mine) {
    try {
      const opened = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } },
      });
      if (mine !== run) {
        opened.getTracks().forEach((track) => track.stop());
        return false;
      }
      stream = opened;
    } catch (problem) {
      if (mine === run) await chooseAgain(WHY_NOT[problem.name] || t("The camera can't be used on this device."));
      return false;
    }
    stream.getVideoTracks()[0].addEventListener("ended", () => {
      if (mine === run) chooseAgain(t("The camera was taken away. Choose it again to go on."));
    });
    navigator.wakeLock?.request("screen").then((lock) => {
      if (mine === run) awake = lock;
      else lock.release();
    }, () => {}); // on a battery that is low it may not be had
    video.srcObject = stream;
    await video.play().catch(() => {}); // it says by its size whether it plays
    return mine === run;
  }

  async function chooseAgain(note) {
    halt();
    const answer = await get();
    if (!panel.hidden) choose(answer.data, note);
  }

  // Ends what runs; the camera's light goes out.
  function halt() {
    run += 1;
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    awake?.release();
    awake = null;
    video.srcObject = null;
  }

  function close() {
    const was = source;
    halt();
    source = null;
    seen = null;
    forget();
    panel.hidden = true;
    document.body.classList.remove("watching");
    sessionStorage.removeItem(openName);
    return was;
  }

  async function stop() {
    const was = close();
    find("[data-follow]")?.focus({ preventScroll: true });
    const answer = await send(path, { on: false, by: was === "browser" ? me : "" });
    if (!answer.ok) game.hint(answer.error);
  }

  // ---- The two loops

  async function sendPictures(mine) {
    const canvas = document.createElement("canvas");
    let trouble = "";
    while (mine === run) {
      const began = performance.now();
      const blob = await grab(canvas);
      if (mine !== run) return;
      if (!blob) {
        await pause(MOVING_MS);
        continue;
      }
      const answer = await post(blob, performance.timeOrigin + began);
      if (mine !== run) return;
      trouble = tellTrouble(trouble, answer);
      if (trouble) {
        await pause(AGAIN_MS);
        continue;
      }
      const { on, by, other } = answer.data;
      if (!on && other) return void choose(answer.data, other);
      if (!on) return void begin("browser"); // the table's computer was started anew
      if (by !== me) {
        begin("look").then(() => say(t("Another camera is followed now. This is what it sees.")));
        return;
      }
      shown(answer.data);
      await pause((MOVING.includes(answer.data.state) ? MOVING_MS : RESTING_MS) - (performance.now() - began));
    }
  }

  // Says what has gone wrong, and hides it when it is over.
  function tellTrouble(before, answer) {
    const now = answer.ok ? "" : answer.error;
    if (now !== before) say(now);
    return now;
  }

  async function grab(canvas) {
    const { videoWidth: width, videoHeight: height } = video;
    if (!width || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
    const scale = Math.min(1, WIDEST / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", QUALITY); });
  }

  const post = (blob, taken) => answerTo(`${path}/frames?t=${taken.toFixed(1)}&by=${me}`, {
    method: "POST", headers: { "Content-Type": "image/jpeg", "X-Dicescribe": "1" }, body: blob,
  });
  const get = () => answerTo(path);

  async function lookOn(mine) {
    let trouble = "";
    while (mine === run) {
      const began = performance.now();
      const [answer] = await Promise.all([get(), fetchStill(mine)]);
      if (mine !== run) return;
      trouble = tellTrouble(trouble, answer);
      if (trouble) {
        await pause(AGAIN_MS);
        continue;
      }
      if (!answer.data.on) return void choose(answer.data, answer.data.other || t("The dice are not followed any more."));
      shown(answer.data);
      await pause(LOOK_MS - (performance.now() - began));
    }
  }

  async function fetchStill(mine) {
    try {
      const answer = await fetch(`/api/v1${path}/picture?after=${picture}`);
      if (answer.status !== 200) return;
      const blob = await answer.blob();
      if (mine !== run) return;
      picture = Number(answer.headers.get("X-Picture"));
      const old = still.src;
      still.src = URL.createObjectURL(blob);
      still.hidden = false;
      if (old) URL.revokeObjectURL(old);
    } catch {
      // said by the other question, which goes with it
    }
  }

  // ---- Showing

  function shown(data) {
    seen = data;
    show(data);
    if (data.seq > game.seq()) refresh();
  }

  let refreshing = false;
  async function refresh() {
    if (refreshing) return;
    refreshing = true;
    await game.refresh();
    refreshing = false;
  }

  async function settle(n, dice) {
    const answer = await tell("/dice", { n, dice });
    if (!answer.ok) forget();
    return answer;
  }

  // ---- Buttons

  async function tell(what, body = {}) {
    const answer = await send(path + what, body);
    if (answer.ok) {
      if (source) shown(answer.data);
      await game.refresh();
    } else {
      game.hint(answer.error);
    }
    return answer;
  }

  async function fix() {
    const roll = seen?.pending || seen?.roll;
    if (!roll) return;
    let file = null;
    try {
      const answer = await fetch(`/api/v1${path}/picture?roll=${roll.n}`);
      if (answer.ok) file = await answer.blob();
    } catch {
      // it goes without the picture as well
    }
    const task = {
      title: t("Roll %(n)s", { n: roll.roll }),
      confirm: () => t("These are the dice"),
      numbers: [],
      expect: 5,
      kept: [],
      inks: false,
      use: (dice) => settle(roll.n, dice),
    };
    reviewReading(task, file, { ...roll, width: seen.width, height: seen.height, other: 0 });
  }

  panel.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { watch, watchFace } = button.dataset;
    const answered = watchFace ? answerFace(Number(watchFace)) : watch === "right" ? answerRight() : null;
    if (answered) settle(answered.n, answered.values);
    else if (watch === "browser" || watch === "server") begin(watch);
    else if (watch === "fix" || watch === "enter") fix();
    else if (watch === "again" || watch === "not-a-roll") tell(`/${watch}`);
    // The table's camera may be looked at from several devices: closing the picture on one does not stop it.
    else if (watch === "stop" || (watch === "close" && source === "browser")) stop();
    else if (watch === "close") close();
  });
  document.addEventListener("click", (event) => event.target.closest("[data-follow]") && open());

  // A page that nobody looks at holds no camera. It goes on when it is looked at again.
  document.addEventListener("visibilitychange", () => {
    if (panel.hidden || !source) return;
    if (document.hidden) halt();
    else begin(source);
  });
  window.addEventListener("pagehide", () => {
    if (source === "browser") {
      fetch(`/api/v1${path}`, {
        method: "POST", keepalive: true, headers: { "Content-Type": "application/json", "X-Dicescribe": "1" }, body: JSON.stringify({ on: false, by: me }),
      }).catch(() => {});
    }
    halt();
  });
  window.addEventListener("pageshow", (event) => event.persisted && source && !panel.hidden && begin(source));

  const before = sessionStorage.getItem(openName);
  if (before !== null) {
    reveal();
    look(before === "browser");
  }
}
