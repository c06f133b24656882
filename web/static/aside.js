// Back and Escape close the dialog of the dice. Back does not leave the page, and what was entered can be gone on with.

import { dieDrawing, element, find } from "./page.js";

// `values` gives the dice entered so far, or null where there is nothing to go on with; `goOn` opens the dialog again.
// Gives what is to be called whenever the dialog opens.
export function keepAside(dialog, values, goOn) {
  const bar = find("#aside");

  function putAside() {
    const dice = values();
    if (!dice) return;
    find("#aside-dice").replaceChildren(...dice.map(dieDrawing), element("span", { class: "unseen", text: dice.join(", ") }));
    bar.hidden = false;
  }

  dialog.addEventListener("cancel", putAside); // Escape, and Back on some phones
  window.addEventListener("popstate", () => {
    if (!dialog.open) return;
    putAside();
    dialog.close();
  });
  bar.addEventListener("click", (event) => {
    const { aside } = event.target.closest("[data-aside]")?.dataset || {};
    if (!aside) return;
    bar.hidden = true;
    if (aside === "on") goOn();
  });

  return () => {
    bar.hidden = true;
    if (!history.state?.review) history.pushState({ review: true }, "");
  };
}
