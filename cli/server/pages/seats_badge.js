// The sign of a seat.

/** A piece as the board has it. @param {number} seat */
function badgeOf(seat) {
  const number = svgElement("text", { x: 12, y: 16.5 }, String(seat + 1));
  const form = { class: `badge p${seat}`, viewBox: "0 0 24 24", "aria-hidden": "true" };
  return svgElement("svg", form, svgElement("circle", { cx: 12, cy: 12, r: 11 }), number);
}
