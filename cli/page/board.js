// The pieces on the board, and the path of the one that moved last.

const hop = 22; // the height of a piece's jump from cell to cell

/** The place of a piece's drawing. @typedef {{ x: number, y: number, scale: number }} Place */

/** @param {number} a @param {number} b @param {number} t */
const between = (a, b, t) => a + (b - a) * t;

/**
 * @param {Place} a
 * @param {Place} b
 * @param {number} t
 * @returns {Place}
 */
const placeBetween = (a, b, t) => ({
  x: between(a.x, b.x, t),
  y: between(a.y, b.y, t),
  scale: between(a.scale, b.scale, t),
});

class Board {
  #game;
  #picture;
  #trail;
  /** @type {SVGGElement[]} */
  #pieces = [];
  /** The path along each snake, by the cell of its head. @type {Map<number, SVGPathElement>} */
  #snakes = new Map();
  #joy;
  flipped = false;
  #shownTrail = "";

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   */
  constructor(root, game) {
    this.#game = game;
    this.#picture = partAs(root, "picture", SVGSVGElement);
    this.#trail = partAs(root, "trail", SVGGElement);
    this.#joy = partAs(root, "joy", SVGGElement);
    for (const piece of partAs(root, "pieces", SVGGElement).children)
      if (piece instanceof SVGGElement) this.#pieces[Number(piece.dataset.seat)] = piece;
    for (const snake of root.querySelectorAll(".picture .snake"))
      this.#snakes.set(Number(snake.getAttribute("data-from")), partAs(snake, "spine", SVGPathElement));
  }

  flip() {
    this.flipped = !this.flipped;
    this.#shownTrail = "";
    this.#picture.classList.toggle("flipped", this.flipped); // numbers stay upright
    const art = partAs(this.#picture, "board", SVGGElement);
    if (this.flipped) art.setAttribute("transform", `matrix(1 0 0 -1 0 ${this.#height})`);
    else art.removeAttribute("transform");
  }

  /**
   * Shows the pieces at a position, with the path that led there.
   * @param {number} index
   */
  show(index) {
    this.#joy.replaceChildren();
    this.#stands(index).forEach((stand, seat) => this.#put(seat, stand));
    const turn = this.#game.turnAt(index);
    this.#drawTrail(turn, turn ? walk(turn) : [], true);
  }

  /**
   * Shows the pieces `elapsed` milliseconds into a turn. They are in their places when it begins and when it ends.
   * @param {Telling} telling
   * @param {number} elapsed
   */
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
      this.#put(seat, placeBetween(stand, after[seat], shared ? leaving : coming));
    });
    const mover = this.#pieces[turn.seat];
    if (mover.nextSibling && mover !== document.activeElement) mover.parentNode?.append(mover); // over the others
    const place = this.#moverAt(telling, steps, slide, before[turn.seat], after[turn.seat]);
    const joy = telling.joyAt(elapsed);
    this.#put(turn.seat, { ...place, y: place.y - leapAt(joy) });
    this.#joy.replaceChildren(...(joy > 0 && joy < 1 ? confettiAt(joy, place) : []));
    this.#drawTrail(turn, steps === 0 ? [] : cells.slice(0, Math.floor(steps) + 1), slide > 0);
  }

  /**
   * @param {Telling} telling
   * @param {number} steps
   * @param {number} slide
   * @param {Place} from
   * @param {Place} to
   */
  #moverAt({ turn, cells, slides }, steps, slide, from, to) {
    const last = cells.length - 1;
    if (slide > 0) return this.#alongJump(turn, slide, to);
    if (last === 0) return from;
    /** @param {number} step */
    const standAt = (step) => {
      if (step === 0) return from;
      return step === last && !slides ? to : this.#alone(cells[step], turn.seat);
    };
    const step = Math.min(Math.floor(steps), last - 1);
    const part = steps - step;
    const stand = placeBetween(standAt(step), standAt(step + 1), part);
    return { ...stand, y: stand.y - hop * Math.sin(Math.PI * part) };
  }

  /**
   * @param {Turn} turn
   * @param {number} t
   * @param {Place} to
   * @returns {Place}
   */
  #alongJump(turn, t, to) {
    const alone = this.#alone(turn.landed, turn.seat);
    if (turn.rest !== turn.landed && turn.rest !== turn.to) {
      // First the jump, then the path on which a power takes the piece.
      const rest = this.#alone(turn.rest, turn.seat);
      return t < 0.5 ? this.#alongJump({ ...turn, to: turn.rest }, 2 * t, rest) : placeBetween(rest, to, 2 * t - 1);
    }
    const spine = turn.rest < turn.landed ? this.#snakes.get(turn.landed) : null;
    if (!spine) return placeBetween(alone, to, t);
    const point = this.#turned(spine.getPointAtLength(t * spine.getTotalLength()));
    // Off the spine only at its ends, where pieces stand beside it.
    /** @type {[number, Place]} */
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

  /**
   * A point of the board as it is drawn now.
   * @param {{ x: number, y: number }} point
   */
  #turned({ x, y }) {
    return { x, y: this.flipped ? this.#height - y : y };
  }

  /**
   * A point of a cell, `dx` and `dy` from its middle.
   * @param {number} cell
   */
  #inCell(cell, dx = 0, dy = 0) {
    const { width } = this.#game;
    const row = Math.floor((cell - 1) / width);
    const along = (cell - 1) % width;
    const column = row % 2 === 0 ? along : width - 1 - along;
    return this.#turned({ x: 100 * column + 50 + dx, y: this.#height - 100 * row - 50 + dy });
  }

  /**
   * The place of a piece that is one of `count` on its cell.
   * @param {number} cell
   * @param {number} i
   * @param {number} count
   * @returns {Place}
   */
  #spot(cell, i, count) {
    const [dx, dy, scale] = this.#game.spots[count - 1][i];
    return { ...this.#inCell(cell, dx, dy), scale };
  }

  /** @param {number} cell @param {number} seat */
  #alone(cell, seat) {
    return cell > 0 ? this.#spot(cell, 0, 1) : this.#wait(seat);
  }

  /**
   * @param {number} seat
   * @returns {Place}
   */
  #wait(seat) {
    const [x, y, scale] = this.#game.waiting[seat];
    return { x, y, scale };
  }

  /**
   * The place of each seat's piece at a position.
   * @param {number} index
   */
  #stands(index) {
    const cells = this.#game.cellsAt(index);
    const counts = new Map();
    for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    const placed = new Map();
    return cells.map((cell, seat) => {
      if (cell === 0) return this.#wait(seat);
      const i = placed.get(cell) ?? 0;
      placed.set(cell, i + 1);
      return this.#spot(cell, i, counts.get(cell));
    });
  }

  /** @param {number} seat @param {Place} place */
  #put(seat, { x, y, scale }) {
    this.#pieces[seat].style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  /**
   * The cells that the piece walked over; and, once it jumps, a ring where it landed.
   * @param {Turn | undefined} turn
   * @param {number[]} cells
   * @param {boolean} jumps
   */
  #drawTrail(turn, cells, jumps) {
    const key = turn ? `${turn.seat} ${cells} ${jumps}` : "";
    if (key !== "" && key === this.#shownTrail) return;
    this.#shownTrail = key;
    this.#trail.replaceChildren();
    if (!turn || cells.length === 0) return;
    const points = cells.filter((cell) => cell > 0).map((cell) => this.#alone(cell, turn.seat));
    this.#trail.setAttribute("class", `trail p${turn.seat}`);
    this.#trail.append(svgElement("polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" ") }));
    if (!jumps || turn.to === turn.landed) return;
    const end = this.#alone(Math.max(1, turn.landed), turn.seat);
    this.#trail.append(svgElement("circle", { cx: end.x, cy: end.y, r: 14 }));
  }
}

/**
 * Confetti in the air around a place, in the players' colours.
 * @param {number} joy  0 to 1
 * @param {Place} place
 */
function confettiAt(joy, { x, y }) {
  const scraps = 48;
  return Array.from({ length: scraps }, (_, i) => {
    const direction = i * 2.4; // turned by the golden angle, so that no two fly alike
    const speed = 120 + ((i * 37) % 11) * 28;
    const height = 260 * joy - 520 * joy * joy;
    const left = x + Math.cos(direction) * speed * joy;
    const top = y + Math.sin(direction) * speed * joy * 0.8 - height;
    const turned = (i * 40 + joy * 900) % 360;
    const transform = `translate(${left} ${top}) rotate(${turned})`;
    return svgElement("rect", { class: `p${i % 10}`, x: -7, y: -4, width: 14, height: 8, transform, opacity: 1 - joy ** 3 });
  });
}

/**
 * The winner's height in the air: three leaps, each lower than the one before.
 * @param {number} joy  0 to 1
 */
function leapAt(joy) {
  const leaps = 3;
  const nth = Math.min(leaps - 1, Math.floor(joy * leaps));
  return (70 / 2 ** nth) * Math.sin(Math.PI * (joy * leaps - nth));
}
