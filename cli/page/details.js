// What is pointed at, focused or tapped: a snake, a ladder, a piece, a line of the graph or a turn. It is told
// in a line over the board, and what else is drawn is dimmed.

class Details {
  #game;
  #player;
  #root;
  #picture;
  #words;
  /** @type {Element[]} */
  #lit = [];

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
    root.addEventListener("pointerleave", () => this.#show(null));
  }

  /** @param {EventTarget | null} target */
  #show(target) {
    const pointed = target instanceof Element ? target.closest(".snake, .ladder, .piece, .line, .player-rows tr, .turn-list li") : null;
    for (const element of this.#lit) element.classList.remove("lit");
    const seat = pointed ? this.#seatOf(pointed) : -1;
    this.#lit = pointed ? [pointed, ...this.#root.querySelectorAll(seat < 0 ? ".none" : `:is(.piece, .line).p${seat}`)] : [];
    const words = pointed ? this.#tell(pointed, seat) : "";
    for (const element of this.#lit) element.classList.add("lit");
    this.#words.textContent = words;
    this.#root.classList.toggle("dims", words !== "");
  }

  /** Whose an element is; -1: nobody's. @param {Element} element */
  #seatOf(element) {
    const marked = element.matches("li") ? element.querySelector(".words") : element;
    return Number([...(marked?.classList ?? [])].find((name) => name.length === 2 && name.startsWith("p"))?.slice(1) ?? -1);
  }

  /** @param {Element} element @param {number} seat */
  #tell(element, seat) {
    const [from, to] = ["data-from", "data-to"].map((end) => element.getAttribute(end));
    if (from) return `${element.matches(".snake") ? "Snake" : "Ladder"} ${from} → ${to}`;
    if (seat < 0) return "";
    if (element.matches("li")) return partAs(element, "words", HTMLElement).title;
    const { words, players, chances } = this.#game;
    const index = this.#player.toldIndex;
    const cell = this.#game.cellsAt(index)[seat];
    const chance = chances ? `, ${(chances[seat][index] / 100).toFixed(1)} %` : "";
    return `${players[seat]} ${cell === 0 ? "" : words.on}${this.#game.cellWords(cell)}${chance}`;
  }
}
