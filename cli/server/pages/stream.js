// The stream of a game. It is closed while the page is hidden, since browsers open only a few, unless the draw needs the
// page. Once it is open again, it sends the commits since then. A browser without a network may still reach a server on
// its own machine.

/**
 * A commit's turns, for the page (live_turns.hpp). @typedef {{ undone: number, turns: Addition[] }} CommitTurns
 *
 * @typedef {{ commit: { version: number, hash: string, time: string, command: object }, game: object, page: CommitTurns | null }} CommitNotification
 *
 * @typedef {{ state: (state: State) => void, commit: (notification: CommitNotification) => void, connected: (is: boolean) => void,
 *   refused: () => void, closed: () => void, isAwaited: () => boolean }} Listener
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
  #isLeft = false; // the browser shows another page in this window
  #version;
  #head;
  /** The version that this page had when it asked for the connection; null: the first state has come. @type {number | null} */
  #before = null;

  /**
   * @param {string} path  of the game
   * @param {number} version  the last one that is known
   * @param {string | null} head  of this version; null: it isn't known
   * @param {Listener} listener
   */
  constructor(path, version, head, listener) {
    this.#path = path;
    this.#version = version;
    this.#head = head;
    this.#listener = listener;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#close(); // a phone may have frozen the page: the connection may be dead without an error
      this.#follow();
    });
    addEventListener("online", () => this.#startAnew(0));
    addEventListener("offline", () => this.#startAnew(this.#delay));
    addEventListener("pageshow", () => {
      this.#isLeft = false;
      this.#follow();
    });
    addEventListener("pagehide", () => {
      this.#isLeft = true; // it is hidden only after this
      this.#close();
    });
    this.#follow();
  }

  /** Skips the versions up to this one, which the page has from elsewhere. @param {number} version @param {string | null} head */
  knows(version, head) {
    if (version <= this.#version) return;
    this.#version = version;
    this.#head = head;
  }

  /** Opens the stream again, if a commit that should have come hasn't. The connection may be dead without an error. */
  reopen() {
    this.#startAnew(0);
  }

  #follow() {
    if (this.#ended) return;
    this.rest();
    if (!this.#rests && !this.#source) this.#open();
  }

  /** Closes the stream if nobody needs it now. */
  rest() {
    if (this.#rests) this.#close();
  }

  /** The draw needs each player's page, looked at or not. */
  get #rests() {
    return this.#isLeft || (document.hidden && !this.#listener.isAwaited());
  }

  /** Opens the stream again after the network has changed: the old connection is of no use. @param {number} delay  in milliseconds */
  #startAnew(delay) {
    if (this.#ended || this.#rests) return;
    if (!navigator.onLine) this.#lost();
    this.#close();
    this.#timer = setTimeout(() => this.#follow(), delay);
  }

  #open() {
    clearTimeout(this.#timer);
    const source = new EventSource(`${this.#path}/events?from=${Math.max(1, this.#version)}`);
    this.#source = source;
    this.#before = this.#version;
    source.addEventListener("open", () => {
      this.#delay = 1000;
      this.#listener.connected(true);
    });
    source.addEventListener("state", ({ data }) => this.#hear(JSON.parse(data)));
    source.addEventListener("commit", ({ data }) => this.#take(JSON.parse(data)));
    source.addEventListener("reset", () => this.#restored());
    source.addEventListener("end", () => this.#end());
    source.addEventListener("error", () => this.#failed(source));
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  /** The store was replaced by another copy, so this page shows turns that aren't recorded now. */
  #restored() {
    location.reload();
  }

  /** A connection's first state is no older than the page, unless the store is. @param {State} state */
  #hear(state) {
    const before = this.#before;
    this.#before = null;
    if (before !== null && state.version < before) this.#restored();
    else this.#listener.state(state);
  }

  #lost() {
    this.#listener.connected(false);
  }

  #end() {
    this.#ended = true;
    this.#close();
    this.#listener.closed();
  }

  /**
   * Notifies the listener of each version once, in order. A connection begins with the version that the page has: if its
   * hash is another one now, the store was replaced, and may have been played on since.
   * @param {CommitNotification} notification
   */
  #take(notification) {
    const { version, hash } = notification.commit;
    if (version === this.#version && this.#head !== null && hash !== this.#head) return this.#restored();
    if (version <= this.#version) return;
    this.#version = version;
    this.#head = hash;
    this.#listener.commit(notification);
  }

  /** Tries again where the browser doesn't: it gives up once it takes a response for an error. @param {EventSource} source */
  #failed(source) {
    if (source !== this.#source || this.#ended) return;
    this.#lost();
    this.#before = this.#version;
    if (source.readyState !== EventSource.CLOSED) return;
    this.#close();
    this.#listener.refused();
    this.#timer = setTimeout(() => this.#follow(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(15_000, 2 * this.#delay);
  }
}
