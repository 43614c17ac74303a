// The game that the page carries: the facts of its turns, folded once, so that any position is a
// look-up. Nothing here touches the page; no rule of the game is known here but the words for what
// happened, which are those of `snl replay`.

/**
 * `index` counts positions: 0 is where the game, or the branch, begins; `index` + first is the
 * number of the turn that led there.
 */
class Game {
  /** `data` is what game_page.cpp writes. */
  constructor(data) {
    this.players = data.players;
    this.cells = data.cells;
    this.width = data.width;
    this.rows = Math.ceil(data.cells / data.width);
    this.first = data.first;
    this.chances = data.chances; // of each seat, at each position, in 1/10,000; null: none
    this.winner = data.winner;
    this.next = data.next;
    this.recorded = this.#read(data);
    this.turns = this.recorded.filter((turn) => !turn.undone);
    this.count = this.turns.length;
    this.#positions = this.#fold(data.start);
    this.moments = data.moments; // positions after turns that matter, ascending
    this.takenBack = this.recorded.at(-1)?.undone ?? false; // what followed the last position
    if (this.takenBack && this.moments.at(-1) !== this.count) this.moments.push(this.count);
    for (const moment of this.moments) if (moment > 0) this.turns[moment - 1].moment = true;
  }

  #positions; // of the pieces: a cell for each seat, position after position

  /** Every turn in recorded order, those that were taken back too. */
  #read(data) {
    const dice = data.dice.split(" ");
    const undone = new Map(data.undone);
    const cells = [...data.start];
    const chain = []; // what stood before each turn that was in force when the next was recorded
    let inForce = data.first;
    return data.to.map((to, i) => {
      const seat = Number(data.seats[i]);
      const turn = undone.get(i) ?? ++inForce;
      while (chain.length >= turn - data.first) {
        const taken = chain.pop();
        cells[taken.seat] = taken.from;
      }
      const from = cells[seat];
      chain.push({ seat, from });
      cells[seat] = to;
      return {
        turn,
        seat,
        dice: dice[i],
        from,
        landed: data.landed[i],
        to,
        outcome: data.outcomes[i],
        undone: undone.has(i),
      };
    });
  }

  #fold(start) {
    const seats = this.players.length;
    const positions = new Int32Array((this.count + 1) * seats);
    positions.set(start);
    this.turns.forEach((turn, i) => {
      positions.copyWithin((i + 1) * seats, i * seats, (i + 1) * seats);
      positions[(i + 1) * seats + turn.seat] = turn.to;
    });
    return positions;
  }

  /** The cell of each seat. */
  cellsAt(index) {
    const seats = this.players.length;
    return this.#positions.subarray(index * seats, (index + 1) * seats);
  }

  /** The turn that led to a position; undefined at the start. */
  turnAt(index) {
    return this.turns[index - 1];
  }

  /** The seat to move; null once somebody has won. */
  nextAt(index) {
    return index < this.count ? this.turns[index].seat : this.next;
  }

  winnerAt(index) {
    return index === this.count ? this.winner : null;
  }

  /** The nearest moment before (-1) or after (+1) a position; the start or the end if none is. */
  momentFrom(index, direction) {
    if (direction > 0) return this.moments.find((moment) => moment > index) ?? this.count;
    return this.moments.findLast((moment) => moment < index) ?? 0;
  }
}

/** What a turn brought, e.g. "Ann rolls 6-3: 94 → 100, wins". */
function narrate(game, turn) {
  return game.players[turn.seat] + deed(turn);
}

/** The same without the name. */
function deed(turn) {
  return ` rolls ${turn.dice}: ${turn.from} → ${turn.to}${consequence(turn)}`;
}

function consequence(turn) {
  if (turn.outcome === "b") return ", overshoots, stays";
  if (turn.outcome === "f") return ", three sixes, stays";
  let words = "";
  const won = turn.outcome === "w";
  const past = turn.from + distance(turn) !== turn.landed;
  if (past && (!won || turn.landed !== turn.to)) words += `, bounces back to ${turn.landed}`;
  if (turn.to > turn.landed) words += `, up the ladder ${turn.landed} → ${turn.to}`;
  if (turn.to < turn.landed) words += `, down the snake ${turn.landed} → ${turn.to}`;
  return won ? `${words}, wins` : words;
}

function distance(turn) {
  return turn.dice.split("-").reduce((sum, die) => sum + Number(die), 0);
}

/** The cells that a piece walks over in a turn, from where it stood to where it landed. */
function walk(game, turn) {
  const cells = [turn.from];
  if (turn.outcome === "b" || turn.outcome === "f") return cells;
  let cell = turn.from;
  let step = 1;
  for (let left = distance(turn); left > 0; --left) {
    if (cell === game.cells) {
      if (turn.landed === cell && turn.outcome === "w") break; // an overshoot that wins
      step = -1;
    } else if (cell === 1 && step < 0) {
      step = 1;
    }
    cell += step;
    cells.push(cell);
  }
  return cells;
}
