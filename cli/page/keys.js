// The keys, their effects and their words in the help.

/**
 * A line of the help: the keys as they are shown, their effect, and the keys by the browser's names with the
 * function that each calls. `buttons` do the same as a key, and show it in their titles.
 * @typedef {{ shown: string, help: string, keys: Record<string, () => void>, buttons?: Record<string, string> }} KeyLine
 *
 * @param {Player} player
 * @param {Controls} controls
 * @returns {KeyLine[]}
 */
const keyTable = (player, controls) => [
  { shown: "space", help: "play and pause", keys: { " ": () => player.togglePlaying() }, buttons: { play: "space" } },
  { shown: "→ l .", help: "next turn", keys: same("ArrowRight l .", () => player.step(1)), buttons: { next: "→" } },
  { shown: "← h ,", help: "back a turn", keys: same("ArrowLeft h ,", () => player.step(-1)), buttons: { back: "←" } },
  {
    shown: "Shift → ←",
    help: "ten turns",
    keys: { "Shift+ArrowRight": () => player.step(10), "Shift+ArrowLeft": () => player.step(-10) },
  },
  {
    shown: "g Home, G End",
    help: "the start, the end",
    keys: { ...same("g Home", () => player.seekTenth(0)), ...same("G End", () => player.seekTenth(10)) },
    buttons: { "to-start": "g", "to-end": "G" },
  },
  {
    shown: "0 to 9",
    help: "tenths of the game",
    keys: Object.fromEntries([..."0123456789"].map((tenth) => [tenth, () => player.seekTenth(Number(tenth))])),
  },
  {
    shown: "[ ]",
    help: "previous, next moment that matters",
    keys: { "[": () => player.seekMoment(-1), "]": () => player.seekMoment(1) },
    buttons: { "earlier-moment": "[", "later-moment": "]" },
  },
  {
    shown: "+ − Backspace",
    help: "faster, slower, the normal speed",
    keys: {
      ...same("+ =", () => controls.changeSpeed(1)),
      ...same("- −", () => controls.changeSpeed(-1)),
      Backspace: () => controls.setSpeed(1),
    },
  },
  { shown: ":", help: "a turn’s number", keys: { ":": () => controls.askForTurn() } },
  {
    shown: "f w ?",
    help: "flip the board, show or hide the chances, these keys",
    keys: { f: () => controls.flip(), w: () => player.toggleChances(), "?": () => controls.showKeys() },
    buttons: { flip: "f", help: "?" },
  },
  { shown: "r", help: "show or hide the result", keys: { r: () => controls.toggleResult() } },
  {
    shown: "z Z",
    help: "a board of 15 × 15 or more: nearer, farther",
    keys: { z: () => player.zoom(1.5), Z: () => player.zoom(1 / 1.5) },
  },
  {
    shown: "m s F",
    help: "sound, share, full screen",
    keys: { m: () => controls.toggleSound(), s: () => controls.share(), F: () => controls.toggleFullScreen() },
    buttons: { sound: "m", share: "s", full: "F" },
  },
  { shown: "q Esc", help: "pause", keys: same("q Escape", () => player.isPlaying && player.pause()) },
];

/** Keys, with blanks between them, that call the same function. @param {string} keys @param {() => void} press */
const same = (keys, press) => Object.fromEntries(keys.split(" ").map((key) => [key, press]));

/** A key that is pressed anywhere on a page goes to the player that was used last. */
class Keys {
  #root;
  #player;
  #controls;
  #dialog;
  #field;
  #list;
  #single;
  /** The function of a key. @type {Record<string, () => void>} */
  #press = {};
  /** The key of a button, by its class. @type {Record<string, string>} */
  #hints = {};

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   * @param {Controls} controls
   */
  constructor(root, player, controls) {
    this.#root = root;
    this.#player = player;
    this.#controls = controls;
    this.#dialog = partAs(root, "keys", HTMLDialogElement);
    this.#field = partAs(root, "turn-number", HTMLInputElement);
    this.#list = part(root, "turn-list");
    this.#single = partAs(root, "single-keys", HTMLInputElement);
    const table = keyTable(player, controls);
    for (const { keys, buttons } of table) {
      Object.assign(this.#press, keys);
      Object.assign(this.#hints, buttons);
    }
    part(root, "key-rows").replaceChildren(...table.map(helpRow));
    root.addEventListener("pointerdown", () => this.#take());
    root.addEventListener("focusin", () => this.#take());
    if (!Keys.#holder) this.#take();
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** The player that gets the keys. A class on its root marks it, since players know nothing of one another. */
  static get #holder() {
    return document.querySelector(".snl.has-keys");
  }

  #take() {
    Keys.#holder?.classList.remove("has-keys");
    this.#root.classList.add("has-keys");
  }

  /**
   * The key with a button's effect, as the button's title shows it.
   * @param {Element} button
   * @returns {string | undefined}
   */
  hintOf(button) {
    return this.#hints[button.classList[0]];
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { target } = event;
    if (Keys.#holder !== this.#root || !(target instanceof HTMLElement || target instanceof SVGElement)) return;
    if (target !== document.body && !this.#root.contains(target)) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (this.#dialog.open && event.key === "?") this.#dialog.close();
    else if (!this.#controls.dialog) this.#pressedOnPage(event, target);
  }

  /** @param {KeyboardEvent} event @param {HTMLElement | SVGElement} target */
  #pressedOnPage(event, target) {
    if (event.key.length === 1 && !this.#single.checked) return;
    if (target === this.#field && this.#leavesField(event.key)) return;
    const press = this.#rowKey(event.key, target) ?? (belongsTo(target, event.key) ? null : this.#keyOf(event));
    if (!press) return;
    event.preventDefault();
    press();
  }

  /** @param {KeyboardEvent} event */
  #keyOf({ key, shiftKey }) {
    const shifted = `Shift+${key}`;
    const name = shiftKey && Object.hasOwn(this.#press, shifted) ? shifted : key;
    return Object.hasOwn(this.#press, name) ? this.#press[name] : null;
  }

  /**
   * In the list of turns, up and down go from row to row.
   * @param {string} key
   * @param {Node} target
   */
  #rowKey(key, target) {
    const rows = { ArrowUp: -1, ArrowDown: 1 }[key];
    return rows && this.#list.contains(target) ? () => this.#player.seek(this.#player.index + rows) : null;
  }

  /**
   * Enter takes the number, Escape leaves it as it was; then keys work again.
   * @param {string} key
   */
  #leavesField(key) {
    if (key !== "Enter" && key !== "Escape") return false;
    if (key === "Escape") this.#player.showNumber();
    this.#field.blur();
    return true;
  }
}

/** @param {KeyLine} line */
function helpRow({ shown, help }) {
  const head = make("th", "", ...shown.split(" ").flatMap(shownKey).slice(1));
  head.scope = "row";
  return make("tr", "", head, make("td", "", help));
}

/**
 * A key, or the word between two. A comma that follows isn't part of the key.
 * @param {string} word
 */
function shownKey(word) {
  if (word === "to") return [" ", word];
  const name = word.length > 1 && word.endsWith(",") ? word.slice(0, -1) : word;
  return [" ", make("kbd", "", name), word.slice(name.length)];
}

/**
 * Whether a key belongs to the focused element. Tab never leads to a row of the list.
 * @param {HTMLElement | SVGElement} element
 * @param {string} key
 */
function belongsTo(element, key) {
  if (element === document.body) return false;
  if (element.closest("dialog:not([open])")) return false; // it has the focus until the next frame
  if (element.tabIndex < 0) return key === "Enter";
  if (element.matches("[type=number], [type=text]")) return true;
  if (element.matches("select")) return key !== "ArrowLeft" && key !== "ArrowRight"; // up and down choose
  if (element.matches("a, button, summary, input:not([type=range])")) return key === " " || key === "Enter";
  return false;
}
