// Large boards can be brought nearer, by the wheel, two fingers or keys; and moved, by a finger or the mouse.

const largeFrom = 15; // cells a side
const largest = 8; // times

class Zoom {
  #picture;
  #full;
  #scale = 1;
  #x = 0;
  #y = 0;
  /** The place where each finger, or the mouse, is down. @type {Map<number, PointerEvent>} */
  #down = new Map();

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   */
  constructor(root, game) {
    this.#picture = partAs(root, "picture", SVGSVGElement);
    const { width, height } = this.#picture.viewBox.baseVal;
    this.#full = { width, height };
    this.isOffered = Math.max(game.width, game.rows) >= largeFrom;
    if (!this.isOffered) return;
    root.classList.add("zooms");
    this.#picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.by(1.2 ** -Math.sign(event.deltaY), this.#pointAt(event));
    }, { passive: false });
    this.#picture.addEventListener("pointerdown", (event) => this.#down.set(event.pointerId, event));
    this.#picture.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      this.#picture.addEventListener(end, (event) => event instanceof PointerEvent && this.#down.delete(event.pointerId));
  }

  /**
   * Brings the board nearer or farther by a factor, around a point that stays in place.
   * @param {number} factor
   */
  by(factor, { x, y } = { x: this.#x + this.#full.width / this.#scale / 2, y: this.#y + this.#full.height / this.#scale / 2 }) {
    if (!this.isOffered) return;
    const scale = Math.min(largest, Math.max(1, this.#scale * factor));
    this.#x = x - ((x - this.#x) * this.#scale) / scale;
    this.#y = y - ((y - this.#y) * this.#scale) / scale;
    this.#scale = scale;
    this.#show();
  }

  /** @param {MouseEvent} event */
  #pointAt({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.#picture.getScreenCTM()?.inverse());
  }

  /** One finger moves the board; two bring it nearer as they part. @param {PointerEvent} event */
  #move(event) {
    const before = this.#down.get(event.pointerId);
    if (!before) return;
    const other = [...this.#down.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    const [from, to] = [this.#pointAt(before), this.#pointAt(event)];
    this.#down.set(event.pointerId, event);
    if (other) {
      const still = this.#pointAt(other);
      this.by(Math.hypot(to.x - still.x, to.y - still.y) / Math.max(1, Math.hypot(from.x - still.x, from.y - still.y)), still);
    } else {
      this.#x += from.x - to.x;
      this.#y += from.y - to.y;
      this.#show();
    }
  }

  #show() {
    const [width, height] = [this.#full.width / this.#scale, this.#full.height / this.#scale];
    this.#x = Math.min(this.#full.width - width, Math.max(0, this.#x));
    this.#y = Math.min(this.#full.height - height, Math.max(0, this.#y));
    this.#picture.setAttribute("viewBox", [this.#x, this.#y, width, height].join(" "));
  }
}
