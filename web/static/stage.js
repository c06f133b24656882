// Where a picture lies on the stage of the review, and what lies on the picture. Boxes are [x, y, width, height].

const NEAR = 2.4; // sides of a die that is asked for
const ROOM = 0.7; // about the dice, in sides of the largest

/**
 * The part of the picture that is shown, in its pixels: a die that is asked for, the dice if at least `expected` of them
 * have a place, or all of it.
 */
export function view({ size: [width, height], dice, chosen, whole }, expected) {
  const asked = dice[chosen];
  if (asked?.box && !asked.sure && !whole) return near(asked.box, width, height);
  const boxes = dice.filter((die) => die.box).map((die) => die.box);
  if (whole || boxes.length < expected || !boxes.length) return [0, 0, width, height];
  const room = ROOM * Math.max(...boxes.map(([, , w, h]) => Math.max(w, h)));
  const left = Math.max(0, Math.min(...boxes.map(([x]) => x)) - room);
  const top = Math.max(0, Math.min(...boxes.map(([, y]) => y)) - room);
  const right = Math.min(width, Math.max(...boxes.map(([x, , w]) => x + w)) + room);
  const bottom = Math.min(height, Math.max(...boxes.map(([, y, , h]) => y + h)) + room);
  return [left, top, right - left, bottom - top];
}

// A die in doubt, with so much around it that it can be told from the others.
function near([x, y, w, h], width, height) {
  const side = Math.min(NEAR * Math.max(w, h), width, height);
  const from = (middle, most) => Math.min(Math.max(0, middle - side / 2), most - side);
  return [from(x + w / 2, width), from(y + h / 2, height), side, side];
}

/** How a part of the picture comes to lie in the middle of the stage, as large as it can be. */
export function placement([x, y, width, height], stage) {
  const scale = Math.min(stage.clientWidth / width, stage.clientHeight / height);
  return { scale, left: (stage.clientWidth - width * scale) / 2 - x * scale, top: (stage.clientHeight - height * scale) / 2 - y * scale };
}

/** Lay what covers this box of the picture where that has come to lie. */
export function lay(node, [x, y, width, height], { scale, left, top }) {
  node.style.left = `${left + x * scale}px`;
  node.style.top = `${top + y * scale}px`;
  node.style.width = `${width * scale}px`;
  node.style.height = `${height * scale}px`;
}
