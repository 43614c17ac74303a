// The list of turns that have been told. It doesn't show the players of later turns. Only visible rows are on
// the page, in a game of any length.

class TurnList {
  #game;
  #seek;
  #view;
  #list;
  #undoneChoice;
  #choice;
  /** The turns that are listed; null is the start. @type {(Turn | null)[]} */
  #rows = [];
  /** Row number → element, without gaps, in order. @type {Map<number, HTMLElement>} */
  #shown = new Map();
  #longest = 0; // the row with the most words
  #rowHeight = 0;
  #index = 0;
  #present = 0; // the row of that position
  #horizon = Infinity; // the last position that has been told
  #listed = 0; // the number of rows that are listed: later ones are still to be told
  #whole = false; // whether all rows are there, for printing

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   * @param {(index: number) => void} seek  is called with the position that was chosen
   */
  constructor(root, game, seek) {
    this.#game = game;
    this.#seek = seek;
    this.#view = part(root, "turn-list");
    this.#list = partAs(this.#view, "rows", HTMLOListElement);
    this.#undoneChoice = part(root, "undone-choice");
    this.#choice = partAs(root, "show-undone", HTMLInputElement);
    this.#view.hidden = false;
    this.#view.addEventListener("scroll", () => this.#render());
    new ResizeObserver(() => this.#measure()).observe(this.#view);
    const above = new ResizeObserver(() => this.#fit());
    for (const element of [part(root, "playback"), ...root.querySelectorAll("header")]) above.observe(element);
    this.#choice.addEventListener("change", () => this.refresh());
    const paper = matchMedia("print");
    paper.addEventListener("change", () => this.#showWhole(paper.matches));
    addEventListener("beforeprint", () => this.#showWhole(true));
    addEventListener("afterprint", () => this.#showWhole(false));
  }

  /** Fills the list again, after turns were added or taken back, or the reader chose others. */
  refresh() {
    this.#undoneChoice.hidden = this.#game.recorded.length === this.#game.count;
    this.#index = Math.min(this.#index, this.#game.count);
    this.#fill(this.#choice.checked ? this.#game.recorded : this.#game.turns);
  }

  /**
   * @param {number} index
   * @param {number} horizon  the last position to list: later ones are still to be told
   */
  show(index, horizon) {
    this.#index = index;
    this.#horizon = horizon;
    this.#present = this.#rowOf(index);
    this.#count();
    for (const [row, element] of this.#shown) this.#mark(row, element);
    this.#follow();
  }

  /** The number of listed rows. Turns that were taken back come with the turn that took their place. */
  #count() {
    this.#listed = this.#horizon < this.#game.count ? this.#rowOf(this.#horizon) + 1 : this.#rows.length;
    this.#list.style.height = `${this.#listed * this.#rowHeight}px`;
  }

  /**
   * The approximate number of letters of a turn's row, which shows only so many of a name.
   * @param {Turn} turn
   */
  #length(turn) {
    return Math.min(20, this.#game.players[turn.seat].length) + deed(this.#game, turn).length;
  }

  /**
   * For paper: every row, one after another, without buttons.
   * @param {boolean} whole
   */
  #showWhole(whole) {
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
    for (let first = 0; first < this.#rows.length; first += size)
      groups.push(make("ol", "", ...this.#rows.slice(first, first + size).map((turn) => this.#printedRow(turn))));
    return groups;
  }

  /** @param {Turn | null} turn */
  #printedRow(turn) {
    const content = this.#content(turn);
    return make("li", "", ...(turn?.undone ? [make("del", "", ...content)] : content));
  }

  /** @param {Turn[]} turns */
  #fill(turns) {
    this.#rows = [null, ...turns];
    this.#present = this.#rowOf(this.#index);
    const lengths = this.#rows.map((turn) => (turn ? this.#length(turn) : 0));
    this.#longest = lengths.indexOf(lengths.reduce((most, length) => Math.max(most, length)));
    this.#clear();
    this.#measure();
  }

  /** Gives the style the top of the section, which limits how far it may reach down the screen. */
  #fit() {
    const section = this.#view.parentElement;
    section?.style.setProperty("--top", `${section.offsetTop}px`);
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
    this.#count();
    this.#follow();
  }

  /** @param {number} row */
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

  /** @param {number} index */
  #rowOf(index) {
    const turn = this.#game.turnAt(index);
    return turn && this.#rows.length > this.#game.count + 1 ? this.#rows.indexOf(turn) : index;
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
    return [Math.max(0, first), Math.min(this.#listed - 1, first + count)];
  }

  /** @param {number} row */
  #make(row) {
    const turn = this.#rows[row];
    const content = this.#content(turn);
    const inner = turn?.undone ? make("del", "", ...content) : this.#button(turn, content);
    inner.classList.toggle("moment", turn?.moment ?? false);
    const element = make("li", "", inner);
    element.setAttribute("aria-posinset", String(row + 1));
    element.style.top = `${row * this.#rowHeight}px`;
    this.#mark(row, element);
    return element;
  }

  /** @param {Turn | null} turn @param {Node[]} content */
  #button(turn, content) {
    const button = make("button", "", ...content);
    button.type = "button";
    button.tabIndex = -1; // the list is one stop: arrow keys go from turn to turn
    const index = turn ? turn.turn - this.#game.first : 0;
    button.addEventListener("click", () => {
      this.#view.focus({ preventScroll: true }); // so that the next Space plays, in every browser
      this.#seek(index);
    });
    return button;
  }

  /** @param {Turn | null} turn */
  #content(turn) {
    const number = make("span", "number", String(turn ? turn.turn : this.#game.first));
    if (!turn) return [number, make("span", "words", this.#game.words.startOfList)];
    const words = make("span", `words p${turn.seat}`, nameElement(this.#game, turn.seat), deed(this.#game, turn));
    words.title = words.textContent ?? "";
    return [number, words];
  }

  /** @param {number} row @param {HTMLElement} element */
  #mark(row, element) {
    element.setAttribute("aria-setsize", String(this.#listed));
    const turn = this.#rows[row];
    const present = !turn?.undone && (turn ? turn.turn - this.#game.first : 0) === this.#index;
    if (present) element.setAttribute("aria-current", "true");
    else element.removeAttribute("aria-current");
  }
}
