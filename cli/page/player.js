// Plays the game: which position is shown, which turn is being told, and how time and wishes change
// that. It shows itself through the other parts of the page.

class Player {
  #game;
  #board;
  #tables;
  #chances;
  #turnList;
  #dice = new Dice();
  #announcer = new Announcer();
  #address = new Address();

  #index; // the position that is shown, or left by the turn that is being told
  #telling = null; // the turn after it; null: none is being told
  #elapsed = 0; // milliseconds into it
  #until = 0; // the position at which to stop
  #playing = false;
  #result = [...byId("result").childNodes]; // how the game ended, or stands
  #covered = false; // what comes next isn't to be seen before it is told: from when it is played on
  #frameAt = null; // the time of the last frame; null: none is asked for
  #shown = {}; // what is on the page
  speed = 1;
  onPlaying = () => {}; // called when it begins or stops to play

  constructor(game, data) {
    this.#game = game;
    this.#board = new Board(game, data);
    this.#tables = new Tables(game);
    this.#chances = new ChancesGraph(game, (index) => this.seek(index));
    this.#turnList = new TurnList(game, (index) => this.seek(index));
    this.#index = this.#indexInAddress() ?? game.count;
    byId("slider").max = game.count; // before it can have a value
    this.#show();
    addEventListener("hashchange", () => {
      const index = this.#indexInAddress();
      if (index !== null && index !== this.index) this.seek(index);
    });
  }

  get isPlaying() {
    return this.#playing;
  }

  /** The position that the turn which is being told leads to, or else the one that is shown. */
  get index() {
    return this.#telling && !this.#isTellingStill ? this.#telling.index : this.#index;
  }

  /** Without motion nothing is on its way: a turn counts when it has been told. */
  get #isTellingStill() {
    return this.#telling?.still && this.#telling.stageAt(this.#elapsed) !== "told";
  }

  #clamped(index) {
    return Math.min(this.#game.count, Math.max(0, index));
  }

  #indexInAddress() {
    const { turn } = this.#address;
    return turn === null ? null : this.#clamped(turn - this.#game.first);
  }

  // ---- Moving

  seek(index) {
    this.#covered = this.#playing;
    this.#goTo(this.#clamped(index));
  }

  #goTo(index) {
    this.#index = index;
    if (index === this.#game.count) this.#stop();
    else this.#tell(this.#playing);
    this.#show();
    if (!this.#playing) this.#settled();
  }

  #tell(next) {
    this.#telling = next ? new Telling(this.#game, this.#index + 1) : null;
    this.#elapsed = 0;
  }

  #settled() {
    this.#address.update(this.#game.first + this.#index);
    this.#announcer.sayPosition(textOf(this.#sentence(this.#index, "told")));
  }

  /** Tells turns from here to a position; `playing` says whether a person sees it as playing. */
  #run(until, playing) {
    this.#until = until;
    this.#playing = playing;
    this.#covered = true;
    if (!this.#telling) this.#tell(true);
    this.onPlaying();
    this.#show();
    if (this.#frameAt !== null) return;
    this.#frameAt = performance.now();
    requestAnimationFrame((time) => this.#frame(time));
  }

  #stop() {
    this.#playing = false;
    this.#tell(false);
    if (this.#index === this.#game.count) this.#covered = false; // all has been told
    this.onPlaying();
  }

  play() {
    if (this.#index === this.#game.count) {
      if (this.#game.count === 0) return;
      this.#index = 0;
    }
    this.#run(this.#game.count, true);
    this.#announcer.say("Playing");
  }

  /** A turn that is being told is over at once. */
  pause() {
    this.#index = this.index;
    this.#stop();
    this.#show();
    this.#settled();
  }

  togglePlaying() {
    if (this.#playing) this.pause();
    else this.play();
  }

  step(turns) {
    const index = this.#clamped(this.index + turns);
    if (Math.abs(turns) === 1) {
      this.#index = this.index;
      this.#stop(); // whoever goes turn by turn has paused
    }
    if (turns !== 1 || index === this.#index || noMotion.matches) this.#goTo(index);
    else this.#run(index, false);
  }

  seekMoment(direction) {
    this.seek(this.#game.momentFrom(this.index, direction));
  }

  seekTenth(tenth) {
    this.seek(Math.round((this.#game.count * tenth) / 10));
  }

  #frame(time) {
    if (!this.#telling) {
      this.#frameAt = null;
      return;
    }
    this.#elapsed += Math.min(200, Math.max(0, time - this.#frameAt)) * this.speed;
    this.#frameAt = time;
    while (this.#telling && this.#elapsed >= this.#telling.duration) this.#endTurn();
    this.#show();
    requestAnimationFrame((next) => this.#frame(next));
  }

  #endTurn() {
    const left = this.#elapsed - this.#telling.duration;
    ++this.#index;
    if (this.#playing) this.#announceMoment();
    if (this.#index >= this.#until) {
      this.#stop();
      this.#settled();
    } else {
      this.#tell(true);
      this.#elapsed = left;
    }
  }

  #announceMoment() {
    const isLast = this.#index === this.#game.count;
    if (this.#game.turnAt(this.#index).moment && (isLast || this.#announcer.isQuiet))
      this.#announcer.say(textOf(this.#sentence(this.#index, "told")));
  }

  // ---- Showing

  flip() {
    this.#board.flip();
    this.#show();
    return this.#board.flipped;
  }

  toggleChances() {
    this.#chances.toggle();
  }

  /** All that is there, or only what fits the screen. */
  showWhole(whole) {
    this.#turnList.showWhole(whole);
  }

  /** Puts right what somebody typed into the field of the turn. */
  showNumber() {
    byId("turn").value = this.#game.first + this.index;
  }

  #show() {
    const telling = this.#telling;
    const stage = telling ? telling.stageAt(this.#elapsed) : "told";
    if (telling && !telling.still) this.#board.showTelling(telling, this.#elapsed);
    else this.#board.show(this.#toldIndex(stage));
    if (telling) this.#dice.show(telling.diceAt(this.#elapsed));
    else this.#dice.show(this.#game.turnAt(this.#index)?.dice.map((value) => ({ value, tumbling: false })) ?? []);
    this.#showWords(telling ? telling.index : this.#index, stage);
    this.#showTold(this.#toldIndex(stage));
  }

  /** The last position that has been told to its end. */
  #toldIndex(stage) {
    return this.#telling && stage === "told" ? this.#telling.index : this.#index;
  }

  #showWords(index, stage) {
    if (this.#shown.number !== this.index) {
      this.#shown.number = this.index;
      byId("slider").value = this.index;
      this.showNumber();
    }
    if (this.#shown.index === index && this.#shown.stage === stage) return;
    Object.assign(this.#shown, { index, stage });
    byId("sentence").replaceChildren(...this.#sentence(index, stage));
    byId("slider").setAttribute("aria-valuetext", textOf(this.#sentence(index, stage)));
  }

  #showTold(index) {
    if (this.#shown.told === index && this.#shown.covered === this.#covered) return;
    Object.assign(this.#shown, { told: index, covered: this.#covered });
    byId("result").replaceChildren(...(this.#covered ? this.#standing(index) : this.#result));
    this.#tables.show(index);
    this.#chances.show(index, this.#covered);
    this.#turnList.show(index, this.#covered);
  }

  /** Who is to move at a position that isn't the last one, as the page says it of the last one. */
  #standing(index) {
    const { toMoveAfter, turns } = this.#game.words;
    const turn = this.#game.first + index;
    return [nameElement(this.#game, this.#game.nextAt(index)), `${toMoveAfter}${turn} ${turns[turn === 1 ? 0 : 1]}.`];
  }

  /** As much of it as has happened by a stage of the turn. */
  #sentence(index, stage) {
    const turn = this.#game.turnAt(index);
    const end = index === this.#game.count ? this.#game.words.takenBack : "";
    if (!turn) return [this.#game.words.start + end];
    const begins = [`${turn.turn}. `, nameElement(this.#game, turn.seat)];
    if (stage === "throwing") return [...begins, `${this.#game.words.rolls}…`];
    if (stage === "thrown") return [...begins, turn.rolled];
    return [...begins, deed(this.#game, turn) + end];
  }
}
