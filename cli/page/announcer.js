// The words for a screen reader. While the game plays, it says only important things, and not too often.

const quiet = 4000; // milliseconds between two announcements while it plays

class Announcer {
  #place;
  #slider;
  /** @type {number | undefined} */
  #timer;
  #last = -Infinity;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#place = part(root, "announcer");
    this.#slider = part(root, "slider");
  }

  /**
   * @param {string} words
   * @param {number} delay  in milliseconds
   */
  say(words, delay = 0) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#place.textContent = words;
      this.#last = performance.now();
    }, delay);
  }

  /**
   * Speaks once nothing else has been said for a moment. If the slider has the focus, it speaks itself.
   * @param {string} words
   */
  sayPosition(words) {
    if (document.activeElement !== this.#slider) this.say(words, 400);
  }

  get isQuiet() {
    return performance.now() - this.#last > quiet;
  }
}
