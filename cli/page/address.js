// The address says which turn is shown.

class Address {
  #timer = null;

  /** Browsers allow only so many changes a second. */
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
}
