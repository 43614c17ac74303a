// The timing of a turn. The dice are thrown one after another, and their numbers show. The piece walks, and the
// snake or the ladder takes it. Then come the words, the chances and the win. Times are milliseconds at the
// normal speed.

/** The stages of a turn in their order, each named after the part that has been told by then. */
const stages = Object.freeze({ throwing: 0, thrown: 1, moved: 2, weighed: 3, over: 4 });

const throwing = 450; // the first die
const throwingAgain = 350; // each further one
const face = 75; // of a tumbling die
const showing = 200; // the dice lie, and nothing moves yet
const walking = 150; // a cell
const longestWalk = 1500;
const startling = 150; // before a snake or a ladder takes the piece
const sliding = 800; // along it
const reading = 250; // the words, before the chances; and these, before the win
const resting = 350;
const celebrating = 2600;

// Without motion, each thing is there at once, and stays long enough to be seen.
const stillThrow = 350;
const stillStand = 450;
const stillRest = 600;

/**
 * The times at which the parts of a turn are over.
 * @param {{ turn: Turn, cells: number[], slides: boolean, wins: boolean, still: boolean }} telling
 */
function timesOf({ turn, cells, slides, wins, still }) {
  const thrown = still ? stillThrow : throwing + throwingAgain * (turn.dice.length - 1);
  const setsOut = thrown + (still ? stillStand : showing);
  const walked = setsOut + (still ? 0 : Math.min(longestWalk, walking * (cells.length - 1)));
  const jumps = walked + (still ? stillStand : startling);
  const arrived = slides ? jumps + (still ? 0 : sliding) : walked;
  const moved = arrived + (still ? reading : 0);
  const weighed = moved + reading;
  return { thrown, setsOut, walked, jumps, moved, weighed, over: weighed + (wins ? reading : 0) };
}

/**
 * @param {Game} game
 * @param {number} index
 */
function turnTo(game, index) {
  const turn = game.turnAt(index);
  if (!turn) throw new RangeError(`no turn leads to ${index}`);
  return turn;
}

class Telling {
  /**
   * @param {Game} game
   * @param {number} index  of the position that the turn leads to
   */
  constructor(game, index) {
    this.index = index;
    this.turn = turnTo(game, index);
    this.cells = walk(this.turn);
    this.slides = this.turn.to !== this.turn.landed;
    this.wins = this.turn.won !== "";
    this.faces = game.faces;
    this.still = wantsNoMotion();
    this.at = timesOf(this);
    this.duration = this.at.over + (this.still ? stillRest : resting) + (this.wins ? celebrating : 0);
  }

  /** @param {number} elapsed */
  stageAt(elapsed) {
    if (elapsed < this.at.thrown) return stages.throwing;
    if (elapsed < this.at.moved) return stages.thrown;
    if (elapsed < this.at.weighed) return stages.moved;
    return elapsed < this.at.over ? stages.weighed : stages.over;
  }

  /**
   * The faces of the dice: those that were thrown, and the one that tumbles.
   * @param {number} elapsed
   * @returns {Die[]}
   */
  diceAt(elapsed) {
    const { dice } = this.turn;
    if (elapsed >= this.at.thrown) return dice.map((value) => ({ value, tumbling: false }));
    if (this.still) return [{ value: 0, tumbling: true }];
    const lying = elapsed < throwing ? 0 : 1 + Math.floor((elapsed - throwing) / throwingAgain);
    const turned = Math.floor(elapsed / face);
    const value = 1 + ((5 * turned + 3 * this.index) % this.faces);
    return [...dice.slice(0, lying).map((die) => ({ value: die, tumbling: false })), { value, tumbling: true }];
  }

  /**
   * The number of steps that have been walked, with a fraction.
   * @param {number} elapsed
   */
  stepsAt(elapsed) {
    const all = this.cells.length - 1;
    if (elapsed < this.at.setsOut || all === 0) return 0;
    if (elapsed >= this.at.walked) return all;
    return ((elapsed - this.at.setsOut) / (this.at.walked - this.at.setsOut)) * all;
  }

  /**
   * The part of the snake or the ladder that is behind it: 0 to 1, slowly at both ends.
   * @param {number} elapsed
   */
  slideAt(elapsed) {
    if (!this.slides || elapsed < this.at.jumps) return 0;
    if (this.still) return 1;
    const t = Math.min(1, (elapsed - this.at.jumps) / sliding);
    return t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t);
  }

  /**
   * The progress of the winner's joy: 0 to 1; 0 if nobody wins, or nothing may move.
   * @param {number} elapsed
   */
  joyAt(elapsed) {
    if (!this.wins || this.still || elapsed < this.at.over) return 0;
    return Math.min(1, (elapsed - this.at.over) / celebrating);
  }
}
