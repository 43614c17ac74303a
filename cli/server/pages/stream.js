// The stream of a game. It is closed while nobody looks at the page, since browsers open only a few; what happened
// meanwhile comes once it is open again. A browser without a network may still reach a server on its own machine.

/**
 * What a commit was, for the page (live_turns.hpp). @typedef {{ undone: number, turns: Addition[] }} Told
 *
 * @typedef {{ commit: { version: number, hash: string, time: string }, game: object, page: Told | null }} CommitNews
 *
 * @typedef {{ state: (state: State) => void, commit: (news: CommitNews) => void, connected: (is: boolean) => void,
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

  /** Versions up to this one are known: they came another way. @param {number} version */
  knows(version) {
    this.#version = Math.max(this.#version, version);
  }

  /** What should have come hasn't: the connection may be dead, though nobody has said so. */
  reopen() {
    this.#startAnew(0);
  }

  #follow() {
    if (this.#ended) return;
    if (document.hidden) this.#close();
    else if (!this.#source) this.#open();
  }

  /** What was open goes by a network that isn't there any more. @param {number} delay  in milliseconds */
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
    // An older copy of the store was put in place: what this page shows isn't what is recorded now.
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

  /** Each version is told once, in order. @param {CommitNews} news */
  #take(news) {
    if (news.commit.version <= this.#version) return;
    this.#version = news.commit.version;
    this.#listener.commit(news);
  }

  /** The browser tries again by itself, but for what it takes for an answer. @param {EventSource} source */
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
