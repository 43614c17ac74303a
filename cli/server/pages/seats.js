// The seats of a game, with their buttons: to pass one on by a link, give it up, have the server roll for it, or make its
// player the host.

/** The reason why the server rolls for a seat, beside its player's name. */
const autoWords = { self: "rolled for", host: "rolled for", away: "away", computer: "computer" };

class Seats {
  #hosted;
  #place;
  #trouble;
  /** @param {() => Promise<void>} work */
  #attempt = (work) => attempt(this.#trouble, work, () => this.show());

  /**
   * @param {HTMLElement} place  where the list is shown
   * @param {HTMLElement} trouble  where failures are shown
   * @param {HostedGame} hosted
   */
  constructor(place, trouble, hosted) {
    this.#place = place;
    this.#trouble = trouble;
    this.#hosted = hosted;
  }

  show() {
    const { state } = this.#hosted;
    const rows = [];
    const taken = new Map(state.seats.map((seat) => [seat.seat, seat]));
    for (let seat = 0; seat < Math.max(state.places, state.seats.length); ++seat) {
      const sitting = taken.get(seat);
      if (sitting) rows.push(this.#takenSeat(seat, sitting));
      else if (state.status === "open") rows.push(make("li", "free", badgeOf(seat), make("span", "", "free")));
    }
    showNodes(this.#place, rows);
  }

  /** @param {number} seat @param {{ name: string, tokens: number, in: boolean, auto: Auto }} sitting */
  #takenSeat(seat, { name, tokens, in: isIn, auto }) {
    const hosted = this.#hosted;
    const isOwn = hosted.tokenOf(seat) !== undefined;
    const { status } = hosted.state;
    const times = tokens === 2 ? "once" : `${tokens - 1} times`;
    const notes = [isOwn ? "you" : "", auto ? autoWords[auto] : "", tokens > 1 ? `new link made ${times}` : "", isIn ? "" : "not here yet", status === "drawing" && this.#isAwaited(seat) ? "no answer yet" : ""];
    const row = make("li", isIn ? "" : "free", badgeOf(seat), make("span", "who", nameOf(name), ...notes.filter(Boolean).map((note) => make("small", "", note))));
    const choices = make("span", "choices");
    /** @param {string} words @param {() => void} press @param {string} [key]  of a button whose words change */
    const offer = (words, press, key = "") => {
      const button = makeButton(words, "", press);
      if (key) button.name = key;
      button.setAttribute("aria-label", `${words}: ${visible(name)}`);
      choices.append(button);
    };
    const isComputer = auto === "computer";
    if (hosted.may("auto", seat) && !isComputer && status === "in-progress") offer(isOwn ? (auto ? "I’m back" : "Roll for me") : auto ? "Stop rolling" : "Roll for them", () => this.#attempt(() => hosted.setAuto(seat, !auto)), `auto-${seat}`);
    if (isOwn && !hosted.hasEnded) offer("My other device", () => this.#showOwnLink(seat, name));
    if (hosted.may("token") && !isComputer && !(isOwn && status === "open")) offer("New link", () => this.#handOn(seat, name));
    if (hosted.may("host") && !isOwn && !isComputer && isIn) offer("Make host", () => this.#makeHost(seat, name));
    if (hosted.may("leave", seat)) offer(isOwn ? "Leave" : "Remove", () => this.#attempt(() => hosted.leave(seat)));
    row.append(choices);
    return row;
  }

  /** Whether the draw still waits for a seat's entropy. @param {number} seat */
  #isAwaited(seat) {
    const taken = this.#hosted.state.seats.find((one) => one.seat === seat);
    return Boolean(taken?.entropy_hash) && !taken?.sent;
  }

  /** @param {number} seat @param {string} name */
  #showOwnLink(seat, name) {
    const { state } = this.#hosted;
    showLink(`The seat of ${visible(name)}`, "Everybody who opens this link can play for this seat. Open it on another device to play there.", `/g/${state.id}#seat=${this.#hosted.tokenOf(seat)}`);
  }

  /** @param {number} seat @param {string} name */
  async #handOn(seat, name) {
    const { state } = this.#hosted;
    if (!(await confirmed(`A new link for the seat of ${visible(name)}? The old link stops working.`, "Make a new link"))) return;
    await this.#attempt(async () => {
      const token = await this.#hosted.replaceToken(seat);
      showLink(`The seat of ${visible(name)}`, "Give this link to the person who plays for this seat from now on.", `/g/${state.id}#seat=${token}`);
    });
  }

  /** @param {number} seat @param {string} name */
  async #makeHost(seat, name) {
    if (await confirmed(`Make ${visible(name)} the host? You will no longer be the host.`, "Make host")) await this.#attempt(() => this.#hosted.makeHost(seat));
  }
}
