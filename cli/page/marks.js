// The marks of important moments on the slider, and the words about each player's luckiest throw. Nothing
// that is still to be told has a mark.

class Marks {
  #game;
  #marks;
  #highlights;
  #seek;

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   * @param {(index: number) => void} seek  is called with the position of a chosen throw
   */
  constructor(root, game, seek) {
    this.#game = game;
    this.#seek = seek;
    this.#marks = partAs(root, "marks", SVGPathElement);
    this.#highlights = part(root, "highlights");
  }

  /**
   * @param {number} horizon  the last position that may be seen
   * @param {boolean} praises  whether the luckiest throws are told, which reveals that no luckier one follows
   */
  show(horizon, praises) {
    const { moments, highlights, count } = this.#game;
    const seen = moments.filter((index) => index <= horizon);
    this.#marks.setAttribute("d", seen.map((index) => `M${(1000 * index) / count} 0v8`).join(""));
    const shown = highlights.filter(([index]) => praises && index <= horizon);
    this.#highlights.replaceChildren(...shown.map((highlight) => this.#link(highlight)));
  }

  /** @param {LuckyThrow} highlight */
  #link([index, seat, words]) {
    const link = make("a", "", nameElement(this.#game, seat), words);
    link.href = `#turn=${this.#game.first + index}`;
    link.addEventListener("click", (event) => {
      event.preventDefault(); // the page may have several players, or hide later turns
      this.#seek(index);
    });
    return make("li", "", link);
  }
}
