// A game that hasn't begun: its players, its free seats, and the draw of the dice.

class Lobby {
  #root;
  #hosted;
  #seats;
  #trouble;
  #invited = ""; // the link that is shown
  #sitting = false; // a seat is being taken
  /** @param {() => Promise<void>} work */
  #attempt = (work) => attempt(this.#trouble, work, () => this.show());

  /**
   * @param {HTMLElement} root
   * @param {HostedGame} hosted
   */
  constructor(root, hosted) {
    this.#root = root;
    this.#hosted = hosted;
    this.#trouble = part(root, "trouble");
    this.#seats = new Seats(part(root, "seat-list"), this.#trouble, hosted);
    if (hosted.kept.game.seats.length === 0) partAs(root, "name", HTMLInputElement).value = keptText("snl.name") ?? "";
    part(root, "join").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#join();
    });
    part(root, "begin").addEventListener("click", () => this.#attempt(() => hosted.start()));
    part(root, "give-up-game").addEventListener("click", () => this.#abandon());
    part(root, "add-computer").addEventListener("click", () => this.#attempt(() => hosted.addComputer()));
    part(root, "play-again").addEventListener("click", () => this.#attempt(() => hosted.playAgain()));
    this.#sitAsWished();
  }

  show() {
    showKeepingFocus(this.#root, () => this.#show());
  }

  #show() {
    const hosted = this.#hosted;
    const { status, seats, places } = hosted.state;
    const isOpen = status === "open";
    this.#seats.show();
    part(this.#root, "join").hidden = !isOpen || seats.length >= places || (hosted.seats.length > 0 && !hosted.isHost);
    const isSeated = hosted.seats.length > 0;
    part(this.#root, "join-label").textContent = isSeated ? "Another player on this device" : "Your name";
    part(this.#root, "sit").textContent = isSeated ? "Add" : "Take a seat";
    part(this.#root, "sit").classList.toggle("main-button", !isSeated);
    part(this.#root, "begin").hidden = !isOpen || !hosted.isHost;
    partAs(this.#root, "begin", HTMLButtonElement).setAttribute("aria-disabled", String(!hosted.may("start")));
    part(this.#root, "add-computer").hidden = !hosted.may("computer");
    part(this.#root, "give-up-game").hidden = !hosted.may("abandon");
    part(this.#root, "play-again").hidden = !hosted.hasEnded || !hosted.mayPlayAgain;
    part(this.#root, "play-again").textContent = wordsToPlayAgain(hosted);
    part(this.#root, "redraws").hidden = hosted.state.redraws === 0;
    part(this.#root, "redraws").textContent = redrawsWords(hosted.state);
    showNodes(part(this.#root, "lobby-words"), this.#words());
    if (isOpen && this.#invited !== linkForOthers(this.#path)) this.#invite();
    part(this.#root, "invite").hidden = !isOpen || seats.length >= places;
  }

  /** @returns {(Node | string)[]} */
  #words() {
    const { status } = this.#hosted.state;
    if (status === "abandoned") return ["This game was abandoned."];
    return status === "drawing" ? this.#drawingWords() : [this.#lossWords, ...this.#openWords(), this.#hosted.isFleeting ? ` ${wordsOfRefused}` : ""];
  }

  get #lossWords() {
    const { lost, isBack } = this.#hosted;
    if (isBack) return `${wordsOfLoss.draw} It is yours again. `;
    return lost === "draw" || lost === "cut" ? `${wordsOfLoss[lost]} ` : "";
  }

  /** @returns {(Node | string)[]} */
  #openWords() {
    const { state, seats, isHost } = this.#hosted;
    const free = state.places - state.seats.filter((seat) => seat.in).length;
    if (isProjector && state.seats.length < state.places) return ["Scan the code to take a seat."];
    if (seats.length === 0 && !isHost && !isProjector) return [state.seats.length < state.places ? "Take a seat: write your name." : "All seats are taken."];
    const start = isHost && this.#hosted.may("start") ? " Or start without them." : "";
    const awaited = free === 1 ? "one more player" : `${free} more players`;
    const missing = state.seats.filter((seat) => !seat.in).map(({ name }) => name);
    if (missing.length === free) return ["Waiting for ", ...saidTogether(missing), `. The game starts once all are there.${start}`];
    return [`Waiting for ${awaited}. The game starts once all are there.${start}`];
  }

  /** @returns {(Node | string)[]} */
  #drawingWords() {
    const { seats } = this.#hosted.state;
    const awaited = seats.filter(({ entropy_hash: promised, sent }) => promised && !sent);
    const then = awaited.every((seat) => seat.in) ? "the seat becomes free again" : "the draw begins again";
    return ["The dice are being drawn.", ...(awaited.length > 0 ? [" Waiting for ", ...saidTogether(awaited.map(({ name }) => name)), `. If their page doesn’t answer, ${then}.`] : [])];
  }

  get #path() {
    return `/g/${this.#hosted.state.id}`;
  }

  #invite() {
    this.#invited = linkForOthers(this.#path);
    part(this.#root, "invite-link").replaceChildren(linkCard("Invite others with this link", this.#path));
  }

  async #join() {
    const field = partAs(this.#root, "name", HTMLInputElement);
    const name = field.value.trim();
    if (!name) return field.focus();
    if (this.#sitting) return;
    this.#sitting = true;
    if (this.#hosted.seats.length === 0) keepText("snl.name", name);
    await this.#attempt(async () => {
      await this.#hosted.sit(name);
      field.value = "";
    });
    this.#sitting = false;
  }

  /** Asks again for a seat that was refused when the game was made. */
  #sitAsWished() {
    const name = this.#hosted.kept.takeWish();
    if (name === null) return;
    partAs(this.#root, "name", HTMLInputElement).value = name;
    this.#join();
  }

  async #abandon() {
    if (await confirmed("Abandon this game? Nobody can play it then.", "Abandon the game")) await this.#attempt(() => this.#hosted.abandon());
  }
}

const wordsOfLoss = {
  draw: "Your seat was given up, since this page didn’t answer when the dice were drawn.",
  cut: "The link that you opened is incomplete: copy it whole.",
};

/** How often the draw began again, which everybody should see. @param {State} state */
const redrawsWords = ({ redraws }) => `The draw began again ${redraws === 1 ? "once" : `${redraws} times`}.`;

/** @param {HostedGame} hosted */
const wordsToPlayAgain = (hosted) => (hosted.state.rematch ? "Come to the next game" : "Play again");
