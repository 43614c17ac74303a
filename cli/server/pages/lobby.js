// A game that hasn't begun: who is there, who may still come, and that the dice are being drawn.

class Lobby {
  #root;
  #room;
  #seats;
  #trouble;
  #invited = false;
  #sitting = false; // a seat is being taken

  /**
   * @param {HTMLElement} root
   * @param {Room} room
   */
  constructor(root, room) {
    this.#root = root;
    this.#room = room;
    this.#trouble = part(root, "trouble");
    this.#seats = new Seats(part(root, "seat-list"), this.#trouble, room);
    part(root, "join").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#join();
    });
    part(root, "begin").addEventListener("click", () => this.#attempt(() => room.start()));
    part(root, "give-up-game").addEventListener("click", () => this.#abandon());
    this.#sitAsWished();
  }

  show() {
    const room = this.#room;
    const { status, seats, places } = room.state;
    const isOpen = status === "open";
    this.#seats.show();
    part(this.#root, "join").hidden = !isOpen || seats.length >= places || (room.seats.length > 0 && !room.isHost);
    const isSeated = room.seats.length > 0;
    part(this.#root, "join-label").textContent = isSeated ? "Another player on this device" : "Your name";
    part(this.#root, "sit").textContent = isSeated ? "Add" : "Take a seat";
    part(this.#root, "sit").classList.toggle("main-button", !isSeated);
    part(this.#root, "begin").hidden = !isOpen || !room.isHost;
    partAs(this.#root, "begin", HTMLButtonElement).setAttribute("aria-disabled", String(!room.may("start")));
    part(this.#root, "give-up-game").hidden = !room.may("abandon");
    showNodes(part(this.#root, "lobby-words"), this.#words());
    if (isOpen && !this.#invited) this.#invite();
    part(this.#root, "invite").hidden = !isOpen || seats.length >= places;
  }

  /** @returns {(Node | string)[]} */
  #words() {
    const { state, seats, isHost } = this.#room;
    const free = state.places - state.seats.length;
    if (state.status === "abandoned") return ["This game was abandoned."];
    if (state.status === "drawing") return this.#drawingWords();
    if (seats.length === 0 && !isHost) return [free > 0 ? "Take a seat: write your name." : "All seats are taken."];
    const start = isHost && state.seats.length >= 2 ? " Or start without them." : "";
    const awaited = free === 1 ? "one more player" : `${free} more players`;
    return [`Waiting for ${awaited}. The game starts once all are there.${start}`];
  }

  #drawingWords() {
    const { draw, seats } = this.#room.state;
    const awaited = seats.filter(({ seat, entropy_hash: promised }) => promised && !draw?.entropy[seat]).map(({ name }) => name);
    return ["The dice are being drawn from what everybody promised.", ...(awaited.length > 0 ? [" Waiting for ", ...saidTogether(awaited), "."] : [])];
  }

  #invite() {
    this.#invited = true;
    part(this.#root, "invite-link").replaceChildren(linkCard("Invite others with this link", `/g/${this.#room.state.id}`));
  }

  async #join() {
    const field = partAs(this.#root, "name", HTMLInputElement);
    const name = field.value.trim();
    if (!name) return field.focus();
    if (this.#sitting) return;
    this.#sitting = true;
    await this.#attempt(async () => {
      await this.#room.sit(name);
      field.value = "";
    });
    this.#sitting = false;
  }

  /** A seat that was refused when the game was made is asked for again. */
  #sitAsWished() {
    const name = this.#room.kept.takeWish();
    if (name === null) return;
    partAs(this.#root, "name", HTMLInputElement).value = name;
    this.#join();
  }

  async #abandon() {
    if (await confirmed("Abandon this game? Nobody can play it then.", "Abandon the game")) await this.#attempt(() => this.#room.abandon());
  }

  /** @param {() => Promise<void>} work */
  async #attempt(work) {
    await attempt(this.#trouble, work);
    this.show();
  }
}
