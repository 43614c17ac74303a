// The list of turns. Only the rows that can be seen are there, however long the game.

class TurnList {
  #game;
  #seek;
  #view = byId("turns");
  #list = this.#view.querySelector("ol");
  #rows = []; // the turns that are listed; null is the start
  #shown = new Map(); // row number → element, without gaps, in order
  #longest = 0; // the row with the most words
  #rowHeight = 0;
  #index = 0;
  #whole = false; // all rows are there, to be printed

  /** `seek` is called with the position that was chosen. */
  constructor(game, seek) {
    this.#game = game;
    this.#seek = seek;
    this.#view.hidden = false;
    this.#view.addEventListener("scroll", () => this.#render());
    new ResizeObserver(() => this.#measure()).observe(this.#view);
    const choice = byId("undone");
    byId("undone-choice").hidden = game.recorded.length === game.count;
    choice.addEventListener("change", () => this.#fill(choice.checked));
    this.#fill(false);
  }

  show(index) {
    this.#index = index;
    for (const [row, element] of this.#shown) this.#mark(row, element);
    this.#follow();
  }

  /** About how many letters of a turn are shown, of which a name's are only so many. */
  #length(turn) {
    return Math.min(20, this.#game.players[turn.seat].length) + deed(turn).length + (turn.undone ? 9 : 0);
  }

  /** For paper: every row, one after another. */
  showWhole(whole) {
    if (this.#whole === whole) return;
    this.#whole = whole;
    this.#clear();
    this.#render();
  }

  #fill(undoneToo) {
    this.#rows = [null, ...(undoneToo ? this.#game.recorded : this.#game.turns)];
    const lengths = this.#rows.map((turn) => (turn ? this.#length(turn) : 0));
    this.#longest = lengths.indexOf(lengths.reduce((most, length) => Math.max(most, length)));
    this.#clear();
    this.#measure();
  }

  /** All rows are as high as the reader's text makes the first, or the one with the most words. */
  #measure() {
    if (this.#whole) return;
    const [least, most] = [0, this.#longest].map((row) => this.#heightOf(row));
    if (least === 0) return;
    this.#view.classList.toggle("single", most < 1.3 * least);
    const height = Math.max(least, most);
    if (height !== this.#rowHeight) this.#clear();
    this.#rowHeight = height;
    this.#list.style.setProperty("--row", `${height}px`);
    this.#list.style.height = `${this.#rows.length * height}px`;
    this.#follow();
    this.#render();
  }

  #heightOf(row) {
    const probe = this.#make(row);
    probe.style.height = "auto";
    this.#view.classList.remove("single");
    this.#list.append(probe);
    const height = probe.getBoundingClientRect().height;
    probe.remove();
    return height;
  }

  #clear() {
    this.#shown.clear();
    this.#list.replaceChildren();
  }

  /** Brings the present turn's row into view. */
  #follow() {
    if (this.#rowHeight === 0 || this.#whole) return;
    const row = this.#rowOf(this.#index);
    const top = row * this.#rowHeight;
    const room = this.#view.clientHeight;
    if (top < this.#view.scrollTop || top + this.#rowHeight > this.#view.scrollTop + room)
      this.#view.scrollTop = top - (room - this.#rowHeight) / 2;
    this.#render();
  }

  #rowOf(index) {
    if (index === 0 || this.#rows.length === this.#game.count + 1) return index;
    return this.#rows.indexOf(this.#game.turnAt(index));
  }

  #render() {
    const [first, last] = this.#whole ? [0, this.#rows.length - 1] : this.#visible();
    for (const [row, element] of [...this.#shown])
      if (row < first || row > last) {
        if (element.contains(document.activeElement)) this.#view.focus({ preventScroll: true });
        element.remove();
        this.#shown.delete(row);
      }
    const before = this.#list.firstChild;
    const start = this.#shown.keys().next().value ?? last + 1;
    const earlier = new Map();
    for (let row = first; row < start; ++row) {
      const element = this.#make(row);
      this.#list.insertBefore(element, before);
      earlier.set(row, element);
    }
    const end = start + this.#shown.size;
    this.#shown = new Map([...earlier, ...this.#shown]);
    for (let row = end; row <= last; ++row) {
      const element = this.#make(row);
      this.#list.append(element);
      this.#shown.set(row, element);
    }
  }

  #visible() {
    if (this.#rowHeight === 0) return [0, -1];
    const spare = 4;
    const first = Math.floor(this.#view.scrollTop / this.#rowHeight) - spare;
    const count = Math.ceil(this.#view.clientHeight / this.#rowHeight) + 2 * spare;
    return [Math.max(0, first), Math.min(this.#rows.length - 1, first + count)];
  }

  #make(row) {
    const turn = this.#rows[row];
    const element = document.createElement("li");
    element.setAttribute("aria-setsize", this.#rows.length);
    element.setAttribute("aria-posinset", row + 1);
    element.style.top = `${row * this.#rowHeight}px`;
    element.append(turn?.undone ? this.#undoneTurn(turn) : this.#button(row, turn));
    this.#mark(row, element);
    return element;
  }

  #button(row, turn) {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1; // the list is one stop: arrow keys go from turn to turn
    const index = turn ? turn.turn - this.#game.first : 0;
    button.append(...this.#content(turn));
    button.classList.toggle("moment", turn?.moment ?? false);
    button.addEventListener("click", () => {
      this.#view.focus({ preventScroll: true }); // so that the next Space plays, in every browser
      this.#seek(index);
    });
    return button;
  }

  #undoneTurn(turn) {
    const words = document.createElement("del");
    words.append(...this.#content(turn));
    return words;
  }

  #content(turn) {
    const number = document.createElement("span");
    number.className = "number";
    number.textContent = turn ? turn.turn : this.#game.first;
    const words = document.createElement("span");
    words.className = "words";
    if (!turn) {
      words.textContent = "The start";
      return [number, words];
    }
    words.classList.add(`p${turn.seat}`);
    words.append(nameElement(this.#game.players[turn.seat]), deed(turn) + (turn.undone ? " (undone)" : ""));
    words.title = words.textContent;
    return [number, words];
  }

  #mark(row, element) {
    const turn = this.#rows[row];
    const present = !turn?.undone && (turn ? turn.turn - this.#game.first : 0) === this.#index;
    if (present) element.setAttribute("aria-current", "true");
    else element.removeAttribute("aria-current");
  }
}
