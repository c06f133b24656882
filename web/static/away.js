// Shown in place of a page while the table's computer is away: once it is back, so is the page.

import { isThere } from "./page.js";

const LOOK_MS = 3000;

async function look() {
  if (await isThere()) location.reload();
  else setTimeout(look, LOOK_MS);
}

setTimeout(look, LOOK_MS);
