// The players' table and the board's, and the board in words.

class Tables {
  #game;
  #rows;
  #picture;
  #note;
  #cellRows;
  /** The players' cells in the board's table. @type {Element[]} */
  #occupied;
  /** The cells of the board's table, by number. @type {Map<number, Element> | null} */
  #cells = null;

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   */
  constructor(root, game) {
    this.#game = game;
    this.#rows = [...partAs(root, "player-rows", HTMLTableSectionElement).rows];
    this.#picture = partAs(root, "picture", SVGSVGElement);
    this.#note = part(root, "chances-note");
    this.#cellRows = partAs(root, "cell-rows", HTMLTableSectionElement);
    this.#occupied = [...this.#cellRows.querySelectorAll("b")];
  }

  /** @param {number} index */
  showCells(index) {
    const { players, words } = this.#game;
    const cells = this.#game.cellsAt(index);
    this.#rows.forEach((row, seat) => {
      part(row, "cell").textContent = this.#game.cellWords(cells[seat]);
      part(row, "tally").textContent = this.#game.tallyWords(index, seat);
    });
    this.#fillCells(cells);
    const where = players.map((_, seat) => this.#game.whereabouts(index, seat));
    this.#picture.setAttribute("aria-label", `${words.board} ${where.join(", ")}.`);
  }

  /** @param {number} index */
  showChances(index) {
    const { chances } = this.#game;
    if (!chances) return;
    this.#rows.forEach((row, seat) => {
      const now = chances[seat][index];
      const change = index > 0 ? now - chances[seat][index - 1] : 0;
      part(row, "percent").textContent = `${(now / 100).toFixed(1)} %`;
      part(row, "change").textContent = change === 0 ? "" : signedPercent(change);
      row.querySelector(".bar rect")?.setAttribute("width", String(now / 100));
    });
    const note = this.#game.neverAt(index);
    this.#note.textContent = note;
    this.#note.hidden = note === "";
  }

  /** @param {number} index */
  showStatus(index) {
    this.#rows.forEach((row, seat) => (part(row, "status").textContent = this.#status(seat, index)));
  }

  /** @param {number} seat @param {number} index */
  #status(seat, index) {
    if (this.#game.winnerAt(index) === seat) return this.#game.words.winner;
    return this.#game.nextAt(index) === seat ? this.#game.words.next : "";
  }

  /** @param {number[]} cells */
  #fillCells(cells) {
    this.#cells ??= new Map(
      [...this.#cellRows.querySelectorAll("td")].map((cell) => [parseInt(cell.textContent ?? ""), cell]),
    );
    for (const place of this.#occupied) place.remove();
    /** @type {Map<number, Element>} */
    const places = new Map();
    cells.forEach((cell, seat) => {
      const place = places.get(cell) ?? document.createElement("b");
      if (places.has(cell)) place.append(", ");
      else this.#cells?.get(cell)?.append(place);
      places.set(cell, place);
      place.append(nameElement(this.#game, seat));
    });
    this.#occupied = [...places.values()];
  }
}

/**
 * Of a change in 1/10,000: "+1.2".
 * @param {number} change
 */
const signedPercent = (change) => `${change > 0 ? "+" : "−"}${(Math.abs(change) / 100).toFixed(1)}`;
