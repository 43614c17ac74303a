// Elements of a page, found and made. Each search stays within one player's root, so a page may have several
// players.

/**
 * The element of a class within a root. A page without it is broken.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} name
 * @param {new () => T} type
 * @returns {T}
 */
function partAs(root, name, type) {
  const element = root.querySelector(`.${name}`);
  if (!(element instanceof type)) throw new Error(`the page lacks .${name}`);
  return element;
}

/**
 * @param {ParentNode} root
 * @param {string} name
 */
const part = (root, name) => partAs(root, name, HTMLElement);

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} className
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(name, className, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
function svgElement(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Gives each element that is referred to within a root an ID that no other root on the page has.
 * @param {HTMLElement} root
 */
function makeIdsUnique(root) {
  const nth = [...document.querySelectorAll(".snl")].indexOf(root);
  if (nth < 1) return;
  for (const element of root.querySelectorAll("[id]")) {
    for (const use of root.querySelectorAll(`[href="#${element.id}"]`)) use.setAttribute("href", `#${element.id}-${nth}`);
    element.id += `-${nth}`;
  }
}

/**
 * A player's name. A long one is cut short, with the whole in its title.
 * @param {Game} game
 * @param {number} seat
 */
function nameElement(game, seat) {
  const element = make("bdi", "", game.players[seat]);
  if (game.cutShort.includes(seat)) element.title = game.players[seat];
  return element;
}

/** @param {(Node | string)[]} nodes */
const textOf = (nodes) => nodes.map((node) => (typeof node === "string" ? node : node.textContent)).join("");

const wantsNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
