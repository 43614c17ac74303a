// The graph of the players' chances to win, which is also a way to seek.

class ChancesGraph {
  static #height = 150;
  static #margin = { left: 44, right: 14, top: 12, bottom: 12 };
  static #badge = 19; // from the middle of a badge to that of one beside it

  #game;
  #place = byId("graph");
  #svg = svgElement("svg", { role: "img" });
  #now = svgElement("g", { class: "now" });
  #cover = svgElement("rect", { class: "cover", y: 0, height: ChancesGraph.#height }); // over what is still to come
  #width = 0;
  #index = 0;
  #covered = false;

  /** `seek` is called with the position that is pointed at. */
  constructor(game, seek) {
    this.#game = game;
    if (!game.chances) return;
    byId("chances").hidden = false;
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
    if (this.#game.chances) byId("chances").hidden = !byId("chances").hidden;
  }

  /** What comes after a position is covered while it is still to be told. */
  show(index, covered) {
    this.#index = index;
    this.#covered = covered;
    if (!this.#game.chances || this.#width === 0) return;
    const x = this.#x(index);
    const { top, bottom } = ChancesGraph.#margin;
    const line = svgElement("line", { x1: x, x2: x, y1: top, y2: ChancesGraph.#height - bottom });
    this.#now.replaceChildren(line, ...this.#badges(index, x));
    this.#cover.setAttribute("x", x);
    this.#cover.setAttribute("width", covered ? this.#width - x : 0);
  }

  /** Each player's number on its line, beside others that it would hide, or else as near as there is room. */
  #badges(index, x) {
    const size = ChancesGraph.#badge;
    const placed = [];
    return this.#game.players.map((_, seat) => {
      const y = this.#y(this.#game.chances[seat][index]);
      const isFree = (place) =>
        placed.every((other) => Math.abs(other.x - place.x) >= size || Math.abs(other.y - place.y) >= size);
      const place = this.#placesNear(x, y).find(isFree) ?? { x, y };
      placed.push(place);
      return this.#drawBadge(seat, place);
    });
  }

  /** Within the graph: on the line and at both sides of it, then all others, the nearest first. */
  #placesNear(x, y) {
    const size = ChancesGraph.#badge;
    const places = [];
    for (const column of [0, -1, 1, -2, 2, -3, 3])
      for (let up = -ChancesGraph.#height; up <= ChancesGraph.#height; ++up) {
        const away = up === 0 && Math.abs(column) <= 1 ? 0 : Math.hypot(column * size, up);
        places.push({ x: x + column * size, y: y + up, away });
      }
    const fits = (place) =>
      place.x > size && place.x < this.#width - size / 2 && Math.abs(place.y - ChancesGraph.#height / 2) < (ChancesGraph.#height - size) / 2;
    return places.filter(fits).sort((one, other) => one.away - other.away);
  }

  #drawBadge(seat, { x, y }) {
    const badge = svgElement("g", { class: `p${seat}` });
    const number = svgElement("text", { x, y: y + 4 });
    number.textContent = seat + 1;
    badge.append(svgElement("circle", { cx: x, cy: y, r: 9 }), number);
    return badge;
  }

  #x(index) {
    const { left, right } = ChancesGraph.#margin;
    return left + ((this.#width - left - right) * index) / Math.max(1, this.#game.count);
  }

  #y(chance) {
    const { top, bottom } = ChancesGraph.#margin;
    return top + (ChancesGraph.#height - top - bottom) * (1 - chance / 10000);
  }

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
    this.#svg.setAttribute("width", width);
    this.#svg.setAttribute("height", height);
    const scale = svgElement("g", { class: "scale" });
    for (const chance of [0, 5000, 10000]) {
      const y = this.#y(chance);
      const label = svgElement("text", { x: ChancesGraph.#margin.left - 6, y: y + 4 });
      label.textContent = `${chance / 100} %`;
      scale.append(svgElement("line", { x1: this.#x(0), x2: this.#x(this.#game.count), y1: y, y2: y }), label);
    }
    const lines = this.#game.players.map((_, seat) =>
      svgElement("path", { class: `line p${seat}`, d: this.#line(this.#game.chances[seat]) }),
    );
    this.#svg.replaceChildren(...lines, this.#cover, scale, this.#now);
    this.show(this.#index, this.#covered);
  }

  /** A line through all chances; where several turns share a column of the screen, through the lowest and the highest. */
  #line(chances) {
    const points = [];
    let column = null;
    chances.forEach((chance, index) => {
      const x = Math.round(this.#x(index) * 2) / 2;
      if (column?.x !== x) {
        if (column) points.push(...column.points());
        column = new Column(x, chance);
      }
      column.add(chance);
    });
    points.push(...column.points());
    return "M" + points.map(({ x, chance }) => `${x} ${this.#y(chance).toFixed(1)}`).join("L");
  }
}

class Column {
  constructor(x, chance) {
    this.x = x;
    this.first = this.lowest = this.highest = this.last = chance;
  }

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
