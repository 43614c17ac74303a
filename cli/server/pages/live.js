// The page of a game on a server. It shows the game as it is played, from the lobby to the proof at its end.

/** Whether the page is for a projector: board, names and die, and nothing to click. */
const isProjector = new URLSearchParams(location.search).has("watch");

class LivePage {
  #main;
  #hosted;
  #log;
  #stream;
  #connection;
  /** The view on the page: a lobby, or a player with its panel. @type {{ show: () => void } | null} */
  #view = null;
  /** @type {Player | null} */
  #player = null;
  #version = 0; // of the game that the player shows
  /** The hash of each version that came while the page was open. @type {Map<number, string>} */
  #seen = new Map();
  /** The state of a version whose commits are still to come. @type {State | null} */
  #held = null;
  #isRenewing = false;
  /** The timer until the page is requested again. @type {number | undefined} */
  #renewal;
  #isAskingWhetherGone = false;
  #hasClosed = false; // whether the stream has ended
  /** @type {number | undefined} */
  #timer;
  /** @type {number | undefined} */
  #nextRefresh; // until the log is read again
  #isConnected = true;
  #wasLost = false;

  /** @param {HTMLElement} main */
  constructor(main) {
    this.#main = main;
    this.#connection = part(document, "connection");
    document.body.classList.toggle("projector", isProjector);
    const state = this.#stateOf(main);
    this.#log = new LogWatch(state.id); // before the address is cleared
    this.#hosted = new HostedGame(state);
    addEventListener("hashchange", () => this.#takeLink());
    this.#build(new Address().turn);
    this.#stream = new GameStream(this.#hosted.path, this.#version, this.#headIn(state), {
      state: (state) => this.#hear(state),
      commit: (notification) => this.#commit(notification),
      connected: (is) => this.#showConnection(is),
      refused: () => this.#askWhetherGone(),
      closed: () => this.#closed(),
      isAwaited: () => this.#isAwaited,
    });
    this.#hosted.onChange = () => {
      if (!this.#held) this.#view?.show();
      this.#stream.rest();
    };
    this.#hosted.onOverdue = () => this.#stream.reopen();
    this.#refreshLog();
    setInterval(() => this.#callHidden(), 10_000);
  }

  /**
   * Whether a player has a seat on this page, which doesn't show the game's beginning yet. Even if nobody looks at it,
   * the draw needs what its seats have committed to, and then its player is to be called.
   */
  get #isAwaited() {
    return !this.#player && !this.#hosted.hasEnded && !isProjector && this.#hosted.kept.game.seats.length > 0;
  }

  /** Asks, while nobody looks at the page, whether it is its player's turn. The title then says so. */
  async #callHidden() {
    if (!document.hidden || this.#hosted.hasEnded || this.#hosted.seats.length === 0) return;
    const state = await ask("GET", this.#hosted.path, { once: true }).catch(() => null); // asked again soon
    if (state && document.hidden && this.#view instanceof Panel) this.#view.call(this.#hosted.isOwnTurnIn(state));
  }

  /** @param {ParentNode} page @returns {State} */
  #stateOf(page) {
    return JSON.parse(partAs(page, "state", HTMLScriptElement).textContent ?? "");
  }

  /** The head of the version that the page shows; null: the state is of another. @param {State} state */
  #headIn(state) {
    return state.version === this.#version ? state.head : null;
  }

  /** Follows a link to a seat that is opened in this page. */
  #takeLink() {
    if (/^#(seat|host|log)=/.test(location.hash)) location.reload();
  }

  // ---- The view

  /** @param {number | null} turn  the one to show; null: the last one */
  #build(turn) {
    const { version, first } = this.#main.dataset;
    this.#version = Number(version);
    if (!this.#isWhole) this.#hosted.kept.rememberFirst(first); // else Verify would compare it with itself
    const root = this.#main.querySelector(".snl");
    if (root instanceof HTMLElement) this.#play(root, turn);
    else this.#view = this.#main.querySelector(".lobby") ? new Lobby(part(this.#main, "lobby"), this.#hosted) : null;
    this.#view?.show();
    this.#log.showIn(this.#main);
  }

  /**
   * Reads the log at once, then each minute while the game is on, and for a quarter of an hour after its end. The
   * server has signed the end by then.
   */
  async #refreshLog(minutes = 15) {
    const { hasEnded, state } = this.#hosted;
    const ended = hasEnded && state.head ? { version: state.version, hash: this.#seen.get(state.version) ?? state.head } : null;
    clearTimeout(this.#nextRefresh);
    if (!document.hidden) {
      await this.#log.refresh(ended);
      this.#view?.show(); // links carry the log's key now
    }
    clearTimeout(this.#nextRefresh);
    const { pause } = this.#log;
    if (minutes > 0 && pause !== null) this.#nextRefresh = setTimeout(() => this.#refreshLog(hasEnded ? minutes - pause / 60_000 : minutes), pause);
  }

  /** @param {HTMLElement} root @param {number | null} turn */
  #play(root, turn) {
    const game = new Game(JSON.parse(part(root, "game").textContent ?? ""));
    const player = new Player(root, game, { live: true });
    this.#player = player;
    const panel = new Panel(root, this.#hosted, game, player);
    this.#view = panel;
    player.onSettled = () => this.#settled();
    if (turn !== null) player.goToTurn(turn);
    if (this.#isWhole) this.#offerProof(root, game);
  }

  /** Whether the page has the whole game, with all that was secret while it was on. */
  get #isWhole() {
    return this.#main.dataset.told === "whole";
  }

  /** @param {HTMLElement} root @param {Game} game */
  #offerProof(root, game) {
    verifyOnClick(root, game, (_, found) => void found.proved.push(...keptPromises(this.#hosted.kept.game, this.#seen, found)));
    const { state } = this.#hosted;
    if (state.redraws > 0) root.querySelector(".facts dl")?.append(make("dt", "", "Draw"), make("dd", "", redrawsWords(state)));
    const link = part(root, "to-proof");
    link.hidden = false;
    link.addEventListener("click", () => {
      partAs(root, "facts", HTMLDetailsElement).open = true;
      part(root, "verify").scrollIntoView({ block: "center" });
      part(root, "verify").click();
    });
  }

  #settled() {
    this.#view?.show();
    this.#endIfShown();
  }

  // ---- Notifications

  /**
   * Takes a state from the stream. The stream begins with one, though the commits that led there are still to come. Such
   * a state is held until they are shown: it would reveal their outcome, and its question may be a later one than theirs.
   * @param {State} state
   */
  #hear(state) {
    this.#held = null;
    if (this.#player && state.version > this.#version) {
      this.#held = state;
      return;
    }
    this.#hosted.hear(state);
    if (!this.#player && state.version > 0) this.#renew();
    if (!this.#player && this.#hosted.hasEnded) this.#renew();
  }

  /** @param {CommitNotification} notification */
  #commit({ commit, game, page }) {
    this.#seen.set(commit.version, commit.hash);
    if (commit.version === 1) this.#hosted.kept.rememberFirst(commit.hash);
    const follows = this.#player !== null && page !== null && commit.version === this.#version + 1;
    const isMissed = this.#held !== null && commit.version < this.#held.version; // the page was hidden, or without a connection
    if (follows) {
      this.#version = commit.version;
      if (page.undone > 0) this.#player?.undo(page.undone);
      for (const turn of page.turns) this.#player?.append(turn, isMissed);
      this.#record(commit);
    }
    this.#hosted.advance(game, page && page.undone > 0 ? "done" : "overtaken", commit);
    this.#hearHeld();
    if (commit.version > this.#version) this.#renew();
  }

  /** Brings the page’s record up to date. @param {{ version: number, hash: string }} commit */
  #record({ version, hash }) {
    for (const name of this.#main.querySelectorAll(".facts dt")) {
      const value = name.nextElementSibling;
      const code = value?.querySelector("code");
      if (value && name.textContent === "Version") value.textContent = `${version}`;
      if (code && ["Head", "To verify"].includes(name.textContent ?? "")) code.textContent = (code.textContent ?? "").replace(/[0-9a-f]{64}$/, hash);
    }
  }

  #hearHeld() {
    if (this.#held && this.#held.version <= this.#version) this.#hear(this.#held);
  }

  /** Asks whether the game is gone, after the server has refused the stream. The page then says so. */
  async #askWhetherGone() {
    if (this.#isAskingWhetherGone) return;
    this.#isAskingWhetherGone = true;
    try {
      await ask("GET", this.#hosted.path);
    } catch (error) {
      if (error instanceof Refused && error.status === 404) location.reload();
    }
    this.#isAskingWhetherGone = false;
  }

  /** Waits for the next game, for a quarter of an hour. @param {number} times */
  #awaitRematch(times = 300) {
    const { rematch } = this.#hosted.state;
    if (rematch && isProjector) location.assign(`/g/${rematch}?watch`);
    if (times === 0 || rematch) return;
    setTimeout(async () => {
      if (!document.hidden) await this.#hosted.askForRematch();
      this.#awaitRematch(times - 1);
    }, 3000);
  }

  #closed() {
    if (!this.#hasClosed) {
      this.#awaitRematch();
      clearTimeout(this.#nextRefresh);
      if (this.#log.pause !== null) this.#nextRefresh = setTimeout(() => this.#refreshLog(), 12_000); // a server signs every ten seconds
    }
    this.#hasClosed = true;
    this.#showConnection(true);
    this.#endIfShown();
  }

  /** Requests the whole page, in which nothing is secret any more, once the last turn has been shown. */
  #endIfShown() {
    if (this.#hasClosed && !this.#isWhole && !(this.#player?.hides && !this.#player.isBehind)) this.#renew();
  }

  /** Requests the page as it is now, if the player can't show the changes turn by turn. */
  async #renew() {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    clearTimeout(this.#renewal);
    const { received } = this.#hosted;
    const hadClosed = this.#hasClosed;
    /** @type {number | null} */
    let delay = null;
    try {
      const page = await pageNow(location.pathname);
      document.title = marked(page.title, isMarked());
      this.#replace(part(page, "live-page"), received);
      if (this.#version < this.#hosted.state.version) delay = 500;
    } catch {
      delay = 2000 + 1000 * Math.random();
    }
    this.#isRenewing = false;
    if (delay !== null) this.#renewal = setTimeout(() => this.#renew(), delay);
    else if (this.#hasClosed && !hadClosed) this.#endIfShown(); // this page is from before the end
  }

  /**
   * Puts a fresh page in the place of this one. A viewer who looks back stays at that turn.
   * @param {HTMLElement} fresh
   * @param {number} receivedBefore  the number of states that had come when it was requested
   */
  #replace(fresh, receivedBefore) {
    const shownTurn = this.#player?.isBehind ? this.#player.turn : null;
    const focused = document.activeElement instanceof HTMLElement && this.#main.contains(document.activeElement) ? document.activeElement.className : null;
    const { version, first, told } = fresh.dataset;
    Object.assign(this.#main.dataset, { version, first: first ?? "", told });
    this.#player = null;
    this.#main.replaceChildren(...fresh.childNodes);
    const state = this.#stateOf(this.#main);
    if (this.#hosted.received === receivedBefore || state.version > this.#hosted.state.version) this.#hosted.hear(state);
    this.#build(shownTurn);
    this.#stream?.knows(this.#version, this.#headIn(state));
    this.#hearHeld();
    this.#stream?.rest();
    if (focused !== null) this.#focusAgain(focused);
  }

  /** Gives the focus back to the element that had it, for viewers who use keys. @param {string} className */
  #focusAgain(className) {
    const again = [...this.#main.querySelectorAll("button, input, [tabindex]")].find((element) => className && element.className === className);
    if (again instanceof HTMLElement && again.offsetParent) again.focus();
    else part(this.#main, "turn-words").focus();
  }

  /** Shows whether there is a connection. Each failed attempt calls this; a repeated call delays nothing. @param {boolean} connected */
  #showConnection(connected) {
    if (connected === this.#isConnected && (connected || navigator.onLine)) return;
    this.#isConnected = connected;
    clearTimeout(this.#timer);
    const said = connected ? (this.#wasLost ? "Connected again." : "") : "The connection is lost. Trying again…";
    const delay = connected || !navigator.onLine ? 0 : 1200; // a connection that is back at once isn't reported as lost
    this.#timer = setTimeout(() => {
      if (this.#connection.textContent !== said) this.#connection.textContent = said; // a screen reader speaks each change
      this.#connection.classList.toggle("lost", !connected);
      this.#wasLost = !connected;
      if (said && connected) this.#timer = setTimeout(() => (this.#connection.textContent = ""), 4000);
    }, delay);
  }
}

for (const main of document.querySelectorAll(".live-page")) if (main instanceof HTMLElement) new LivePage(main);
