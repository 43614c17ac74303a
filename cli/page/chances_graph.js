// The graph of the players' chances to win, which is also a way to seek.

class ChancesGraph {
  static #height = 150;
  static #margin = { left: 44, right: 14, top: 12, bottom: 12 };
  static #badge = 19; // from the middle of a badge to that of one beside it

  #game;
  #section;
  #place;
  #svg = svgElement("svg", { role: "img" });
  #now = svgElement("g", { class: "now" });
  #cover = svgElement("rect", { class: "cover", y: 0, height: ChancesGraph.#height }); // over the turns still to come
  #width = 0;
  #index = 0;
  #horizon = 0;

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   * @param {(index: number) => void} seek  is called with the position under the pointer
   */
  constructor(root, game, seek) {
    this.#game = game;
    this.#section = part(root, "chances");
    this.#place = part(root, "graph");
    if (!game.chances) return;
    this.#section.hidden = false;
    this.#svg.setAttribute(
      "aria-label",
      "Each player’s chance to win, turn by turn. The players’ table has the numbers at the present turn.",
    );
    this.#place.append(this.#svg);
    new ResizeObserver(() => this.#draw()).observe(this.#place);
    this.#place.addEventListener("pointerdown", (event) => {
      this.#place.setPointerCapture(event.pointerId);
      seek(this.#indexAt(event));
    });
    this.#place.addEventListener("pointermove", (event) => {
      if (this.#place.hasPointerCapture(event.pointerId)) seek(this.#indexAt(event));
    });
  }

  toggle() {
    if (this.#game.chances) this.#section.hidden = !this.#section.hidden;
  }

  /** Draws the graph again, after turns were added or taken back. */
  refresh() {
    this.#width = 0;
    this.#index = Math.min(this.#index, this.#game.count);
    if (this.#game.chances) this.#draw();
  }

  /**
   * @param {number} index
   * @param {number} horizon  all after it is covered
   */
  show(index, horizon) {
    this.#index = index;
    this.#horizon = horizon;
    if (!this.#game.chances || this.#width === 0) return;
    const x = this.#x(index);
    const { top, bottom } = ChancesGraph.#margin;
    const line = svgElement("line", { x1: x, x2: x, y1: top, y2: ChancesGraph.#height - bottom });
    this.#now.replaceChildren(line, ...this.#badges(this.#game.chances, index, x));
    const seen = Math.min(this.#x(Math.min(horizon, this.#game.count)), this.#width);
    this.#cover.setAttribute("x", String(seen));
    this.#cover.setAttribute("width", String(horizon < this.#game.count ? this.#width - seen : 0));
  }

  /**
   * Puts each player's number on its line. A number that would hide others stands beside them, or as near as there is
   * room.
   * @param {number[][]} chances
   * @param {number} index
   * @param {number} x
   */
  #badges(chances, index, x) {
    const size = ChancesGraph.#badge;
    /** @type {Point[]} */
    const placed = [];
    return chances.map((list, seat) => {
      const y = this.#y(list[index]);
      /** @param {Point} place */
      const isFree = (place) =>
        placed.every((other) => Math.abs(other.x - place.x) >= size || Math.abs(other.y - place.y) >= size);
      const place = this.#placesNear(x, y).find(isFree) ?? { x, y };
      placed.push(place);
      return this.#drawBadge(seat, place);
    });
  }

  /**
   * Places within the graph: on the line and at both sides of it, then all others, the nearest first.
   * @param {number} x
   * @param {number} y
   */
  #placesNear(x, y) {
    const size = ChancesGraph.#badge;
    const places = [];
    for (const column of [0, -1, 1, -2, 2, -3, 3])
      for (let up = -ChancesGraph.#height; up <= ChancesGraph.#height; ++up) {
        const away = up === 0 && Math.abs(column) <= 1 ? 0 : Math.hypot(column * size, up);
        places.push({ x: x + column * size, y: y + up, away });
      }
    /** @param {Point} place */
    const fits = (place) =>
      place.x >= ChancesGraph.#margin.left && place.x < this.#width - size / 2 && Math.abs(place.y - ChancesGraph.#height / 2) < (ChancesGraph.#height - size) / 2;
    return places.filter(fits).sort((one, other) => one.away - other.away);
  }

  /** @param {number} seat @param {Point} place */
  #drawBadge(seat, { x, y }) {
    const number = svgElement("text", { x, y: y + 4 }, String(seat + 1));
    return svgElement("g", { class: `p${seat}` }, svgElement("circle", { cx: x, cy: y, r: 9 }), number);
  }

  /** @param {number} index */
  #x(index) {
    const { left, right } = ChancesGraph.#margin;
    return left + ((this.#width - left - right) * index) / Math.max(1, this.#game.count);
  }

  /** @param {number} chance */
  #y(chance) {
    const { top, bottom } = ChancesGraph.#margin;
    return top + (ChancesGraph.#height - top - bottom) * (1 - chance / 10000);
  }

  /** @param {PointerEvent} event */
  #indexAt(event) {
    const { left, right } = ChancesGraph.#margin;
    const inside = event.clientX - this.#svg.getBoundingClientRect().left - left;
    const part = Math.min(1, Math.max(0, inside / (this.#width - left - right)));
    return Math.round(part * this.#game.count);
  }

  #draw() {
    const width = Math.round(this.#place.clientWidth);
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    const height = ChancesGraph.#height;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#svg.setAttribute("width", String(width));
    this.#svg.setAttribute("height", String(height));
    const scale = svgElement("g", { class: "scale" });
    for (const chance of [0, 5000, 10000]) {
      const y = this.#y(chance);
      const label = svgElement("text", { x: ChancesGraph.#margin.left - 6, y: y + 4 }, `${chance / 100} %`);
      scale.append(svgElement("line", { x1: this.#x(0), x2: this.#x(this.#game.count), y1: y, y2: y }), label);
    }
    const lines = (this.#game.chances ?? []).map((list, seat) =>
      svgElement("path", { class: `line p${seat}`, d: this.#line(list) }),
    );
    this.#svg.replaceChildren(...this.#moments(), ...lines, this.#cover, scale, this.#now);
    this.show(this.#index, this.#horizon);
  }

  /** A mark for each moment that matters. */
  #moments() {
    const { top, bottom } = ChancesGraph.#margin;
    return this.#game.moments.map((index) => {
      const x = this.#x(index);
      return svgElement("line", { class: "mark", x1: x, x2: x, y1: top, y2: ChancesGraph.#height - bottom });
    });
  }

  /**
   * A line through all chances. If several turns share a column of the screen, it goes through the lowest
   * and the highest.
   * @param {number[]} chances
   */
  #line(chances) {
    /** @type {{ x: number, chance: number }[]} */
    const points = [];
    let column = new Column(this.#x(0), chances[0]);
    chances.forEach((chance, index) => {
      const x = Math.round(this.#x(index) * 2) / 2;
      if (column.x !== x) {
        points.push(...column.points());
        column = new Column(x, chance);
      }
      column.add(chance);
    });
    points.push(...column.points());
    return "M" + points.map(({ x, chance }) => `${x} ${this.#y(chance).toFixed(1)}`).join("L");
  }
}

/** @typedef {{ x: number, y: number }} Point */

/** The points of a line in one column of the screen. */
class Column {
  /** @param {number} x @param {number} chance */
  constructor(x, chance) {
    this.x = x;
    this.first = this.lowest = this.highest = this.last = chance;
  }

  /** @param {number} chance */
  add(chance) {
    this.lowest = Math.min(this.lowest, chance);
    this.highest = Math.max(this.highest, chance);
    this.last = chance;
  }

  points() {
    const values = new Set([this.first, this.lowest, this.highest, this.last]);
    return [...values].map((chance) => ({ x: this.x, chance }));
  }
}
