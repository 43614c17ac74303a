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
  #present = 0; // the row of that position
  #covered = false; // what comes after the present turn is still to be told
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

  /** What was done after a position isn't said while it is still to be told. */
  show(index, covered) {
    const before = new Map([...this.#shown.keys()].map((row) => [row, this.#isCovered(row)]));
    this.#index = index;
    this.#present = this.#rowOf(index);
    this.#covered = covered;
    for (const [row, element] of this.#shown) {
      if (this.#isCovered(row) !== before.get(row)) this.#fillRow(row, element, this.#isCovered(row));
      this.#mark(row, element);
    }
    this.#follow();
  }

  #isCovered(row) {
    return this.#covered && row > this.#present;
  }

  /** About how many letters of a turn are shown, of which a name's are only so many. */
  #length(turn) {
    return Math.min(20, this.#game.players[turn.seat].length) + deed(this.#game, turn).length;
  }

  /** For paper: every row, one after another, and nothing to press. */
  showWhole(whole) {
    if (this.#whole === whole) return;
    this.#whole = whole;
    this.#clear();
    if (whole) this.#view.append(...this.#printedGroups());
    else this.#render();
  }

  /** In groups, since browsers take very long to break many rows into columns and pages at once. */
  #printedGroups() {
    const size = 50;
    const groups = [];
    for (let row = 0; row < this.#rows.length; ++row) {
      if (row % size === 0) groups.push(document.createElement("ol"));
      const element = document.createElement("li");
      const content = this.#content(this.#rows[row], false);
      element.append(...(this.#rows[row]?.undone ? [this.#undoneTurn(content)] : content));
      groups.at(-1).append(element);
    }
    return groups;
  }

  #fill(undoneToo) {
    this.#rows = [null, ...(undoneToo ? this.#game.recorded : this.#game.turns)];
    this.#present = this.#rowOf(this.#index);
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
    const probe = this.#make(row, false);
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
    this.#view.replaceChildren(this.#list);
  }

  /** Brings the present turn's row into view. */
  #follow() {
    if (this.#rowHeight === 0 || this.#whole) return;
    const top = this.#present * this.#rowHeight;
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
    if (this.#whole) return;
    const [first, last] = this.#visible();
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

  #make(row, covered = this.#isCovered(row)) {
    const element = document.createElement("li");
    element.setAttribute("aria-setsize", this.#rows.length);
    element.setAttribute("aria-posinset", row + 1);
    element.style.top = `${row * this.#rowHeight}px`;
    this.#fillRow(row, element, covered);
    this.#mark(row, element);
    return element;
  }

  #fillRow(row, element, covered) {
    const turn = this.#rows[row];
    const content = this.#content(turn, covered);
    element.replaceChildren(turn?.undone ? this.#undoneTurn(content) : this.#button(turn, content));
    element.firstChild.classList.toggle("moment", !covered && (turn?.moment ?? false));
  }

  #button(turn, content) {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1; // the list is one stop: arrow keys go from turn to turn
    const index = turn ? turn.turn - this.#game.first : 0;
    button.append(...content);
    button.addEventListener("click", () => {
      this.#view.focus({ preventScroll: true }); // so that the next Space plays, in every browser
      this.#seek(index);
    });
    return button;
  }

  #undoneTurn(content) {
    const words = document.createElement("del");
    words.append(...content);
    return words;
  }

  #content(turn, covered) {
    const number = document.createElement("span");
    number.className = "number";
    number.textContent = turn ? turn.turn : this.#game.first;
    const words = document.createElement("span");
    words.className = "words";
    if (!turn) {
      words.textContent = this.#game.words.startOfList;
      return [number, words];
    }
    words.classList.add(`p${turn.seat}`);
    words.append(nameElement(this.#game, turn.seat), covered ? "" : deed(this.#game, turn));
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
