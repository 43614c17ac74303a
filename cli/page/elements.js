// Elements of the page, found and made.

const svgNamespace = "http://www.w3.org/2000/svg";

function svgElement(name, attributes = {}) {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const byId = (id) => document.getElementById(id);

/** A player's name; of a long one that is cut short, the whole is in its title. */
function nameElement(game, seat) {
  const element = document.createElement("bdi");
  element.textContent = game.players[seat];
  if (game.cutShort.includes(seat)) element.title = game.players[seat];
  return element;
}

const textOf = (nodes) => nodes.map((node) => node.textContent ?? node).join("");

const noMotion = matchMedia("(prefers-reduced-motion: reduce)");
