// How a turn is told, in time: the dice are thrown one after another, the piece walks, the snake or
// the ladder takes it; then the turn has been told. Times are milliseconds at the normal speed.

const throwing = 450; // the first die
const throwingAgain = 350; // each further one
const face = 75; // that a tumbling die shows
const walking = 150; // a cell
const longestWalk = 1500;
const sliding = 800; // along a snake or a ladder
const resting = 450;

// Without motion: the dice are read, then the piece is there.
const reading = 450;
const standing = 1200; // the whole turn

class Telling {
  constructor(game, index) {
    this.index = index; // of the position that the turn leads to
    this.turn = game.turnAt(index);
    this.cells = walk(this.turn);
    this.slides = this.turn.to !== this.turn.landed;
    this.faces = game.faces;
    this.still = noMotion.matches;
    this.thrown = this.still ? 0 : throwing + throwingAgain * (this.turn.dice.length - 1);
    this.walked = this.thrown + Math.min(longestWalk, walking * (this.cells.length - 1));
    this.arrived = this.still ? reading : this.walked + (this.slides ? sliding : 0);
    this.duration = this.still ? standing : this.arrived + resting;
  }

  /** "throwing"; "thrown", when the number shows and the piece is on its way; "told". */
  stageAt(elapsed) {
    if (elapsed >= this.arrived) return "told";
    return elapsed < this.thrown ? "throwing" : "thrown";
  }

  /** What the dice show: those that were thrown, and the one that tumbles. */
  diceAt(elapsed) {
    const { dice } = this.turn;
    if (elapsed >= this.thrown) return dice.map((value) => ({ value, tumbling: false }));
    const lying = elapsed < throwing ? 0 : 1 + Math.floor((elapsed - throwing) / throwingAgain);
    const turned = Math.floor(elapsed / face);
    const value = 1 + ((5 * turned + 3 * this.index) % this.faces);
    return [...dice.slice(0, lying).map((die) => ({ value: die, tumbling: false })), { value, tumbling: true }];
  }

  /** How many steps have been walked, with a fraction. */
  stepsAt(elapsed) {
    const all = this.cells.length - 1;
    if (elapsed <= this.thrown || all === 0) return 0;
    return Math.min(1, (elapsed - this.thrown) / (this.walked - this.thrown)) * all;
  }

  /** How much of the snake or the ladder is behind it: 0 to 1, slowly at both ends. */
  slideAt(elapsed) {
    if (!this.slides || elapsed <= this.walked) return 0;
    const t = Math.min(1, (elapsed - this.walked) / sliding);
    return t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t);
  }
}
