// The pieces on the board, and the way that the last one took.

const hop = 22; // how high a piece jumps from cell to cell
const between = (a, b, t) => a + (b - a) * t;
const onTheWay = (a, b, t) => ({
  x: between(a.x, b.x, t),
  y: between(a.y, b.y, t),
  scale: between(a.scale, b.scale, t),
});

class Board {
  #game;
  #spots; // where pieces stand in a cell, by how many there are: [dx, dy, scale]
  #waiting; // where they stand off the board, by seat: [x, y, scale]
  #pieces = [];
  #snakes = new Map(); // the path along each, by the cell of its head
  #flipped = false;
  #trail = ""; // what is drawn of a way

  constructor(game, data) {
    this.#game = game;
    this.#spots = data.spots;
    this.#waiting = data.waiting;
    for (const piece of byId("pieces").children) this.#pieces[piece.dataset.seat] = piece;
    for (const snake of document.querySelectorAll("#board .snake"))
      this.#snakes.set(Number(snake.dataset.from), snake.querySelector(".spine"));
  }

  get flipped() {
    return this.#flipped;
  }

  flip() {
    this.#flipped = !this.#flipped;
    this.#trail = "";
    byId("board").classList.toggle("flipped", this.#flipped); // numbers stay upright
    const art = document.querySelector("#board .board");
    if (this.#flipped) art.setAttribute("transform", `matrix(1 0 0 -1 0 ${this.#height})`);
    else art.removeAttribute("transform");
  }

  /** The pieces at a position, with the way that led there. */
  show(index) {
    this.#stands(index).forEach((stand, seat) => this.#put(seat, stand));
    const turn = this.#game.turnAt(index);
    if (turn) this.#drawTrail(turn, walk(turn), true);
    else this.#drawTrail(null, [], false);
  }

  /** The pieces `elapsed` milliseconds into a turn. They set out from where they stand, and end there. */
  showTelling(telling, elapsed) {
    const { turn, cells } = telling;
    const before = this.#stands(telling.index - 1);
    const after = this.#stands(telling.index);
    const steps = telling.stepsAt(elapsed);
    const slide = telling.slideAt(elapsed);
    const leaving = Math.min(1, steps);
    const coming = telling.slides ? slide : Math.max(0, steps - (cells.length - 2));
    before.forEach((stand, seat) => {
      if (seat === turn.seat) return;
      const shared = this.#game.cellsAt(telling.index)[seat] === turn.from;
      this.#put(seat, onTheWay(stand, after[seat], shared ? leaving : coming));
    });
    this.#pieces[turn.seat].parentNode.append(this.#pieces[turn.seat]); // over the others
    this.#put(turn.seat, this.#moverAt(telling, steps, slide, before[turn.seat], after[turn.seat]));
    this.#drawTrail(turn, steps === 0 ? [] : cells.slice(0, Math.floor(steps) + 1), slide > 0);
  }

  #moverAt({ turn, cells, slides }, steps, slide, from, to) {
    const last = cells.length - 1;
    if (slide > 0) return this.#alongJump(turn, slide, to);
    if (last === 0) return from;
    const standAt = (step) => {
      if (step === 0) return from;
      return step === last && !slides ? to : this.#alone(cells[step], turn.seat);
    };
    const step = Math.min(Math.floor(steps), last - 1);
    const part = steps - step;
    const stand = onTheWay(standAt(step), standAt(step + 1), part);
    return { ...stand, y: stand.y - hop * Math.sin(Math.PI * part) };
  }

  #alongJump(turn, t, to) {
    const alone = this.#alone(turn.landed, turn.seat);
    const spine = turn.to < turn.landed ? this.#snakes.get(turn.landed) : null;
    if (!spine) return onTheWay(alone, to, t);
    const point = this.#turned(spine.getPointAtLength(t * spine.getTotalLength()));
    // Off the spine at its ends only, where pieces stand beside it.
    const [end, stand] = t < 0.5 ? [turn.landed, alone] : [turn.to, to];
    const middle = this.#inCell(end);
    const off = (2 * t - 1) ** 2;
    return {
      x: point.x + (stand.x - middle.x) * off,
      y: point.y + (stand.y - middle.y) * off,
      scale: between(1, to.scale, t),
    };
  }

  get #height() {
    return this.#game.rows * 100;
  }

  /** A point of the board as it is drawn now. */
  #turned({ x, y }) {
    return { x, y: this.#flipped ? this.#height - y : y };
  }

  /** A point of a cell, `dx` and `dy` from its middle. */
  #inCell(cell, dx = 0, dy = 0) {
    const { width } = this.#game;
    const row = Math.floor((cell - 1) / width);
    const along = (cell - 1) % width;
    const column = row % 2 === 0 ? along : width - 1 - along;
    return this.#turned({ x: 100 * column + 50 + dx, y: this.#height - 100 * row - 50 + dy });
  }

  /** Where a piece stands that is one of `count` on its cell. */
  #spot(cell, i, count) {
    const [dx, dy, scale] = this.#spots[count - 1][i];
    return { ...this.#inCell(cell, dx, dy), scale };
  }

  #alone(cell, seat) {
    return cell > 0 ? this.#spot(cell, 0, 1) : this.#wait(seat);
  }

  #wait(seat) {
    const [x, y, scale] = this.#waiting[seat];
    return { x, y, scale };
  }

  /** Where each seat's piece stands at a position. */
  #stands(index) {
    const cells = this.#game.cellsAt(index);
    const counts = new Map();
    for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    const placed = new Map();
    return Array.from(cells, (cell, seat) => {
      if (cell === 0) return this.#wait(seat);
      const i = placed.get(cell) ?? 0;
      placed.set(cell, i + 1);
      return this.#spot(cell, i, counts.get(cell));
    });
  }

  #put(seat, { x, y, scale }) {
    this.#pieces[seat].style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  /** The cells that were walked over; and, once it jumps, a ring where it landed. */
  #drawTrail(turn, cells, jumps) {
    const key = turn ? `${turn.seat} ${cells} ${jumps}` : "";
    if (key !== "" && key === this.#trail) return;
    this.#trail = key;
    const trail = byId("trail");
    trail.replaceChildren();
    if (cells.length === 0) return;
    const points = cells.filter((cell) => cell > 0).map((cell) => this.#alone(cell, turn.seat));
    trail.setAttribute("class", `p${turn.seat}`);
    trail.append(svgElement("polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" ") }));
    if (!jumps || turn.to === turn.landed) return;
    const end = this.#alone(Math.max(1, turn.landed), turn.seat);
    trail.append(svgElement("circle", { cx: end.x, cy: end.y, r: 14 }));
  }
}
