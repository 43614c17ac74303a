// The controls of a game that is on: rolling, or entering a throw; asking for turns to be taken back, and answering.

class Panel {
  #root;
  #hosted;
  #game;
  #player;
  #seats;
  #roll;
  #trouble;
  /** The dice that were entered so far. @type {number[]} */
  #thrown = [];
  #busy = false;
  #isRolling = false; // the viewer has played, and the server hasn't answered yet
  #isCalling = false; // the words say that it is the viewer's turn
  #clock;

  /**
   * @param {HTMLElement} root  of the player
   * @param {HostedGame} hosted
   * @param {Game} game
   * @param {Player} player
   */
  constructor(root, hosted, game, player) {
    this.#root = root;
    this.#hosted = hosted;
    this.#game = game;
    this.#player = player;
    this.#trouble = part(root, "trouble");
    this.#roll = partAs(root, "roll", HTMLButtonElement);
    const dialog = partAs(root, "seats-dialog", HTMLDialogElement);
    this.#seats = new Seats(part(root, "seat-list"), part(dialog, "trouble"), hosted);
    this.#clock = new TurnClock(part(root, "clock"), hosted);
    this.#roll.addEventListener("click", () => this.#play());
    part(root, "wake").addEventListener("click", () => this.#attempt(() => this.#wake()));
    part(root, "play-again").addEventListener("click", () => this.#attempt(() => this.#hosted.playAgain()));
    part(root, "show-replay").addEventListener("click", () => this.#openReplay(!this.#isReplaying));
    part(root, "ask-back").addEventListener("click", () => this.#askBack());
    part(root, "show-seats").addEventListener("click", () => {
      dialog.showModal();
      part(root, "close-seats").focus();
    });
    part(root, "close-seats").addEventListener("click", () => dialog.close());
    part(root, "give-up-game").addEventListener("click", () => this.#abandon());
    document.addEventListener("keydown", (event) => this.#pressed(event));
    this.#offerFaces();
  }

  /** Enter rolls, unless the focused element takes it. @param {KeyboardEvent} event */
  #pressed(event) {
    if (!this.#root.isConnected || isProjector || event.key !== "Enter" || event.target !== document.body || event.repeat) return;
    if (!document.querySelector("dialog[open]")) this.#play();
  }

  /** Whether the player is still showing the last turn. Until then the panel must not reveal how it ends. */
  get #isShowing() {
    return this.#player.hides && !this.#player.isBehind;
  }

  /** The seat that the viewer may play for now; null: none. */
  get #own() {
    const { mover } = this.#hosted;
    return mover !== null && this.#hosted.tokenOf(mover) !== undefined ? mover : null;
  }

  show() {
    showKeepingFocus(this.#root, () => this.#show());
  }

  #show() {
    const hosted = this.#hosted;
    const plays = hosted.seats.length > 0 && !hosted.hasEnded;
    const isFree = this.#own !== null && !this.#isShowing && !this.#busy;
    const typesDice = hosted.state.dice === "own";
    const rests = plays && this.#rests;
    this.#roll.hidden = !plays || rests || (typesDice && this.#own === null);
    part(this.#root, "wake").hidden = !rests;
    this.#clock.show();
    const playing = typesDice ? "Playing…" : "Rolling…";
    this.#roll.textContent = this.#isRolling ? playing : typesDice ? `Play ${this.#thrown.join("-")}`.trim() : "Roll";
    this.#roll.setAttribute("aria-disabled", String(!isFree || (typesDice && this.#thrown.length === 0)));
    part(this.#root, "faces").hidden = !(plays && typesDice && isFree);
    if (!this.#isShowing && !this.#isRolling) this.#showWords();
    else if (this.#isCalling) showNodes(part(this.#root, "turn-words"), this.#wordsOfShown(playing));
    if (!this.#isShowing || document.hidden) this.call(this.#isCalled); // nobody sees dice fall in a hidden page
    this.#root.classList.toggle("own-turn", isFree);
    this.#showQuestion();
    if (this.#player.isBehind) this.#openReplay(true); // its controls lead back to the end
    part(this.#root, "again").hidden = !hosted.mayPlayAgain || this.#isShowing;
    part(this.#root, "play-again").textContent = wordsToPlayAgain(hosted);
    part(this.#root, "show-seats").hidden = hosted.state.seats.length === 0 || hosted.hasEnded;
    this.#root.classList.toggle("abandoned", hosted.state.status === "abandoned");
    part(this.#root, "give-up-game").hidden = !hosted.may("abandon");
    this.#seats.show();
  }

  /** Whether the server rolls for all seats of the viewer. */
  get #rests() {
    const { seats, restingSeats } = this.#hosted;
    return seats.length > 0 && restingSeats.length === seats.length;
  }

  get #isReplaying() {
    return this.#root.classList.contains("replaying");
  }

  /** Shows or hides the replay's controls, which are rarely needed while the game is on. @param {boolean} isOpen */
  #openReplay(isOpen) {
    this.#root.classList.toggle("replaying", isOpen);
    part(this.#root, "show-replay").setAttribute("aria-expanded", String(isOpen));
  }

  /** Shows the piece of the player to move, or of the winner. */
  #showPiece() {
    const { mover, state } = this.#hosted;
    const winner = state.seats.find(({ name }) => name === state.winner)?.seat;
    const seat = mover ?? winner;
    showNodes(part(this.#root, "whose"), seat === undefined ? [] : [badgeOf(seat)]);
  }

  #showWords() {
    this.#showPiece();
    const words = part(this.#root, "turn-words");
    showNodes(words, this.#words());
    this.#showOrder();
    this.#isCalling = this.#isCalled;
  }

  /** The words while a turn is shown, or asked for, in the place of those that called the viewer. @param {string} playing @returns {(Node | string)[]} */
  #wordsOfShown(playing) {
    const turn = this.#game.turnAt(this.#player.index);
    return this.#isRolling || !turn || this.#hosted.seats.includes(turn.seat) ? [playing] : ["It is ", nameOf(this.#hosted.nameOf(turn.seat)), "’s turn."];
  }

  /** Whether the viewer is to move. */
  get #isCalled() {
    return this.#own !== null && !this.#hosted.autoOf(this.#own);
  }

  /** Marks the title, and the icon of an installed page, in the viewer's own turn, and shakes a phone. @param {boolean} isOwn */
  call(isOwn) {
    const wasOwn = isMarked();
    document.title = marked(document.title, isOwn);
    if (isOwn === wasOwn) return;
    if (isOwn && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(80); // before that, browsers complain
    const badged = isOwn ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
    badged?.catch(() => {}); // only a page that is installed has an icon
  }

  /** @returns {(Node | string)[]} */
  #words() {
    const hosted = this.#hosted;
    const { state, mover } = hosted;
    if (state.status === "completed" && state.winner === null) return ["This game is over."]; // a turn was undone at the command line
    if (state.status === "completed") return this.#hasOnly(state.winner) ? ["You have won!"] : [nameOf(state.winner ?? ""), " has won."];
    if (state.status === "abandoned") return ["This game was abandoned."];
    const next = state.next ?? "";
    if (mover === null) return [nameOf(next), " is to move. This game is played at the command line."];
    if (hosted.autoOf(mover)) return this.#autoWords(mover);
    if (this.#own !== null) return hosted.seats.length > 1 ? [nameOf(next), ", it is your turn."] : ["It is your turn."];
    const lost = hosted.seats.length === 0 ? hosted.lost : "";
    if (lost === "link") return [nameOf(next), " is to move. Your seat was given a new link: ask the host for it."];
    if (lost) return ["It is ", nameOf(next), `’s turn. ${wordsOfLoss[lost]}`];
    return ["It is ", nameOf(next), hosted.seats.length > 0 || isProjector ? "’s turn." : "’s turn. You are watching."];
  }

  /** Whether this is the name of the viewer's one seat. @param {string | null} name */
  #hasOnly(name) {
    const { seats } = this.#hosted;
    return seats.length === 1 && this.#hosted.nameOf(seats[0]) === name;
  }

  /** The words for a seat that the server rolls for. @param {number} mover @returns {(Node | string)[]} */
  #autoWords(mover) {
    const name = nameOf(this.#hosted.nameOf(mover));
    if (this.#own !== null) return this.#hosted.autoOf(mover) === "away" ? ["You were away, so your turns are rolled for you."] : ["Your turns are rolled for you."];
    switch (this.#hosted.autoOf(mover)) {
      case "computer":
        return [name, ", a computer, is about to roll."];
      case "away":
        return [name, " is away: the turn is rolled for them."];
      default:
        return [name, "’s turn is rolled for them."];
    }
  }

  /** Names the viewer's own pieces while another player is to move. @returns {(Node | string)[]} */
  get #ownPieces() {
    const hosted = this.#hosted;
    if (hosted.mover === null || hosted.seats.length === 0 || this.#own !== null) return [];
    const pieces = hosted.seats.flatMap((seat, i) => [i === 0 ? "You are " : " and ", badgeOf(seat), " ", nameOf(hosted.nameOf(seat))]);
    return [...pieces, this.#rests ? "; your turns are rolled for you. " : ". "];
  }

  /** Shows the viewer's pieces, and the next players in order, unless powers may change that. */
  #showOrder() {
    const { state, mover } = this.#hosted;
    const { seats } = state;
    const isSure = mover !== null && seats.length > 2 && (state.board.powers ?? []).length === 0;
    const after = isSure ? [1, 2].map((step) => seats[(seats.findIndex(({ seat }) => seat === mover) + step) % seats.length]) : [];
    const words = after.map(({ seat, name }) => (this.#hosted.tokenOf(seat) === undefined ? nameOf(name) : this.#hosted.seats.length > 1 ? nameOf(name) : "you"));
    const then = words.length > 0 ? ["Then ", words[0], ", then ", words[1], "."] : [];
    showNodes(part(this.#root, "order"), [...this.#ownPieces, ...then, this.#hosted.isFleeting ? ` ${wordsOfRefused}` : ""]);
  }

  async #wake() {
    for (const seat of this.#hosted.restingSeats) await this.#hosted.setAuto(seat, false);
  }

  // ---- A turn

  #play() {
    const seat = this.#own;
    if (this.#roll.getAttribute("aria-disabled") === "true" || this.#roll.hidden || seat === null) return;
    const dice = this.#hosted.state.dice === "own" ? this.#thrown : null;
    if (this.#player.isBehind) this.#player.followLive();
    this.#attempt(async () => {
      this.#isRolling = true;
      this.show();
      await this.#hosted.play(seat, dice, newKey()).finally(() => (this.#isRolling = false));
      this.#thrown = [];
    });
  }

  /** Makes a button for each face of a die. */
  #offerFaces() {
    const { faces } = this.#hosted.state.rules;
    const place = part(this.#root, "face-buttons");
    for (let face = 1; face <= faces; ++face) {
      const button = makeButton("", "", () => this.#put([...this.#thrown, face]));
      button.setAttribute("aria-label", `Add a ${face}`);
      button.append(drawDie({ value: face, tumbling: false }));
      place.append(button);
    }
    part(this.#root, "clear-dice").addEventListener("click", () => this.#put([]));
  }

  /** @param {number[]} dice */
  #put(dice) {
    this.#thrown = dice;
    this.#trouble.textContent = "";
    this.show();
  }

  // ---- Taking turns back

  /** The turn to go back to: the one that is shown, or the one before the viewer's last. */
  get #backTo() {
    const { turns, first, count } = this.#game;
    if (this.#player.isBehind) return first + this.#player.index;
    for (let index = count; index > 0; --index) if (this.#hosted.seats.includes(turns[index - 1].seat)) return first + index - 1;
    return null;
  }

  #askBack() {
    const [to, seat] = [this.#backTo, this.#asker];
    if (to !== null && seat !== null) this.#attempt(() => this.#hosted.askBack(seat, to));
  }

  /** The seat that asks: the one on this page that moved last. */
  get #asker() {
    const { seats } = this.#hosted;
    const { turns, count } = this.#game;
    for (let index = count; index > 0; --index) if (seats.includes(turns[index - 1].seat)) return turns[index - 1].seat;
    return seats[0] ?? null;
  }

  #showQuestion() {
    const hosted = this.#hosted;
    const { status, takebacks } = hosted.state;
    const question = status === "in-progress" ? hosted.question : null;
    const button = part(this.#root, "ask-back");
    const to = this.#backTo;
    button.hidden = status !== "in-progress" || takebacks !== "ask" || hosted.seats.length === 0 || question !== null || to === null || to >= hosted.state.turn || this.#isShowing;
    button.textContent = this.#player.isBehind ? `Ask to go back to turn ${to}` : "Ask to take back my turn";
    const place = part(this.#root, "question");
    const words = question ? this.#questionWords(question) : this.#outcomeWords(hosted.settledQuestion);
    place.hidden = words.length === 0;
    showNodes(part(place, "question-words"), words);
    this.#offerAnswers(place, question);
  }

  /** @param {HTMLElement} place @param {Question | null} question */
  #offerAnswers(place, question) {
    const choices = part(place, "choices");
    const mine = question ? this.#hosted.seats.filter((seat) => !question.agreed.includes(seat)) : [];
    const isAsker = question !== null && this.#hosted.seats.includes(question.by);
    const key = `${question?.id} ${mine} ${isAsker}`;
    if (choices.dataset.of === key) return;
    choices.dataset.of = key;
    choices.replaceChildren();
    if (!question) return;
    if (mine.length > 0) choices.append(makeButton("Agree", "agree", () => this.#attempt(() => this.#hosted.answer(mine, true))));
    if (isAsker) choices.append(makeButton("Withdraw", "", () => this.#attempt(() => this.#hosted.answer([question.by], false))));
    else if (mine.length > 0) choices.append(makeButton("Refuse", "", () => this.#attempt(() => this.#hosted.answer([mine[0]], false))));
  }

  /** @param {Question} question @returns {(Node | string)[]} */
  #questionWords({ by, to, agreed }) {
    const { seats, dice } = this.#hosted.state;
    const awaited = seats.filter(({ seat }) => !agreed.includes(seat)).map(({ name }) => (this.#hasOnly(name) ? "you" : name));
    const back = this.#hosted.state.turn - to === 1 ? "to take the last turn back" : `to go back to turn ${to}`;
    const again = dice === "seeded" ? " The dice will fall the same again." : "";
    return [nameOf(this.#hosted.nameOf(by)), ` asks ${back}.${again} Waiting for `, ...saidTogether(awaited), "."];
  }

  /** @param {Question | null} question @returns {(Node | string)[]} */
  #outcomeWords(question) {
    if (!question) return [];
    const name = nameOf(this.#hosted.nameOf(question.by));
    switch (question.outcome) {
      case "done":
        return ["Taken back, as ", name, " asked."];
      case "refused":
        return [name, " asked to take turns back. Somebody refused."];
      case "withdrawn":
        return [name, " no longer asks to take turns back."];
      default:
        return [];
    }
  }

  async #abandon() {
    if (await confirmed("Abandon this game? Nobody can play on, and everybody sees it.", "Abandon the game")) await this.#attempt(() => this.#hosted.abandon());
  }

  /** @param {() => Promise<void>} work */
  async #attempt(work) {
    if (this.#busy) return;
    this.#busy = true;
    this.show();
    await attempt(this.#trouble, work, () => {
      this.#busy = false;
      this.show();
    });
  }
}

const mark = "● ";

/** Whether the title says that it is the viewer's turn. */
const isMarked = () => document.title.startsWith(mark);

/** A title with the mark of the viewer's turn, or without it. @param {string} title @param {boolean} is */
const marked = (title, is) => (is ? mark : "") + (title.startsWith(mark) ? title.slice(mark.length) : title);
