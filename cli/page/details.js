// Details of the thing that you point at, focus or tap: a snake, a ladder, a power, a piece, a line of the graph or a
// turn. A line over the board describes it, and all other drawings are dimmed. Tab enters the board at one of
// its pieces, snakes, ladders and powers, and arrows go from one to the next.

class Details {
  #game;
  #player;
  #root;
  #picture;
  #words;
  /** @type {Element[]} */
  #lit = [];
  /** The elements of the board that can have the focus: pieces, then snakes, ladders and powers from the first cell on. @type {SVGElement[]} */
  #stops;

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   * @param {Player} player
   */
  constructor(root, game, player) {
    this.#root = root;
    this.#game = game;
    this.#player = player;
    this.#picture = partAs(root, "picture", SVGSVGElement);
    this.#words = part(root, "detail");
    for (const event of ["pointerover", "focusin", "click"]) root.addEventListener(event, ({ target }) => this.#show(target));
    root.addEventListener("focusin", ({ target }) => { // a listener on the picture would make it a stop of Tab
      if (target instanceof SVGElement && this.#stops.includes(target)) this.#stopAt(target);
    });
    root.addEventListener("pointerleave", () => this.#show(null));
    this.#stops = [...this.#picture.querySelectorAll(".piece, .snake, .ladder, .power")].filter((stop) => stop instanceof SVGElement);
    this.#stops.sort((a, b) => startOf(a) - startOf(b));
    this.#picture.setAttribute("role", "group");
    for (const stop of this.#stops) {
      stop.setAttribute("role", "img");
      stop.setAttribute("tabindex", stop === this.#stops[0] ? "0" : "-1");
    }
    this.#picture.addEventListener("keydown", (event) => this.#go(event));
  }

  /** Brings the words about pieces and about the details up to date, at another position. */
  refresh() {
    for (const stop of this.#stops) stop.setAttribute("aria-label", this.#describe(stop, this.#seatOf(stop)));
    const [pointed] = this.#lit;
    if (pointed) this.#show(pointed.isConnected ? pointed : null);
  }

  /** Arrows on the board. @param {KeyboardEvent} event */
  #go(event) {
    const at = this.#stops.findIndex((stop) => stop === event.target);
    const last = this.#stops.length - 1;
    /** @type {Record<string, number>} */
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last };
    if (at < 0 || !Object.hasOwn(to, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere these keys go from turn to turn
    this.#stops[Math.min(last, Math.max(0, to[event.key]))].focus();
  }

  /** From now on Tab comes to this one. @param {Element} stop */
  #stopAt(stop) {
    for (const other of this.#stops) other.setAttribute("tabindex", other === stop ? "0" : "-1");
  }

  /** @param {EventTarget | null} target */
  #show(target) {
    const pointed = target instanceof Element ? target.closest(".snake, .ladder, .power, .piece, .line, .player-rows tr, .turn-list li") : null;
    for (const element of this.#lit) element.classList.remove("lit");
    const seat = pointed ? this.#seatOf(pointed) : -1;
    this.#lit = pointed ? [pointed, ...this.#root.querySelectorAll(seat < 0 ? ".none" : `:is(.piece, .line).p${seat}`)] : [];
    const words = pointed ? this.#describe(pointed, seat) : "";
    for (const element of this.#lit) element.classList.add("lit");
    this.#words.textContent = words;
    this.#root.classList.toggle("dims", words !== "");
  }

  /** The seat of an element; -1: nobody's. @param {Element} element */
  #seatOf(element) {
    const marked = element.matches("li") ? element.querySelector(".words") : element;
    return Number([...(marked?.classList ?? [])].find((name) => name.length === 2 && name.startsWith("p"))?.slice(1) ?? -1);
  }

  /** @param {Element} element @param {number} seat */
  #describe(element, seat) {
    const [from, to] = ["data-from", "data-to"].map((end) => element.getAttribute(end));
    if (from) return `${element.matches(".snake") ? "Snake" : "Ladder"} ${from} → ${to}`;
    if (element.matches(".power")) return element.getAttribute("aria-label") ?? "";
    if (seat < 0) return "";
    if (element.matches("li")) return partAs(element, "words", HTMLElement).title;
    const { chances } = this.#game;
    const index = this.#player.finishedIndex;
    const chance = chances ? `, ${(chances[seat][index] / 100).toFixed(1)} %` : "";
    return this.#game.whereabouts(index, seat) + chance;
  }
}

/** The cell of a power, or where a snake or a ladder starts; pieces come before them. @param {Element} stop */
const startOf = (stop) => Number(stop.getAttribute("data-from") ?? stop.getAttribute("data-cell") ?? -1);
