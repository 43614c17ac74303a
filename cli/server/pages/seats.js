// Who sits where, and what one can do about it: take a seat, hand it on, give it up, start.

class Seats {
  #hosted;
  #place;
  #trouble;

  /**
   * @param {HTMLElement} place  where the list is shown
   * @param {HTMLElement} trouble  where it is said what didn't work
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

  /** @param {number} seat @param {{ name: string, tokens: number }} sitting */
  #takenSeat(seat, { name, tokens }) {
    const hosted = this.#hosted;
    const isOwn = hosted.tokenOf(seat) !== undefined;
    const { status } = hosted.state;
    const times = tokens === 2 ? "once" : `${tokens - 1} times`;
    const notes = [isOwn ? "you" : "", tokens > 1 ? `handed on ${times}` : "", status === "drawing" && this.#isAwaited(seat) ? "awaited" : ""];
    const row = make("li", "", badgeOf(seat), make("span", "who", nameOf(name), ...notes.filter(Boolean).map((note) => make("small", "", note))));
    const choices = make("span", "choices");
    /** @param {string} words @param {() => void} press */
    const offer = (words, press) => {
      const button = makeButton(words, "", press);
      button.setAttribute("aria-label", `${words}: ${name}`);
      choices.append(button);
    };
    if (isOwn && !hosted.hasEnded) offer("Link", () => this.#showOwnLink(seat, name));
    if (hosted.may("token")) offer("New link", () => this.#handOn(seat, name));
    if (hosted.may("leave", seat)) offer(isOwn ? "Give up" : "Remove", () => this.#attempt(() => hosted.leave(seat)));
    row.append(choices);
    return row;
  }

  /** Whether its entropy was promised, and isn't there. @param {number} seat */
  #isAwaited(seat) {
    const { seats, draw } = this.#hosted.state;
    return Boolean(seats.find((taken) => taken.seat === seat)?.entropy_hash) && !draw?.entropy[seat];
  }

  /** @param {number} seat @param {string} name */
  #showOwnLink(seat, name) {
    const { state } = this.#hosted;
    showLink(`The seat of ${name}`, "Whoever opens this link can play for this seat. Open it on another device to play there.", `/g/${state.id}#seat=${this.#hosted.tokenOf(seat)}`);
  }

  /** @param {number} seat @param {string} name */
  async #handOn(seat, name) {
    const { state } = this.#hosted;
    if (!(await confirmed(`A new link for the seat of ${name}? The one that is used now stops to work.`, "Make a new link"))) return;
    await this.#attempt(async () => {
      const token = await this.#hosted.replaceToken(seat);
      showLink(`The seat of ${name}`, "Give this link to whoever plays for this seat from now on.", `/g/${state.id}#seat=${token}`);
    });
  }

  /** @param {() => Promise<void>} work */
  async #attempt(work) {
    await attempt(this.#trouble, work);
    this.show();
  }
}
