// Plays a game: it knows the position that is shown and the turn that is being told, and changes them with
// time and on request. It shows itself through the other parts of its root.

class Player {
  #root;
  #game;
  #board;
  #tables;
  #chances;
  #turnList;
  #marks;
  #zoom;
  #details;
  #dice;
  #announcer;
  #slider;
  #number;

  #index = 0; // the position that is shown, or left by the turn that is being told
  /** The turn after it, while it is being told. @type {Telling | null} */
  #telling = null;
  #elapsed = 0; // milliseconds into it
  #until = 0; // the position at which to stop
  isPlaying = false;
  #horizon = 0; // the last position that may be seen: all after it is still to be told
  isRevealed = false; // a person asked to see the result
  #live;
  #following; // whether the end is shown whenever it moves
  /** The time of the last frame; null: none is asked for. @type {number | null} */
  #frameAt = null;
  /** The values on the page. @type {Record<string, unknown>} */
  #shown = {};
  #sound = new Sound();
  #sounds = new TurnSounds(this.#sound);
  speed = 1;
  onPlaying = () => {}; // called when it begins or stops playing
  onRevealing = () => {}; // called when the horizon changes
  /** Called with the turn where it comes to rest. @type {(turn: number) => void} */
  onSettled = () => {};

  /**
   * A player of one game, in elements as player.html has them. It opens at the start, and hides all that is
   * still to come. A live one opens at the end, which it follows.
   * @param {HTMLElement} root
   * @param {Game} game
   * @param {{ live?: boolean }} options
   */
  constructor(root, game, { live = false } = {}) {
    this.#root = root;
    this.#game = game;
    this.#live = this.#following = live;
    if (live) this.#index = game.count;
    this.#see(this.#index);
    makeIdsUnique(root);
    this.#board = new Board(root, game);
    this.#tables = new Tables(root, game);
    this.#chances = new ChancesGraph(root, game, (index) => this.seek(index));
    this.#turnList = new TurnList(root, game, (index) => this.seek(index));
    this.#marks = new Marks(root, game, (index) => this.seek(index));
    this.#zoom = new Zoom(root, game);
    this.#dice = new Dice(root);
    this.#announcer = new Announcer(root);
    this.#slider = partAs(root, "slider", HTMLInputElement);
    this.#number = partAs(root, "turn-number", HTMLInputElement);
    new Controls(root, this);
    new Gestures(root, this);
    this.#details = new Details(root, game, this);
    this.#refresh();
    part(root, "playback").hidden = false;
    root.classList.remove("opening");
  }

  /** The position that the turn under way leads to, or else the one that is shown. */
  get index() {
    return this.#telling?.index ?? this.#index;
  }

  /** The last position that has been told to its end. */
  get finishedIndex() {
    return this.#index;
  }

  /** The number of the turn that led there. */
  get turn() {
    return this.#game.first + this.index;
  }

  /** Whether something is still to be told, and so is hidden. */
  get hides() {
    return this.#horizon < this.#game.count;
  }

  /** Whether this is a live game's player that doesn't follow the end. */
  get isBehind() {
    return this.#live && !this.#following;
  }

  /** @param {number} index */
  #clamped(index) {
    return Math.min(this.#game.count, Math.max(0, index));
  }

  // ---- The horizon

  /**
   * Marks a position, and all before it, as told. Once that is the last one, nothing is left to hide.
   * @param {number} index
   */
  #see(index) {
    this.#horizon = Math.max(this.#horizon, index);
    if (this.#horizon >= this.#game.count) this.#horizon = Infinity;
  }

  /** From now on hides all after the position that is shown. */
  #hide() {
    if (!this.isRevealed) this.#horizon = this.#index;
  }

  /** @param {boolean} revealed */
  reveal(revealed) {
    this.isRevealed = revealed;
    if (revealed) this.#horizon = Infinity;
    else this.#hide();
    this.#show();
  }

  // ---- Moving

  /** @param {number} index */
  seek(index) {
    this.#following = false;
    this.#goTo(this.#clamped(index));
  }

  /** @param {number} turn */
  seekTurn(turn) {
    this.seek(turn - this.#game.first);
  }

  /**
   * Goes where a link to a turn leads: there is nothing to hide from its reader.
   * @param {number} turn
   */
  goToTurn(turn) {
    this.#horizon = Infinity;
    this.seekTurn(turn);
  }

  /** @param {number} index */
  #goTo(index) {
    this.#index = index;
    this.#see(index);
    if (index === this.#game.count) this.#stop();
    else this.#begin(this.isPlaying ? index + 1 : null);
    this.#show();
    if (!this.isPlaying) this.#settled();
  }

  /** @param {number | null} index  of the position that the turn leads to */
  #begin(index) {
    this.#telling = index === null ? null : new Telling(this.#game, index);
    this.#elapsed = 0;
  }

  #settled() {
    if (this.#live) this.#following = this.#index === this.#game.count;
    this.#root.classList.remove("at-start");
    this.onSettled(this.turn);
    this.onPlaying();
    this.#announcer.sayPosition(textOf(this.#sentence(this.#index, stages.over)));
  }

  /**
   * Tells turns from here to a position.
   * @param {number} until
   * @param {boolean} playing  whether a person sees it as playing
   */
  #run(until, playing) {
    this.#until = until;
    this.isPlaying = playing;
    this.#root.classList.remove("at-start");
    if (!this.#telling) {
      this.#hide();
      this.#begin(this.#index + 1);
    }
    this.onPlaying();
    this.#show();
    if (this.#frameAt !== null) return;
    this.#frameAt = performance.now();
    requestAnimationFrame((time) => this.#frame(time));
  }

  #stop() {
    this.isPlaying = false;
    this.#begin(null);
    this.onPlaying();
  }

  play() {
    if (this.#game.count === 0) return;
    if (this.#index === this.#game.count) {
      this.#index = 0;
      this.#following = false;
    }
    this.#run(this.#game.count, true);
    this.#announcer.say("Playing");
  }

  /** Ends at once a turn that is being told. */
  pause() {
    this.#finishTurn();
    this.#show();
    this.#settled();
  }

  #finishTurn() {
    this.#index = this.index;
    this.#see(this.#index);
    this.#stop();
  }

  togglePlaying() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** @param {number} turns */
  step(turns) {
    const index = this.#clamped(this.index + turns);
    if (Math.abs(turns) === 1) this.#finishTurn(); // going turn by turn pauses the game
    if (turns !== 1 || index === this.#index) this.seek(index);
    else this.#run(index, false);
  }

  /** @param {number} direction */
  seekMoment(direction) {
    this.seek(this.#game.momentFrom(this.index, direction));
  }

  /** @param {number} tenth */
  seekTenth(tenth) {
    this.seek(Math.round((this.#game.count * tenth) / 10));
  }

  /** @param {number} time */
  #frame(time) {
    if (!this.#telling || this.#frameAt === null) {
      this.#frameAt = null;
      return;
    }
    this.#elapsed += Math.min(200, Math.max(0, time - this.#frameAt)) * this.speed;
    this.#frameAt = time;
    this.#sounds.at(this.#telling, this.#elapsed);
    while (this.#telling && this.#elapsed >= this.#telling.duration) this.#endTurn(this.#telling.duration);
    this.#show();
    requestAnimationFrame((next) => this.#frame(next));
  }

  /** @param {number} duration */
  #endTurn(duration) {
    const left = this.#elapsed - duration;
    this.#see(++this.#index);
    if (this.isPlaying) this.#announceTurn();
    if (this.#index >= this.#until) {
      this.#stop();
      this.#settled();
    } else {
      this.#begin(this.#index + 1);
      this.#elapsed = left;
    }
  }

  #announceTurn() {
    const isLast = this.#index === this.#game.count;
    if (isLast || (this.#game.turnAt(this.#index)?.moment && this.#announcer.isQuiet))
      this.#announcer.say(textOf(this.#sentence(this.#index, stages.over)));
  }

  // ---- A live game

  /**
   * Adds a turn that was played, and tells it if the end is followed.
   * @param {Addition} addition
   * @param {boolean} [isMissed]  another one follows: it is shown at once
   */
  append(addition, isMissed = false) {
    const isAllShown = this.#horizon >= this.#game.count; // though its last turn may still rest
    if (this.#following && !this.isRevealed && isAllShown) this.#horizon = this.index;
    this.#game.append(addition);
    if (isMissed && this.#following) {
      this.#index = this.#game.count;
      this.#see(this.#index);
      this.#stop();
    }
    this.#refresh();
    if (this.#following && !isMissed) this.#run(this.#game.count, false);
  }

  /** Takes back turns that were taken back in the game. */
  undo(count = 1) {
    if (this.#telling) this.#finishTurn();
    this.#game.undo(count);
    this.#horizon = Infinity;
    this.#index = this.#following ? this.#game.count : this.#clamped(this.#index);
    this.#refresh();
    this.#settled();
  }

  /** Shows the end, now and whenever it moves. */
  followLive() {
    this.seek(this.#game.count);
  }

  /** Brings the number of turns up to date. */
  #refresh() {
    const { first, count } = this.#game;
    if (this.#live || count === 0) this.#root.classList.remove("at-start");
    this.#slider.max = String(count); // before it can have a value
    this.#number.min = String(first);
    this.#number.max = String(first + count);
    part(this.#root, "of-turns").textContent = `of ${first + count}`;
    this.#shown = {};
    this.#chances.refresh();
    this.#turnList.refresh();
    this.onPlaying();
    this.#show();
  }

  // ---- Showing

  flip() {
    this.#board.flip();
    this.#show();
    return this.#board.flipped;
  }

  /** @param {number} factor */
  zoom(factor) {
    this.#zoom.by(factor);
  }

  toggleSound() {
    return this.#sound.toggle();
  }

  toggleChances() {
    this.#chances.toggle();
  }

  /** Corrects the number that somebody typed into the field of the turn. */
  showNumber() {
    this.#number.value = String(this.turn);
  }

  #show() {
    const telling = this.#telling;
    const stage = telling ? telling.stageAt(this.#elapsed) : stages.over;
    if (telling) this.#board.showTelling(telling, this.#elapsed);
    else this.#board.show(this.#index);
    this.#dice.show(telling ? telling.diceAt(this.#elapsed) : this.#diceAtRest());
    this.#showWords(this.index, stage);
    this.#showProgress(stage);
  }

  #diceAtRest() {
    return this.#game.turnAt(this.#index)?.dice.map((value) => ({ value, tumbling: false })) ?? [];
  }

  /** @param {number} index @param {number} stage */
  #showWords(index, stage) {
    if (this.#hasChanged("number", index)) {
      this.#slider.value = String(index);
      this.showNumber();
    }
    if (!this.#hasChanged("words", `${index} ${stage}`)) return;
    const sentence = this.#sentence(index, stage);
    part(this.#root, "sentence").replaceChildren(...sentence);
    this.#slider.setAttribute("aria-valuetext", textOf(sentence));
  }

  /**
   * The tables, the graph and the list, each as far as the turn has been told.
   * @param {number} stage
   */
  #showProgress(stage) {
    /** @param {number} least */
    const from = (least) => (stage >= least ? this.index : this.#index);
    const [moved, weighed, over] = [stages.moved, stages.weighed, stages.over].map(from);
    this.#see(over);
    if (this.#hasChanged("cells", moved)) this.#tables.showCells(moved);
    if (this.#hasChanged("chances", weighed)) this.#tables.showChances(weighed);
    if (this.#hasChanged("graph", `${weighed} ${this.#horizon}`))
      this.#chances.show(weighed, Math.max(weighed, this.#horizon));
    if (!this.#hasChanged("over", `${over} ${this.#horizon}`)) return;
    this.#tables.showStatus(over);
    this.#details.refresh();
    this.#turnList.show(over, this.#horizon);
    this.#marks.show(this.#horizon, this.#live || !this.hides);
    part(this.#root, "result").replaceChildren(...this.#standing(this.hides ? over : this.#game.count));
    this.onRevealing();
  }

  /**
   * Whether a value on the page is out of date; after this it counts as up to date.
   * @param {string} what
   * @param {unknown} value
   */
  #hasChanged(what, value) {
    const changed = this.#shown[what] !== value;
    this.#shown[what] = value;
    return changed;
  }

  /**
   * The player to move at a position, or the winner.
   * @param {number} index
   */
  #standing(index) {
    const { toMoveAfter, winsAfter, turns } = this.#game.words;
    const turn = this.#game.first + index;
    const winner = this.#game.winnerAt(index);
    const who = winner ?? this.#game.nextAt(index) ?? 0;
    return [nameElement(this.#game, who), `${winner === null ? toMoveAfter : winsAfter}${turn} ${turns[turn === 1 ? 0 : 1]}.`];
  }

  /**
   * The part of a turn's sentence that has happened by a stage.
   * @param {number} index
   * @param {number} stage
   */
  #sentence(index, stage) {
    const { words, count } = this.#game;
    const turn = this.#game.turnAt(index);
    const end = index === count && this.#game.endsTakenBack ? words.takenBack : "";
    if (!turn) return [words.start + end];
    const parts = [`${turn.turn}. `, nameElement(this.#game, turn.seat)];
    if (stage < stages.thrown) return [...parts, `${words.rolls}…`];
    parts.push(turn.rolled);
    if (stage >= stages.moved) parts.push(turn.resultText);
    if (stage >= stages.over) parts.push(turn.won + end);
    return parts;
  }
}
