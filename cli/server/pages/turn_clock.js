// The seconds that are left for a turn. The server decides when they are over; this only shows them.

class TurnClock {
  #place;
  #hosted;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {HTMLElement} place
   * @param {HostedGame} hosted
   */
  constructor(place, hosted) {
    this.#place = place;
    this.#hosted = hosted;
    if (hosted.state.pace && !hosted.hasEnded) ask("GET", hosted.path).then(() => this.show(), () => {}); // any response compares the clocks
  }

  show() {
    clearTimeout(this.#timer);
    const left = this.#secondsLeft;
    this.#place.hidden = left === null;
    if (left === null) return;
    this.#place.textContent = clockTime(left);
    this.#place.classList.toggle("late", left <= 10);
    if (this.#place.isConnected) this.#timer = setTimeout(() => this.show(), 1000);
  }

  /** The seconds left: at most the pace, however wrong this machine's clock is; null: there is no limit now. */
  get #secondsLeft() {
    const { status, deadline, pace } = this.#hosted.state;
    const { mover } = this.#hosted;
    if (status !== "in-progress" || !deadline || !pace || mover === null || this.#hosted.autoOf(mover)) return null;
    return Math.max(0, Math.min(pace, Math.ceil((Date.parse(deadline) - serverTime()) / 1000)));
  }
}

/** A time as chess clocks show it: 0:09, 12:30, 23:59:00. @param {number} seconds */
function clockTime(seconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
