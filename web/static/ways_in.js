// How dice get onto the page: file inputs, dropped pictures, by hand. The page says by `onDice` what they are for.

import { enterByHand, reviewPhoto } from "./review.js";

let nextTask = () => null;

/** `task` gives what dice would be for at the moment, or null. */
export function onDice(task) {
  nextTask = task;
}

document.addEventListener("change", (event) => {
  const input = event.target.closest("[data-photo]");
  if (!input || !input.files.length) return;
  const [file] = input.files;
  input.value = "";
  reviewPhoto(file, nextTask);
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-by-hand]")) return;
  const task = nextTask();
  if (task) enterByHand(task);
});
document.addEventListener("dragover", (event) => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files.length) reviewPhoto(event.dataTransfer.files[0], nextTask);
});
