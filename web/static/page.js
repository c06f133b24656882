// What every part of the page uses: finding, drawing, talking to the server.

import { t } from "./words.js";

const API = "/api/v1";
const PATIENCE_MS = 15_000;
const PHOTO_PATIENCE_MS = 180_000;
const THERE_MS = 4000;
export const OFFLINE = t("The table's computer does not answer. Nothing that was entered is lost: try again in a moment.");

export const find = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// ---- Drawing

export function dieDrawing(value) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `die die-of-${value}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#die-${value}`);
  svg.append(use);
  return svg;
}

export function element(tag, { text, label, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (label !== undefined) made.setAttribute("aria-label", label);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A computer that has gone to sleep leaves a question open for minutes; the browser alone would wait as long. Gives
// {status, text}, or throws.
export async function fetchInTime(address, options = {}, patience = PATIENCE_MS) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  try {
    const answer = await fetch(address, { ...options, signal: late.signal });
    return { status: answer.status, text: await answer.text() };
  } finally {
    clearTimeout(timer);
  }
}

// Whether the table's computer answers at all: one that has much to do is slow, but there. A HEAD is never answered by
// the service worker.
export async function isThere() {
  try {
    await fetchInTime("/static/icon.svg", { method: "HEAD", cache: "no-store" }, THERE_MS);
    return true;
  } catch {
    return false;
  }
}

// ---- Talking to the server: always an answer {ok, status, data, error}, never an exception

export const send = (path, body) => sendJson(path, JSON.stringify(body));

// `json` is a text, or a file that holds it.
export function sendJson(path, json, patience) {
  return answerTo(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Dicescribe": "1" }, body: json }, patience);
}

export async function answerTo(path, options, patience) {
  try {
    const { status, text } = await fetchInTime(API + path, options, patience);
    return understood(status, text);
  } catch {
    return unanswered();
  }
}

export const unanswered = (error = OFFLINE) => ({ ok: false, status: 0, data: {}, error });

function understood(status, text) {
  let data = {};
  let ours = true;
  try { data = JSON.parse(text); } catch { ours = false; /* from something in between: said below */ }
  const ok = ours && status >= 200 && status < 300;
  return { ok, status, data, error: ok ? "" : data.error || t("The table's computer answered with an error (%(status)s). Try again.", { status }) };
}

// A photo goes with XMLHttpRequest: fetch can't say how much has been sent.
export function upload(file, expect, onSent) {
  const request = new XMLHttpRequest();
  const answer = new Promise((resolve) => {
    request.open("POST", `${API}/read?expect=${expect}`);
    request.setRequestHeader("X-Dicescribe", "1");
    request.upload.onprogress = (event) => event.lengthComputable && onSent(event.loaded / event.total);
    request.onload = () => resolve(understood(request.status, request.responseText));
    request.onerror = () => resolve(unanswered());
    request.timeout = PHOTO_PATIENCE_MS;
    request.ontimeout = request.onerror;
    request.onabort = () => resolve(null);
    const form = new FormData();
    form.append("photo", file, file.name || "photo");
    request.send(form);
  });
  return { answer, stop: () => request.abort() };
}
