// The address says which turn is shown. It belongs to the page, not to a player: a page that shows one
// game connects the two.

class Address {
  /** @type {number | undefined} */
  #timer;

  /**
   * Browsers allow only so many changes a second.
   * @param {number} turn
   */
  update(turn) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      try {
        history.replaceState(null, "", `#turn=${turn}`);
      } catch {
        // a page within another may have no address of its own
      }
    }, 200);
  }

  /** The number of the turn that it asks for; null: none. */
  get turn() {
    const number = /^#turn=(\d+)$/.exec(location.hash)?.[1];
    return number === undefined ? null : Number(number);
  }

  /**
   * Shows the turn that the address asks for, now and whenever it asks for another; and has it say what
   * is shown.
   * @param {Player} player
   */
  connect(player) {
    const follow = () => {
      if (this.turn !== null && this.turn !== player.turn) player.goToTurn(this.turn);
    };
    if (this.turn !== null) player.goToTurn(this.turn);
    player.onSettled = (turn) => this.update(turn);
    addEventListener("hashchange", follow);
  }
}
