// A game as it is shown: the facts of its turns, folded once, so that any position is a look-up. Nothing
// here touches the page or knows a rule of the game. The effects of turns, their words, chances and moments
// come with the data.

/**
 * A turn: its dice; the cells where the piece set out, turned round and landed; the cell where it came to
 * rest; and the result, in words. A turn that wins has words for the win. On a board with powers, and where
 * pieces are captured, a turn has further effects.
 * @typedef {[dice: string, path: number[], to: number, resultText: string, won?: string, effects?: Effects]} Move
 *
 * The cell to which dice and jump carried the piece; the moves of other pieces, as [seat, cell]; the next
 * seat; and the shields and turns to miss of each player for whom they changed.
 * @typedef {[rest: number, others: [seat: number, cell: number][], next: number | null, tallies?: Tally[]]} Effects
 * @typedef {[seat: number, shields: number, misses: number]} Tally
 *
 * A turn that is added to a live game, and the game after it. Chances are of each seat, in 1/10,000.
 * @typedef {{ seat: number, move: Move, next: number | null, winner: number | null, chances?: number[],
 *   never?: number, moments?: number[],
 *   highlights?: LuckyThrow[] }} Addition
 *
 * @typedef {{ turn: number, seat: number, undone: boolean, moment: boolean, dice: number[], path: number[],
 *   from: number, landed: number, rest: number, to: number, rolled: string, resultText: string, won: string,
 *   others: [seat: number, cell: number][], tallies: Tally[] }} Turn
 *
 * @typedef {{ board: string, off: string, on: string, next: string, winner: string, toMoveAfter: string,
 *   winsAfter: string, turns: string[], start: string, startOfList: string, undone: string, rolls: string, shields: string[], misses: string[],
 *   takenBack: string, never: string[] }} Words
 *
 * The data of game_data.cpp; game_data.hpp describes it.
 * @typedef {{ players: string[], cutShort: number[], cells: number, width: number, faces: number,
 *   first: number, start: number[], tallies: [shields: number, misses: number][], next: number | null, winner: number | null, moves: Move[], seats: string,
 *   played: number[], undone: [number, number][], moments: number[], highlights: LuckyThrow[],
 *   chances: number[][] | null, never: string | null, spots: Stand[][], waiting: Stand[], words: Words }} GameData
 *
 * The words about a throw, after the player's name. @typedef {[index: number, seat: number, words: string]} LuckyThrow
 *
 * The place of a piece: x, y and its scale.
 * @typedef {[number, number, number]} Stand
 */

/**
 * `index` counts positions. 0 is the beginning of the game, or of the branch; `index` + first is the number
 * of the turn that led there.
 */
class Game {
  #next; // the seat to move at the end; null once somebody has won
  #winner;
  /** The cells of the pieces, position after position. @type {number[][]} */
  #positions;
  /** Each player's shields and turns to miss at them. @type {[shields: number, misses: number][][]} */
  #tallies;
  /** For each position: 1 if perhaps nobody wins, 2 if nobody can. @type {number[]} */
  #never;

  /** @param {GameData} data */
  constructor(data) {
    this.players = data.players;
    this.cutShort = data.cutShort;
    this.cells = data.cells;
    this.width = data.width;
    this.rows = Math.ceil(data.cells / data.width);
    this.faces = data.faces;
    this.first = data.first;
    this.spots = data.spots; // the places of pieces in a cell, by their number
    this.waiting = data.waiting; // their places off the board, by seat
    this.chances = data.chances; // of each seat, at each position; null: none
    this.words = data.words;
    this.highlights = data.highlights;
    this.#next = data.next;
    this.#winner = data.winner;
    this.recorded = this.#read(data); // every turn, also those that were taken back
    this.turns = this.recorded.filter((turn) => !turn.undone);
    this.#positions = [data.start];
    this.#tallies = [data.tallies];
    for (const turn of this.turns) this.#fold(turn);
    this.#never = Array.from(data.never ?? "", Number);
    /** Positions that are worth stopping at, ascending. @type {number[]} */
    this.moments = [];
    this.#mark(data.moments);
  }

  get count() {
    return this.turns.length;
  }

  /** Whether the turn that was played last was taken back. */
  get endsTakenBack() {
    return this.recorded[this.recorded.length - 1]?.undone ?? false;
  }

  /**
   * @param {GameData} data
   * @returns {Turn[]}
   */
  #read(data) {
    const undone = new Map(data.undone);
    let inForce = data.first;
    return data.played.map((move, i) => {
      const turn = undone.get(i) ?? ++inForce;
      return this.#turnOf(turn, Number(data.seats[i]), data.moves[move], undone.has(i));
    });
  }

  /**
   * @param {number} turn
   * @param {number} seat
   * @param {Move} move
   * @returns {Turn}
   */
  #turnOf(turn, seat, [dice, path, to, resultText, won = "", effects], undone = false) {
    const landed = path[path.length - 1];
    const rolled = this.words.rolls + dice;
    const [rest = to, others = [], , tallies = []] = effects ?? [];
    return { turn, seat, undone, moment: false, dice: dice.split("-").map(Number), path, from: path[0], landed, rest, to, rolled, resultText, won, others, tallies };
  }

  /** @param {Turn} turn */
  #fold(turn) {
    const cells = [...this.#positions[this.#positions.length - 1]];
    cells[turn.seat] = turn.to;
    for (const [seat, cell] of turn.others) cells[seat] = cell;
    this.#positions.push(cells);
    const tallies = [...this.#tallies[this.#tallies.length - 1]];
    for (const [seat, shields, misses] of turn.tallies) tallies[seat] = [shields, misses];
    this.#tallies.push(tallies);
  }

  /** @param {number[]} moments */
  #mark(moments) {
    for (const index of this.moments) if (this.turns[index - 1]) this.turns[index - 1].moment = false;
    this.moments = moments.filter((index) => index <= this.count);
    for (const index of this.moments) if (index > 0) this.turns[index - 1].moment = true;
  }

  // ---- A live game

  /** @param {Addition} addition */
  append({ seat, move, next, winner, chances, never = 0, moments, highlights }) {
    const turn = this.#turnOf(this.first + this.count + 1, seat, move);
    this.recorded.push(turn);
    this.turns.push(turn);
    this.#fold(turn);
    this.#next = next;
    this.#winner = winner;
    this.chances?.forEach((list, seat) => list.push((chances ?? [])[seat]));
    this.#never[this.count] = never;
    this.#mark(moments ?? this.moments);
    this.highlights = highlights ?? this.highlights;
  }

  /** Takes back so many turns, or all if there are fewer. */
  undo(count = 1) {
    for (let i = 0; i < count && this.count > 0; ++i) {
      const turn = this.turns[this.count - 1];
      turn.undone = true;
      this.chances?.forEach((list) => list.pop());
      this.turns.pop();
      this.#positions.pop();
      this.#tallies.pop();
      this.#next = turn.seat;
      this.#winner = null;
    }
    this.highlights = this.highlights.filter(([index]) => index <= this.count);
    this.#mark(this.moments);
  }

  // ---- Looking things up

  /**
   * The cell of each seat.
   * @param {number} index
   */
  cellsAt(index) {
    return this.#positions[index];
  }

  /**
   * A player's effects, " (2 shields, misses 1 turn)"; empty for most.
   * @param {number} index
   * @param {number} seat
   */
  tallyWords(index, seat) {
    const [shields, misses] = this.#tallies[index][seat];
    const words = [this.words.shields[shields], this.words.misses[misses]].filter(Boolean).join(", ");
    return words && ` (${words})`;
  }

  /**
   * The place of a player's piece, and the player's effects.
   * @param {number} index
   * @param {number} seat
   */
  whereabouts(index, seat) {
    const cell = this.cellsAt(index)[seat];
    return `${this.players[seat]} ${cell === 0 ? "" : this.words.on}${this.cellWords(cell)}${this.tallyWords(index, seat)}`;
  }

  /**
   * The turn that led to a position; none led to the start.
   * @param {number} index
   * @returns {Turn | undefined}
   */
  turnAt(index) {
    return this.turns[index - 1];
  }

  /**
   * The seat to move; null once somebody has won.
   * @param {number} index
   */
  nextAt(index) {
    return index < this.count ? this.turns[index].seat : this.#next;
  }

  /** @param {number} index */
  winnerAt(index) {
    return index === this.count ? this.#winner : null;
  }

  /**
   * Why the chances at a position don't add up, in words; or nothing.
   * @param {number} index
   */
  neverAt(index) {
    return this.words.never[this.#never[index] ?? 0];
  }

  /**
   * The nearest moment before (-1) or after (+1) a position; the start or the end if none is.
   * @param {number} index
   * @param {number} direction
   */
  momentFrom(index, direction) {
    if (direction > 0) return this.moments.find((moment) => moment > index) ?? this.count;
    return [...this.moments].reverse().find((moment) => moment < index) ?? 0;
  }

  /**
   * A piece that is off the board has no number.
   * @param {number} cell
   */
  cellWords(cell) {
    return cell === 0 ? this.words.off : String(cell);
  }
}

/**
 * A turn's sentence, after the name: " rolls 6-3: 94 → 100, wins".
 * @param {Game} game
 * @param {Turn} turn
 */
const deed = (game, turn) => turn.rolled + turn.resultText + turn.won + (turn.undone ? game.words.undone : "");

/**
 * The cells that a piece walks over in a turn, from where it stood to where it landed.
 * @param {Turn} turn
 */
function walk({ path }) {
  const cells = [path[0]];
  let at = path[0];
  for (const turningPoint of path.slice(1))
    while (at !== turningPoint) {
      at += Math.sign(turningPoint - at);
      cells.push(at);
    }
  return cells;
}
