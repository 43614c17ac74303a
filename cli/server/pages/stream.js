// The stream of a game. It is closed while the page is hidden, since browsers open only a few. Once it is open again, it
// sends the commits since then. A browser without a network may still reach a server on its own machine.

/**
 * A commit's turns, for the page (live_turns.hpp). @typedef {{ undone: number, turns: Addition[] }} Told
 *
 * @typedef {{ commit: { version: number, hash: string, time: string }, game: object, page: Told | null }} CommitNotification
 *
 * @typedef {{ state: (state: State) => void, commit: (notification: CommitNotification) => void, connected: (is: boolean) => void,
 *   refused: () => void, closed: () => void }} Listener
 */

class GameStream {
  #path;
  #listener;
  /** @type {EventSource | null} */
  #source = null;
  /** @type {number | undefined} */
  #timer;
  #delay = 1000; // milliseconds until the next attempt where the browser has given up
  #ended = false;
  #version;

  /**
   * @param {string} path  of the game
   * @param {number} version  the last one that is known
   * @param {Listener} listener
   */
  constructor(path, version, listener) {
    this.#path = path;
    this.#version = version;
    this.#listener = listener;
    document.addEventListener("visibilitychange", () => this.#follow());
    addEventListener("online", () => this.#startAnew(0));
    addEventListener("offline", () => this.#startAnew(this.#delay));
    addEventListener("pageshow", () => this.#follow());
    addEventListener("pagehide", () => this.#close());
    this.#follow();
  }

  /** Skips the versions up to this one, which the page has from elsewhere. @param {number} version */
  knows(version) {
    this.#version = Math.max(this.#version, version);
  }

  /** Opens the stream again, if a commit that should have come hasn't. The connection may be dead without an error. */
  reopen() {
    this.#startAnew(0);
  }

  #follow() {
    if (this.#ended) return;
    if (document.hidden) this.#close();
    else if (!this.#source) this.#open();
  }

  /** Opens the stream again after the network has changed: the old connection is of no use. @param {number} delay  in milliseconds */
  #startAnew(delay) {
    if (this.#ended || document.hidden) return;
    if (!navigator.onLine) this.#lost();
    this.#close();
    this.#timer = setTimeout(() => this.#follow(), delay);
  }

  #open() {
    clearTimeout(this.#timer);
    const source = new EventSource(`${this.#path}/events?from=${this.#version + 1}`);
    this.#source = source;
    source.addEventListener("open", () => {
      this.#delay = 1000;
      this.#listener.connected(true);
    });
    source.addEventListener("state", ({ data }) => this.#listener.state(JSON.parse(data)));
    source.addEventListener("commit", ({ data }) => this.#take(JSON.parse(data)));
    // The store was replaced by an older copy, so this page shows turns that aren't recorded now.
    source.addEventListener("reset", () => location.reload());
    source.addEventListener("end", () => this.#end());
    source.addEventListener("error", () => this.#failed(source));
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #lost() {
    this.#listener.connected(false);
  }

  #end() {
    this.#ended = true;
    this.#close();
    this.#listener.closed();
  }

  /** Notifies the listener of each version once, in order. @param {CommitNotification} notification */
  #take(notification) {
    if (notification.commit.version <= this.#version) return;
    this.#version = notification.commit.version;
    this.#listener.commit(notification);
  }

  /** Tries again where the browser doesn't: it gives up once it takes a response for an error. @param {EventSource} source */
  #failed(source) {
    if (source !== this.#source || this.#ended) return;
    this.#lost();
    if (source.readyState !== EventSource.CLOSED) return;
    this.#close();
    this.#listener.refused();
    this.#timer = setTimeout(() => this.#follow(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(15_000, 2 * this.#delay);
  }
}
