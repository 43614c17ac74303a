// The address names the turn that is shown. It belongs to the page, not to a player: a page of one game
// connects the two.

class Address {
  /** @type {number | undefined} */
  #timer;

  /**
   * Waits between changes: browsers allow only so many a second.
   * @param {number} turn
   */
  update(turn) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      try {
        history.replaceState(null, "", `#turn=${turn}`);
      } catch {
        // an embedded page may have no address of its own
      }
    }, 200);
  }

  /** The number of the turn that the address asks for; null: none. */
  get turn() {
    const number = /^#turn=(\d+)$/.exec(location.hash)?.[1];
    return number === undefined ? null : Number(number);
  }

  /**
   * Shows the turn that the address asks for, now and whenever it asks for another. Keeps the address at
   * the turn that is shown.
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
