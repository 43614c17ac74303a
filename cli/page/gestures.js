// Fingers and wheels: a swipe over the board steps, and so does a wheel over the controls; a held button repeats.

const swipe = 40; // pixels, at least
const held = 400; // milliseconds until a held button repeats
const again = 110; // milliseconds between repeats

class Gestures {
  #player;

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   */
  constructor(root, player) {
    this.#player = player;
    if (!root.matches(".zooms")) this.#swipe(part(root, "stage")); // on a board that zooms, a finger moves the board instead
    part(root, "playback").addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#hold(part(root, "back"), -1);
    this.#hold(part(root, "next"), 1);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (event.ctrlKey || event.deltaY === 0) return; // the browser zooms or scrolls the page
    event.preventDefault();
    this.#player.step(Math.sign(event.deltaY));
  }

  /** @param {HTMLElement} place */
  #swipe(place) {
    /** @type {PointerEvent | null} */
    let began = null;
    place.addEventListener("pointerdown", (event) => (began = event.pointerType === "touch" && event.isPrimary ? event : null));
    place.addEventListener("pointerup", (event) => {
      const across = began ? event.clientX - began.clientX : 0;
      const along = began ? event.clientY - began.clientY : 0;
      began = null;
      if (Math.abs(across) >= swipe && Math.abs(across) > 2 * Math.abs(along)) this.#player.step(-Math.sign(across));
    });
  }

  /** @param {HTMLElement} button @param {number} turns */
  #hold(button, turns) {
    let timer = 0;
    let repeated = false;
    const stop = () => clearTimeout(timer);
    const repeat = () => {
      repeated = true;
      this.#player.step(turns);
      timer = setTimeout(repeat, again);
    };
    button.addEventListener("pointerdown", () => {
      stop();
      repeated = false;
      timer = setTimeout(repeat, held);
    });
    // A held pointer has stepped already, so its click does nothing. A key's click has a detail of 0.
    button.addEventListener("click", (event) => repeated && event.detail > 0 && event.stopImmediatePropagation(), { capture: true });
    for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, stop);
  }
}
