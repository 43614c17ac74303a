// The game that the page carries: the facts of its turns, folded once, so that any position is a
// look-up. Nothing here touches the page, and no rule of the game is known here: what a turn did, and
// the words for it, come with the data, which game_data.cpp writes.

/**
 * `index` counts positions: 0 is where the game, or the branch, begins; `index` + first is the
 * number of the turn that led there.
 */
class Game {
  #positions; // of the pieces: a cell for each seat, position after position
  #never; // at each position a digit: 1 where nobody may win, 2 where nobody can; null: somebody will

  constructor(data) {
    this.players = data.players;
    this.cutShort = data.cutShort;
    this.cells = data.cells;
    this.width = data.width;
    this.rows = Math.ceil(data.cells / data.width);
    this.faces = data.faces;
    this.first = data.first;
    this.chances = data.chances; // of each seat, at each position, in 1/10,000; null: none
    this.winner = data.winner;
    this.next = data.next;
    this.words = data.words;
    this.recorded = this.#read(data);
    this.turns = this.recorded.filter((turn) => !turn.undone);
    this.count = this.turns.length;
    this.#positions = this.#fold(data.start);
    this.#never = data.never;
    this.moments = data.moments; // positions that are worth stopping at, ascending
    for (const moment of this.moments) if (moment > 0) this.turns[moment - 1].moment = true;
  }

  /** Every turn in recorded order, those that were taken back too. */
  #read(data) {
    const moves = data.moves.map(([dice, way, to, brought]) => ({
      dice: dice.split("-").map(Number),
      way,
      from: way[0],
      landed: way.at(-1),
      to,
      rolled: this.words.rolls + dice,
      brought,
    }));
    const undone = new Map(data.undone);
    let inForce = data.first;
    return data.played.map((move, i) => ({
      turn: undone.get(i) ?? ++inForce,
      seat: Number(data.seats[i]),
      undone: undone.has(i),
      ...moves[move],
    }));
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

  /** Why the chances at a position don't add up, in words; or nothing. */
  neverAt(index) {
    return this.words.never[this.#never?.[index] ?? 0];
  }

  /** The nearest moment before (-1) or after (+1) a position; the start or the end if none is. */
  momentFrom(index, direction) {
    if (direction > 0) return this.moments.find((moment) => moment > index) ?? this.count;
    return this.moments.findLast((moment) => moment < index) ?? 0;
  }

  /** A piece that is off the board has no number. */
  cellWords(cell) {
    return cell === 0 ? this.words.off : String(cell);
  }
}

/** What a turn brought, after the name: " rolls 6-3: 94 → 100, wins". */
function deed(game, turn) {
  return turn.rolled + turn.brought + (turn.undone ? game.words.undone : "");
}

/** The cells that a piece walks over in a turn, from where it stood to where it landed. */
function walk({ way }) {
  const cells = [way[0]];
  for (const turningPoint of way.slice(1))
    while (cells.at(-1) !== turningPoint) cells.push(cells.at(-1) + Math.sign(turningPoint - cells.at(-1)));
  return cells;
}
