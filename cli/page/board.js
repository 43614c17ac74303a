// The pieces on the board, the dice, and the board as a table.

const svgNamespace = "http://www.w3.org/2000/svg";

function svgElement(name, attributes = {}) {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const byId = (id) => document.getElementById(id);

/** A name as an element; of a long one that is cut short, the whole is in its title. */
function nameElement(name) {
  const element = document.createElement("bdi");
  element.textContent = name;
  if ([...name].length > 20) element.title = name;
  return element;
}

const noMotion = matchMedia("(prefers-reduced-motion: reduce)");

// How long a turn takes at the normal speed, in milliseconds.
const throwing = 450;
const walking = 150; // a cell
const longestWalk = 1500;
const sliding = 800; // along a snake or a ladder
const resting = 450;
const standing = 1200; // a whole turn where nothing moves

const eased = (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t));
const between = (a, b, t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });

class Board {
  #game;
  #spots; // where pieces stand in a cell, by how many there are: [dx, dy, scale]
  #waiting; // where they stand off the board, by seat: [x, y, scale]
  #pieces = [];
  #snakes = new Map(); // the path along each, by the cell of its head
  #flipped = false;

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
    byId("board").classList.toggle("flipped", this.#flipped); // numbers stay upright
    const art = document.querySelector("#board .board");
    if (this.#flipped) art.setAttribute("transform", `matrix(1 0 0 -1 0 ${this.#height})`);
    else art.removeAttribute("transform");
  }

  /** The pieces after a turn, with the way it took. */
  show(index) {
    const cells = this.#game.cellsAt(index);
    this.#stand(cells, null);
    this.#drawTrail(this.#game.turnAt(index));
  }

  /** The pieces `elapsed` milliseconds into the turn that leads to `index`. */
  showMoving(index, elapsed) {
    const turn = this.#game.turnAt(index);
    this.#stand(this.#game.cellsAt(index - 1), turn.seat);
    this.#put(turn.seat, this.#onTheWay(turn, elapsed), true);
    this.#drawTrail(turn);
  }

  duration(turn) {
    if (noMotion.matches) return standing;
    return throwing + this.#walkTime(turn) + (turn.to === turn.landed ? 0 : sliding) + resting;
  }

  #walkTime(turn) {
    return Math.min(longestWalk, walking * (walk(this.#game, turn).length - 1));
  }

  #onTheWay(turn, elapsed) {
    const cells = walk(this.#game, turn);
    const time = this.#walkTime(turn);
    const walked = Math.min(1, Math.max(0, (elapsed - throwing) / time)) * (cells.length - 1);
    if (turn.to !== turn.landed && elapsed > throwing + time)
      return this.#alongJump(turn, eased(Math.min(1, (elapsed - throwing - time) / sliding)));
    if (cells.length === 1) return this.#place(turn.from, turn.seat);
    const step = Math.min(Math.floor(walked), cells.length - 2);
    const point = between(
      this.#place(cells[step], turn.seat),
      this.#place(cells[step + 1], turn.seat),
      walked - step,
    );
    return { x: point.x, y: point.y - 22 * Math.sin(Math.PI * (walked - step)) };
  }

  #alongJump(turn, t) {
    const spine = turn.to < turn.landed ? this.#snakes.get(turn.landed) : null;
    if (!spine) return between(this.#place(turn.landed, turn.seat), this.#place(turn.to, turn.seat), t);
    const point = spine.getPointAtLength(t * spine.getTotalLength());
    const [dx, dy] = this.#spots[0][0].map((offset) => offset * (2 * t - 1) ** 2); // off it at its ends only
    return this.#turned({ x: point.x + dx, y: point.y + dy });
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

  /** Where a piece that is alone stands. */
  #place(cell, seat) {
    const [x, y] = cell > 0 ? this.#spots[0][0] : this.#waiting[seat];
    return cell > 0 ? this.#inCell(cell, x, y) : { x, y };
  }

  #stand(cells, except) {
    const crowds = new Map();
    cells.forEach((cell, seat) => {
      if (seat === except) return;
      if (!crowds.has(cell)) crowds.set(cell, []);
      crowds.get(cell).push(seat);
    });
    for (const [cell, seats] of crowds)
      seats.forEach((seat, i) => {
        if (cell === 0) {
          const [x, y, scale] = this.#waiting[seat];
          return this.#put(seat, { x, y, scale }, false);
        }
        const [dx, dy, scale] = this.#spots[seats.length - 1][i];
        this.#put(seat, { ...this.#inCell(cell, dx, dy), scale }, false);
      });
  }

  #put(seat, { x, y, scale = 1 }, moving) {
    const piece = this.#pieces[seat];
    piece.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    if (piece.classList.contains("moving") === moving) return;
    piece.classList.toggle("moving", moving);
    if (moving) piece.parentNode.append(piece); // over the others
  }

  #drawTrail(turn) {
    const trail = byId("trail");
    trail.replaceChildren();
    if (!turn) return;
    const cells = walk(this.#game, turn);
    const points = cells.filter((cell) => cell > 0).map((cell) => this.#place(cell, turn.seat));
    const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
    trail.setAttribute("class", `p${turn.seat}`);
    trail.append(svgElement("polyline", { points: line }));
    const end = this.#place(Math.max(1, turn.landed), turn.seat);
    if (turn.to !== turn.landed) trail.append(svgElement("circle", { cx: end.x, cy: end.y, r: 14 }));
  }
}

// Which of a die's nine places have a spot, row after row, for 1 to 6.
const pips = ["000010000", "100000001", "100010001", "101000101", "101010101", "101101101"];

/** A die as a picture; one of more than six faces has its number. */
function drawDie(value) {
  const die = svgElement("svg", { viewBox: "0 0 48 48", class: "die" });
  die.append(svgElement("rect", { x: 2, y: 2, width: 44, height: 44, rx: 9 }));
  if (value > 6) {
    const number = svgElement("text", { x: 24, y: 31 });
    number.textContent = value;
    die.append(number);
    return die;
  }
  [...pips[value - 1]].forEach((pip, i) => {
    if (pip === "1")
      die.append(svgElement("circle", { cx: 12 + 12 * (i % 3), cy: 12 + 12 * Math.floor(i / 3), r: 4.4 }));
  });
  return die;
}

/** The players' table and the board's. */
class Tables {
  #game;
  #rows;
  #occupied = [...byId("cells").querySelectorAll("b")]; // who is where
  #cells = null; // of the board's table, by number

  constructor(game) {
    this.#game = game;
    this.#rows = [...byId("players").rows];
  }

  show(index) {
    const cells = this.#game.cellsAt(index);
    this.#rows.forEach((row, seat) => {
      row.querySelector(".cell").textContent = cells[seat] === 0 ? "off the board" : cells[seat];
      row.querySelector(".status").textContent =
        this.#game.winnerAt(index) === seat ? "winner" : this.#game.nextAt(index) === seat ? "to move" : "";
      if (this.#game.chances) this.#showChance(row, seat, index);
    });
    this.#showCells(cells);
    const where = this.#game.players.map((name, seat) => `${name} ${cells[seat] === 0 ? "off the board" : `on ${cells[seat]}`}`);
    byId("board").setAttribute("aria-label", `A board of ${this.#game.cells} cells. ${where.join(", ")}.`);
  }

  #showChance(row, seat, index) {
    const now = this.#game.chances[seat][index];
    const change = index > 0 ? now - this.#game.chances[seat][index - 1] : 0;
    row.querySelector(".percent").textContent = `${(now / 100).toFixed(1)} %`;
    row.querySelector(".change").textContent =
      change === 0 ? "" : `${change > 0 ? "+" : "−"}${(Math.abs(change) / 100).toFixed(1)}`;
    row.querySelector(".bar rect").setAttribute("width", now / 100);
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
      place.append(nameElement(this.#game.players[seat]));
    });
  }
}
