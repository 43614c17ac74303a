// The dice of a turn as pictures.

// The spots of 1 to 6, on the nine places of a die, row after row.
const pips = ["000010000", "100000001", "100010001", "101000101", "101010101", "101101101"];

/**
 * A die as it is shown: its number, or 0 while that isn't known.
 * @typedef {{ value: number, tumbling: boolean }} Die
 */

/**
 * A die with more than six faces shows its number.
 * @param {Die} die
 */
function drawDie({ value, tumbling }) {
  const die = svgElement("svg", { viewBox: "0 0 48 48", class: tumbling ? "die tumbling" : "die" });
  die.append(svgElement("rect", { x: 2, y: 2, width: 44, height: 44, rx: 9 }));
  if (value > 6) {
    die.append(svgElement("text", { x: 24, y: 31 }, String(value)));
    return die;
  }
  [...(pips[value - 1] ?? "")].forEach((pip, i) => {
    if (pip === "1")
      die.append(svgElement("circle", { cx: 12 + 12 * (i % 3), cy: 12 + 12 * Math.floor(i / 3), r: 4.4 }));
  });
  return die;
}

class Dice {
  #place;
  #shown = "";

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#place = part(root, "dice");
  }

  /** @param {Die[]} dice */
  show(dice) {
    const key = JSON.stringify(dice);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#place.replaceChildren(...dice.map(drawDie));
  }
}
