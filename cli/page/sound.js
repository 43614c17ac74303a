// The sounds of a turn, made here: nothing is loaded. There are none until a person asks for them.

class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  #isOn = false;

  toggle() {
    this.#isOn = !this.#isOn;
    this.#context ??= new AudioContext(); // browsers let it sound only after a click or a key
    if (this.#isOn) this.#context.resume();
    return this.#isOn;
  }

  /** A die falls on the table. */
  throw() {
    for (const [delay, pitch] of [[0, 900], [0.06, 700], [0.13, 800], [0.24, 600]]) this.#note(delay, pitch, pitch / 3, 0.04, "square", 0.05);
  }

  /** A piece comes down on a cell. */
  step() {
    this.#note(0, 420, 300, 0.06, "triangle", 0.12);
  }

  slideDown() {
    this.#note(0, 700, 110, 0.8, "sawtooth", 0.06);
  }

  climbUp() {
    for (let rung = 0; rung < 8; ++rung) this.#note(0.1 * rung, 330 * 2 ** (rung / 8), 330 * 2 ** (rung / 8), 0.09, "triangle", 0.12);
  }

  win() {
    for (const [nth, pitch] of [523, 659, 784, 1047, 784, 1047].entries()) this.#note(0.16 * nth, pitch, pitch, nth === 5 ? 0.7 : 0.2, "triangle", 0.14);
  }

  /**
   * A tone that glides from one pitch to another and dies away.
   * @param {number} delay  in seconds, as is the length
   * @param {number} from  in hertz
   * @param {number} to
   * @param {number} length
   * @param {OscillatorType} type
   * @param {number} loudness
   */
  #note(delay, from, to, length, type, loudness) {
    if (!this.#isOn || !this.#context) return;
    const begin = this.#context.currentTime + delay;
    const tone = new OscillatorNode(this.#context, { type, frequency: from });
    const volume = new GainNode(this.#context, { gain: loudness });
    tone.frequency.exponentialRampToValueAtTime(to, begin + length);
    volume.gain.setValueAtTime(loudness, begin);
    volume.gain.exponentialRampToValueAtTime(0.0005, begin + length);
    tone.connect(volume).connect(this.#context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}

/** Makes each sound of a turn once, when its moment has come. */
class TurnSounds {
  #sound;
  /** @type {Telling | null} */
  #telling = null;
  #heard = -1; // milliseconds of the turn that have sounded
  #steps = 0;

  /** @param {Sound} sound */
  constructor(sound) {
    this.#sound = sound;
  }

  /** @param {Telling} telling @param {number} elapsed */
  at(telling, elapsed) {
    if (telling !== this.#telling) {
      this.#telling = telling;
      this.#heard = -1;
      this.#steps = 0;
    }
    /** @param {number} moment */
    const comes = (moment) => this.#heard < moment && elapsed >= moment;
    const { at, turn } = telling;
    if (comes(0)) this.#sound.throw();
    if (telling.slides && comes(at.jumps)) turn.to < turn.landed ? this.#sound.slideDown() : this.#sound.climbUp();
    if (telling.wins && comes(at.over)) this.#sound.win();
    const steps = Math.floor(telling.stepsAt(elapsed));
    if (steps > this.#steps) this.#sound.step();
    this.#steps = steps;
    this.#heard = elapsed;
  }
}
