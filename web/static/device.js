// What this device has chosen: light or dark, larger type. Kept in cookies, by which the server renders the next page;
// here it takes effect at once. Whatever else hangs on a choice hears the event "chosen" of the document.

import { all, find } from "./page.js";

const YEAR = 365 * 24 * 3600;
const SCHEMES = { system: "light dark", light: "light", dark: "dark" };
const DARK_WHEN = { system: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };

export function remember(name, value) {
  document.cookie = `dicescribe_${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}

const effects = {
  theme(value) {
    find("meta[name=color-scheme]").content = SCHEMES[value];
    find("#dark-colours").media = DARK_WHEN[value];
    // The colours are those of the sheet as soon as it holds.
    requestAnimationFrame(colourBar);
  },
  type(value) {
    document.documentElement.classList.toggle("large", value === "large");
  },
};

// The browser's own bar takes the colour of the table.
function colourBar() {
  const table = getComputedStyle(document.documentElement).getPropertyValue("--table").trim();
  all("meta[name=theme-color]").forEach((meta) => { meta.content = table; });
}

document.addEventListener("change", (event) => {
  const choice = event.target.closest("[data-choice]");
  if (!choice) return;
  const { choice: name } = choice.dataset;
  const value = choice.type === "checkbox" && !choice.checked ? "off" : choice.value;
  remember(name, value);
  effects[name]?.(value);
  document.dispatchEvent(new CustomEvent("chosen", { detail: { name, value } }));
});

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", colourBar);
colourBar();
