// The keys: what each does, and what is said of it.

/**
 * A line of the help for each: the keys as they are shown, what they do, and the keys as the browser
 * names them with what each calls. `buttons` do the same as a key; it is shown in their titles.
 */
const keyTable = (player, controls) => [
  {
    shown: "space",
    help: "play and pause",
    keys: { " ": () => player.togglePlaying() },
    buttons: { play: "space" },
  },
  {
    shown: "→ l .",
    help: "next turn",
    keys: { ArrowRight: () => player.step(1), l: () => player.step(1), ".": () => player.step(1) },
    buttons: { next: "→" },
  },
  {
    shown: "← h ,",
    help: "back a turn",
    keys: { ArrowLeft: () => player.step(-1), h: () => player.step(-1), ",": () => player.step(-1) },
    buttons: { back: "←" },
  },
  {
    shown: "Shift → ←",
    help: "ten turns",
    keys: { "Shift+ArrowRight": () => player.step(10), "Shift+ArrowLeft": () => player.step(-10) },
  },
  {
    shown: "g Home, G End",
    help: "the start, the end",
    keys: {
      g: () => player.seekTenth(0),
      Home: () => player.seekTenth(0),
      G: () => player.seekTenth(10),
      End: () => player.seekTenth(10),
    },
    buttons: { first: "g", last: "G" },
  },
  {
    shown: "0 to 9",
    help: "tenths of the game",
    keys: Object.fromEntries([..."0123456789"].map((tenth) => [tenth, () => player.seekTenth(Number(tenth))])),
  },
  {
    shown: "[ ]",
    help: "previous, next moment that matters: a snake, a ladder, a change of lead, three sixes, turns taken back, the win",
    keys: { "[": () => player.seekMoment(-1), "]": () => player.seekMoment(1) },
    buttons: { "earlier-moment": "[", "later-moment": "]" },
  },
  {
    shown: "+ − Backspace",
    help: "faster, slower, the normal speed",
    keys: {
      "+": () => controls.changeSpeed(1),
      "=": () => controls.changeSpeed(1),
      "-": () => controls.changeSpeed(-1),
      "−": () => controls.changeSpeed(-1),
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
  {
    shown: "q Esc",
    help: "pause",
    keys: { q: () => player.isPlaying && player.pause(), Escape: () => player.isPlaying && player.pause() },
  },
];

class Keys {
  #player;
  #press = {}; // what a key calls
  #hints = {}; // the key of a button

  constructor(player, controls) {
    this.#player = player;
    const table = keyTable(player, controls);
    for (const { keys, buttons } of table) {
      Object.assign(this.#press, keys);
      Object.assign(this.#hints, buttons);
    }
    byId("key-rows").replaceChildren(...table.map(Keys.#helpRow));
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** The key that does what a button does, as it is shown in its title. */
  hintOf(button) {
    return this.#hints[button];
  }

  static #helpRow({ shown, help }) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.append(...shown.split(" ").flatMap(Keys.#shownKey).slice(1));
    const words = document.createElement("td");
    words.textContent = help;
    row.append(head, words);
    return row;
  }

  /** A key, or the word between two. A comma may follow it, which isn't on it. */
  static #shownKey(word) {
    if (word === "to") return [" ", word];
    const [, name, comma] = /^(.+?)(,?)$/.exec(word);
    const key = document.createElement("kbd");
    key.textContent = name;
    return [" ", key, comma];
  }

  #pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (byId("keys").open) {
      if (event.key === "?") byId("keys").close();
      return;
    }
    if (event.key.length === 1 && !byId("single-keys").checked) return;
    if (event.target === byId("turn") && leaveField(event, this.#player)) return;
    const press = this.#rowKey(event) ?? (belongsTo(event.target, event.key) ? null : this.#keyOf(event));
    if (!press) return;
    event.preventDefault();
    press();
  }

  #keyOf({ key, shiftKey }) {
    const shifted = `Shift+${key}`;
    const name = shiftKey && Object.hasOwn(this.#press, shifted) ? shifted : key;
    return Object.hasOwn(this.#press, name) ? this.#press[name] : null;
  }

  /** In the list of turns, up and down go from row to row. */
  #rowKey({ key, target }) {
    const rows = { ArrowUp: -1, ArrowDown: 1 }[key];
    return rows && byId("turns").contains(target) ? () => this.#player.seek(this.#player.index + rows) : null;
  }
}

/** Enter takes the number, Escape leaves it as it was; then keys work again. */
function leaveField({ key, target }, player) {
  if (key !== "Enter" && key !== "Escape") return false;
  if (key === "Escape") player.showNumber();
  target.blur();
  return true;
}

/** Whether a key is the focused element's own business. A row of the list is none that Tab leads to. */
function belongsTo(element, key) {
  if (element.tabIndex < 0) return key === "Enter";
  if (element === byId("turn")) return true;
  if (element.matches("select")) return key !== "ArrowLeft" && key !== "ArrowRight"; // up and down choose
  if (element.matches("button, summary, input:not([type=range])")) return key === " " || key === "Enter";
  return false;
}
