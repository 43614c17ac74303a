// What a reader of the screen hears. While the game plays, only what matters, and not too often.

const quiet = 4000; // milliseconds between two announcements while it plays

class Announcer {
  #timer = null;
  #last = -Infinity;

  say(words, delay = 0) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      byId("announcer").textContent = words;
      this.#last = performance.now();
    }, delay);
  }

  /** Once nothing else has been said for a moment; the slider, where the focus is on it, says so itself. */
  sayPosition(words) {
    if (document.activeElement !== byId("slider")) this.say(words, 400);
  }

  get isQuiet() {
    return performance.now() - this.#last > quiet;
  }
}
