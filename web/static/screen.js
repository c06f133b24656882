// The big screen: shows the game as it is now, and is looked at from across the room.

import { keepFresh } from "./fresh.js";
import { find } from "./page.js";

const live = find("#live");
const { session } = live.dataset;

keepFresh({
  session,
  path: `/sessions/${session}`,
  part: "screen/board",
  facts: () => find("#sheet", live).dataset,
  busy: () => false,
  changed: () => {},
  back: () => {},
  put: (html) => { live.innerHTML = html; },
});

// A laptop that nobody touches would go dark in the middle of the game.
async function stayAwake() {
  if (document.hidden) return;
  await navigator.wakeLock?.request("screen").catch(() => {}); // on a battery that is low it may not be had
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
