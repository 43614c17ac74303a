// The players' table and the board's, and the board in words.

class Tables {
  #game;
  #rows = [...byId("players").rows];
  #occupied = [...byId("cells").querySelectorAll("b")]; // who is where
  #cells = null; // of the board's table, by number

  constructor(game) {
    this.#game = game;
  }

  show(index) {
    const cells = this.#game.cellsAt(index);
    this.#rows.forEach((row, seat) => {
      row.querySelector(".cell").textContent = this.#game.cellWords(cells[seat]);
      row.querySelector(".status").textContent = this.#status(seat, index);
      if (this.#game.chances) this.#showChance(row, seat, index);
    });
    if (this.#game.chances) this.#showNote(this.#game.neverAt(index));
    this.#showCells(cells);
    const where = this.#game.players.map((name, seat) => `${name} ${cells[seat] === 0 ? "" : this.#game.words.on}${this.#game.cellWords(cells[seat])}`);
    byId("board").setAttribute("aria-label", `${this.#game.words.board} ${where.join(", ")}.`);
  }

  #status(seat, index) {
    if (this.#game.winnerAt(index) === seat) return this.#game.words.winner;
    return this.#game.nextAt(index) === seat ? this.#game.words.next : "";
  }

  #showChance(row, seat, index) {
    const now = this.#game.chances[seat][index];
    const change = index > 0 ? now - this.#game.chances[seat][index - 1] : 0;
    row.querySelector(".percent").textContent = `${(now / 100).toFixed(1)} %`;
    row.querySelector(".change").textContent =
      change === 0 ? "" : `${change > 0 ? "+" : "−"}${(Math.abs(change) / 100).toFixed(1)}`;
    row.querySelector(".bar rect").setAttribute("width", now / 100);
  }

  #showNote(words) {
    byId("chances-note").textContent = words;
    byId("chances-note").hidden = words === "";
  }

  #showCells(cells) {
    this.#cells ??= new Map(
      [...byId("cells").querySelectorAll("td")].map((cell) => [parseInt(cell.textContent), cell]),
    );
    for (const place of this.#occupied) place.remove();
    this.#occupied = [];
    const places = new Map();
    cells.forEach((cell, seat) => {
      if (!this.#cells.has(cell)) return;
      let place = places.get(cell);
      if (place) {
        place.append(", ");
      } else {
        place = document.createElement("b");
        places.set(cell, place);
        this.#cells.get(cell).append(place);
        this.#occupied.push(place);
      }
      place.append(nameElement(this.#game, seat));
    });
  }
}
