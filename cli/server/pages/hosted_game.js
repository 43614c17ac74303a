// A game as this page knows it: its state as the server sent it, the viewer's own seats, and the viewer's requests to
// the server.

/**
 * The server's description of a game (STATE). @typedef {{ id: string, status: string, turn: number, version: number,
 *   players: { name: string, cell: number }[], next: string | null, winner: string | null, dice: string,
 *   takebacks: string, private: boolean, places: number, rules: { faces: number }, board: { powers?: object[] }, head: string | null,
 *   seats: { seat: number, name: string, in: boolean, sent: boolean, entropy_hash: string | null, tokens: number, auto: Auto }[],
 *   pace: number | null, deadline: string | null, rematch: string | null, redraws: number,
 *   draw: { commitment: string, entropy: (string | null)[], secret: string | null } | null,
 *   takeback: Question | null }} State
 *
 * Why the server rolls for a seat; null: it doesn't. @typedef {"self" | "host" | "away" | "computer" | null} Auto
 *
 * @typedef {{ id: number, by: number, to: number, agreed: number[], outcome: string | null }} Question
 */

class HostedGame {
  /** The seat of each token. @type {Map<string, number>} */
  #seatOf = new Map();
  /** The actions that the server allows each token, besides playing. @type {Map<string, string[]>} */
  #allowed = new Map();
  /** The tokens that are the host's. @type {Set<string>} */
  #hosts = new Set();
  #identified = "";
  /** Tokens whose entropy has been sent. @type {Set<string>} */
  #sent = new Set();
  /** Tokens that were sent, and not yet answered. @type {Set<string>} */
  #changing = new Set();
  /** Calls that wait for a version. @type {{ version: number, reached: () => void }[]} */
  #waiting = [];
  #rematchTag = ""; // of the state in which the game had ended, without a next one
  received = 0; // the number of states that came by the stream
  /** The state of the last question that was settled, and the version at which this page saw it so. @type {{ id: number, version: number } | null} */
  #settled = null;
  /** The versions that were rolled because the time was up. @type {Set<number>} */
  #late = new Set();
  /** Why a seat isn't this browser's: by a new link, by a draw that heard nothing of it, or by a link that was cut short. @type {"" | "link" | "draw" | "cut"} */
  lost = "";
  /** Whether the draw gave a seat up, and this page has taken it again. */
  isBack = false;
  #hasComeBack = false;
  /** Called when something has changed. */
  onChange = () => {};
  /** Called if the server took a turn, and the stream doesn't report it in time. */
  onOverdue = () => {};

  /** @param {State} state */
  constructor(state) {
    this.state = state;
    this.path = `/api/games/${state.id}`;
    this.kept = new Kept(state.id);
    if (this.kept.takeFromAddress()) this.lost = "cut";
    const { takeback, version } = state;
    if (takeback && takeback.outcome !== null) this.#settled = { id: takeback.id, version: takeback.outcome === "done" ? version : -1 }; // others may be old
    this.#learn();
  }

  /** Takes a state that the stream sent. @param {State} state */
  hear(state) {
    ++this.received;
    this.#take(state);
  }

  /** Takes the state of a response, unless the stream has sent a newer one meanwhile. @param {Promise<State>} asked */
  async #settle(asked) {
    const received = this.received;
    const state = await asked;
    if (received === this.received) this.#take(state);
  }

  /** @param {State} state */
  #take(state) {
    if (state.version < this.state.version) return;
    this.state = state;
    this.#noteOutcome();
    this.#learn();
    this.#changed();
  }

  #changed() {
    const { version } = this.state;
    for (const waiting of this.#waiting.filter((one) => one.version <= version)) waiting.reached();
    this.#waiting = this.#waiting.filter((one) => one.version > version);
    this.onChange();
  }

  /** Waits until this page knows the game at a version, or later. @param {number} version */
  reaches(version) {
    return new Promise((resolve) => {
      this.#waiting.push({ version, reached: () => resolve(null) });
      this.#changed();
    });
  }

  /**
   * Takes the game as it is after a commit, which ends a question that was open.
   * @param {object} shown  as snl show has it
   * @param {string} outcome  of the question
   * @param {{ version: number, time: string, command: object }} commit  the next turn's time counts from it
   */
  advance(shown, outcome, { version, time, command }) {
    const { takeback } = this.state;
    const question = takeback && takeback.outcome === null ? { ...takeback, outcome } : takeback;
    const { pace } = this.state;
    const deadline = pace ? new Date(Date.parse(time) + 1000 * pace).toISOString() : null;
    this.state = { ...this.state, ...shown, deadline, takeback: question };
    if ("roll" in command && Array.isArray(command.roll) && command.roll[1] === "pace") this.#late.add(version);
    this.#noteOutcome();
    this.#changed();
  }

  #noteOutcome() {
    const { takeback, version } = this.state;
    if (takeback && takeback.outcome !== null && takeback.id !== this.#settled?.id) this.#settled = { id: takeback.id, version };
  }

  /** The last question if it is settled, until the next turn; null: there is none. */
  get settledQuestion() {
    const { takeback, version, turn } = this.state;
    const isNew = takeback && takeback.outcome !== null && this.#settled?.version === version;
    return isNew && (takeback.outcome !== "done" || takeback.to === turn) ? takeback : null;
  }

  #learn() {
    this.kept.rememberDraw(this.state);
    if (isProjector) return; // a projector plays for nobody
    this.#identify();
    if (this.state.status !== "drawing") return;
    this.isBack = false;
    this.#sendEntropy();
  }

  /** Whether it is the turn of a player on this page. @param {State} state */
  isOwnTurnIn({ status, seats, next }) {
    const mover = status === "in-progress" ? seats.find(({ name }) => name === next) : undefined;
    return mover !== undefined && mover.auto === null && this.seats.includes(mover.seat);
  }

  /** Asks for the seats of the kept tokens, whenever they may have changed. */
  async #identify() {
    const { status, seats } = this.state;
    const now = JSON.stringify([status, seats.map(({ name, tokens, in: isIn }) => [name, tokens, isIn]), this.kept.game.seats.length, this.received]);
    if (now === this.#identified) return;
    this.#identified = now;
    const { seats: kept, host } = this.kept.game;
    await Promise.all([...kept.map(({ token }) => token), ...(host ? [host] : [])].map((token) => this.#identifyToken(token, now)));
    this.#comeIn();
    this.onChange();
  }

  /**
   * Takes the seats that are reserved for this page's players, in a rematch or after the draw began again. A seat with a new
   * link has committed to nothing: it takes part in the draw again.
   */
  #comeIn() {
    const { status, seats, draw } = this.state;
    if (status !== "open") return;
    for (const { seat, name } of seats.filter((one) => !one.in || (draw && one.entropy_hash === null && one.auto === null))) {
      const token = this.tokenOf(seat);
      if (token === undefined || this.#changing.has(token)) continue;
      this.#changing.add(token);
      this.#takeReserved(name, token).catch(() => {}).finally(() => this.#changing.delete(token));
    }
  }

  /** @param {string} name @param {string} token */
  async #takeReserved(name, token) {
    const { body, seat } = await newSeat(name, this.state.draw !== null, token);
    this.kept.promiseAnew(seat); // before the request: the draw may begin at once
    this.#sent.delete(token);
    await ask("POST", `${this.path}/seats`, { body }).catch((error) => {
      // Another device has committed for it, or the game has begun.
      if (error instanceof Refused && error.status < 500) this.kept.takeBackPromise(seat);
      throw error;
    });
    await this.#settle(ask("GET", this.path));
  }

  /**
   * Asks for the seat and the rights of a token. Forgets a token that is no longer valid. One that never was valid may
   * still be taking its seat, in another window.
   * @param {string} token
   * @param {string} now  the state at the request, as text: only the latest request's answer counts
   */
  async #identifyToken(token, now) {
    if (this.#changing.has(token)) return;
    const mayBeComing = this.state.status === "open" && !this.#seatOf.has(token) && this.#outOfDraw(token) === undefined;
    try {
      const { you } = await ask("GET", this.path, { token });
      if (this.#identified !== now && this.#identified !== "") return;
      this.#allowed.set(token, you?.may ?? []);
      if (you?.host) this.#hosts.add(token);
      else this.#hosts.delete(token);
      if (typeof you?.seat === "number") {
        this.#seatOf.set(token, you.seat);
        if (this.lost === "draw") this.lost = ""; // another window has taken it again
      } else if (!this.#changing.has(token) && (this.#seatOf.has(token) || this.#outOfDraw(token) !== undefined)) this.#lose(token); // it is the host's as well
    } catch (error) {
      const isGivenUp = mayBeComing || this.#changing.has(token) || !this.kept.game.seats.some((seat) => seat.token === token);
      const isVoid = error instanceof Refused && (error.status === 403 || error.status === 401);
      if (isVoid && token === this.kept.game.host) this.kept.dropHost(); // somebody else is the host now
      else if (isVoid && !isGivenUp) {
        this.#hosts.delete(token);
        this.#lose(token);
      }
    }
  }

  /** The name of a seat whose commitment is void, since the draw began again. @param {string} token */
  #outOfDraw(token) {
    const seat = this.kept.game.seats.find((kept) => kept.token === token);
    return seat && seat.entropy === null ? seat.name : undefined;
  }

  /** @param {string} token */
  async #lose(token) {
    const name = this.#outOfDraw(token);
    this.#changing.add(token);
    const isGivenUp = name !== undefined && (await this.#wasGivenUp(token));
    this.#drop(token);
    this.#changing.delete(token);
    this.lost = isGivenUp ? "draw" : "link";
    if (isGivenUp && this.state.status === "open" && !this.#hasComeBack) await this.#sitAgain(name);
    this.onChange();
  }

  /** Whether the last draw gave the seat of a void token up: else its player left, or was removed. @param {string} token */
  async #wasGivenUp(token) {
    const error = await ask("POST", `${this.path}/entropy`, { token, body: { entropy: "00".repeat(32) } }).catch((failed) => failed);
    return error instanceof Refused && error.status === 409;
  }

  /** Forgets a seat, but not that its token is the host's as well. @param {string} token */
  #drop(token) {
    if (this.#hosts.has(token)) this.kept.takeHost(token);
    this.kept.dropSeat(token);
    this.#seatOf.delete(token);
  }

  /** Takes a seat again that the draw gave up. @param {string} name */
  async #sitAgain(name) {
    this.#hasComeBack = true; // a page that is given up again leaves the seat to others
    try {
      await this.sit(name);
      this.isBack = this.state.status === "open";
    } catch {
      // somebody has it now
    }
  }

  /** Reveals the entropy that seats have committed to, once the draw asks for it. */
  #sendEntropy() {
    for (const { token, entropy, older = [] } of this.kept.game.seats) {
      if (!entropy || this.#sent.has(token)) continue;
      this.#sent.add(token);
      const asked = this.#promisedOf([entropy, ...older]).then((promised) => ask("POST", `${this.path}/entropy`, { token, body: { entropy: promised } }));
      this.#settle(asked).catch(() => this.#sent.delete(token));
    }
  }

  /** The entropy that a seat has committed to. @param {string[]} drawn */
  async #promisedOf(drawn) {
    const promises = this.state.seats.map((seat) => seat.entropy_hash);
    for (const entropy of drawn) if (promises.includes(hexOf(await sha256(bytesOf(entropy))))) return entropy;
    return drawn[0];
  }

  // ---- The viewer's own seats

  /** The seats that are played on this page, ascending. */
  get seats() {
    return [...new Set(this.kept.game.seats.flatMap(({ token }) => this.#seatOf.get(token) ?? []))].sort((one, other) => one - other);
  }

  /** @param {number} seat */
  tokenOf(seat) {
    return this.kept.game.seats.find(({ token }) => this.#seatOf.get(token) === seat)?.token;
  }

  get isHost() {
    return this.#hostToken !== undefined;
  }

  /** The seats on this page that the server rolls for, because their player is away or asked for it. */
  get restingSeats() {
    return this.seats.filter((seat) => this.autoOf(seat) !== null);
  }

  /** @param {number} seat @returns {Auto} */
  autoOf(seat) {
    return this.state.seats.find((taken) => taken.seat === seat)?.auto ?? null;
  }

  /**
   * Whether the server allows the viewer this action: as the player of a seat, or else as the host. It says nothing of
   * whose turn it is, which the stream reports sooner.
   * @param {string} what @param {number} [seat]
   */
  may(what, seat) {
    if (this.hasEnded) return false; // these rights are from before the end
    const token = (seat === undefined ? undefined : this.tokenOf(seat)) ?? this.#hostToken;
    return token !== undefined && (this.#allowed.get(token) ?? []).includes(what);
  }

  /** @param {number} seat */
  nameOf(seat) {
    return this.state.seats.find((taken) => taken.seat === seat)?.name ?? this.state.players[seat]?.name ?? "";
  }

  /** The seat that is to move; null: none. */
  get mover() {
    const { status, seats, next } = this.state;
    return (status === "in-progress" ? seats.find(({ name }) => name === next)?.seat : undefined) ?? null;
  }

  get hasEnded() {
    return this.state.status === "completed" || this.state.status === "abandoned";
  }

  /** The question that is open; null: none. */
  get question() {
    const { takeback } = this.state;
    return takeback && takeback.outcome === null ? takeback : null;
  }

  // ---- Requests to the server

  /** @param {string} name */
  async sit(name) {
    const { body, seat } = await newSeat(name, this.state.draw !== null);
    this.kept.takeSeat(seat); // before the request: the page may be closed meanwhile
    this.#changing.add(seat.token);
    try {
      const taken = await ask("POST", `${this.path}/seats`, { body });
      this.#seatOf.set(seat.token, taken.seat);
      this.lost = "";
    } catch (error) {
      this.kept.dropSeat(seat.token);
      throw error;
    } finally {
      this.#changing.delete(seat.token);
      this.#identified = ""; // the game may have started meanwhile, which renumbers seats
    }
    await this.#settle(ask("GET", this.path));
  }

  /** @param {number} seat */
  async leave(seat) {
    const own = this.tokenOf(seat);
    if (own) this.#changing.add(own);
    try {
      await ask("DELETE", `${this.path}/seats/${seat}`, { token: own ?? this.#hostToken }).catch((error) => {
        if (!own || !(error instanceof Refused) || error.status !== 403) throw error; // else it is done, and the first answer was lost
      });
      if (own) {
        this.#drop(own);
        this.isBack = false;
        this.lost = "";
      }
    } finally {
      if (own) this.#changing.delete(own);
    }
    await this.#settle(ask("GET", this.path));
  }

  get #hostToken() {
    return this.kept.game.host ?? this.kept.game.seats.find(({ token }) => this.#hosts.has(token))?.token;
  }

  /** Takes the lowest free seat for a computer. Without a name the server couldn't know a repetition. */
  async addComputer() {
    /** @param {State} state */
    const computersIn = ({ seats }) => seats.filter(({ auto }) => auto === "computer").length;
    const before = computersIn(this.state);
    const failed = await ask("POST", `${this.path}/seats`, { token: this.#hostToken, body: { computer: true }, once: true }).then(() => null, (error) => error);
    const now = ask("GET", this.path);
    await this.#settle(now);
    if (failed && computersIn(await now) <= before) throw failed;
  }

  /**
   * Has the server roll for a seat, or no longer.
   * @param {number} seat @param {boolean} on
   */
  async setAuto(seat, on) {
    await this.#settle(ask("PUT", `${this.path}/seats/${seat}/auto`, { token: this.tokenOf(seat) ?? this.#hostToken, body: { on } }));
  }

  /** Makes the player of a seat the host. @param {number} seat */
  async makeHost(seat) {
    await ask("POST", `${this.path}/host`, { token: this.#hostToken, body: { seat } }).catch((error) => {
      if (!(error instanceof Refused) || error.status !== 403) throw error; // else it is done, and the first answer was lost
    });
    this.kept.dropHost();
    this.#hosts.clear();
    this.#identified = "";
    await this.#identify();
  }

  async start() {
    await this.#asHost("start");
  }

  /** Whether there is a next game, or a player on this page, or the host, may ask for it. */
  get mayPlayAgain() {
    return Boolean(this.state.rematch) || [...this.#allowed.values()].some((allowed) => allowed.includes("rematch"));
  }

  /** Goes to the next game, with the tokens of this one. */
  async playAgain() {
    const { host, seats } = this.kept.game;
    const token = host ?? seats[0]?.token;
    if (!token) return location.assign(`/g/${this.state.rematch}`);
    const { id } = await ask("POST", `${this.path}/rematch`, { token });
    const next = new Kept(id);
    if (host) next.takeHost(host);
    for (const seat of seats) next.takeSeat({ token: seat.token, entropy: null });
    location.assign(`/g/${id}${next.asFragment}`);
  }

  /** Whether the viewer's seats are lost with this page. */
  get isFleeting() {
    return this.seats.length > 0 && !this.hasEnded && this.kept.isRefused;
  }

  /** Asks, once a game has ended, whether there is a next one. */
  async askForRematch() {
    const received = this.received;
    const headers = this.#rematchTag === "" ? undefined : { "If-None-Match": this.#rematchTag };
    const response = await fetch(this.path, { headers, cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(responseTimeout) }).catch(() => null);
    if (response?.status !== 200) return; // there is none yet, or the caller asks again
    const state = await response.json().catch(() => null);
    if (state === null || received !== this.received) return;
    this.#rematchTag = response.headers.get("ETag") ?? "";
    this.#take(state);
  }

  async abandon() {
    await this.#asHost("abandon");
  }

  /** @param {string} what */
  async #asHost(what) {
    await this.#settle(ask("POST", `${this.path}/${what}`, { token: this.#hostToken }));
  }

  /**
   * Makes a new token for a seat. The old one is void.
   * @param {number} seat
   * @returns {Promise<string>}
   */
  async replaceToken(seat) {
    const token = newToken();
    await ask("POST", `${this.path}/seats/${seat}/token`, { token: this.#hostToken, body: { token } });
    const own = this.tokenOf(seat);
    if (own) {
      this.kept.dropSeat(own);
      this.#seatOf.delete(own);
    }
    return token;
  }

  /**
   * Plays the turn that is next now. Without a connection this may take long, and somebody may play that turn elsewhere;
   * then no other turn is played in its place. Waits until this page knows the turn, so that nobody plays another by
   * mistake.
   * @param {number} seat
   * @param {number[] | null} dice  that were thrown; null: the server rolls
   * @param {string} key
   */
  async play(seat, dice, key) {
    const { version } = this.state;
    const asked = { token: this.tokenOf(seat), body: dice ? { dice } : {}, key, version };
    try {
      await this.#known((await ask("POST", `${this.path}/turns`, asked)).version);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 412) throw error;
      await this.#known(version + 1);
      throw new Error(this.#late.has(version + 1) ? "The time was up, so the server rolled for you." : "That turn was played elsewhere meanwhile. It wasn’t played again.");
    }
  }

  /** Waits until this page knows a version that the server has. @param {number} version */
  async #known(version) {
    const overdue = setTimeout(() => this.onOverdue(), 3000);
    await this.reaches(version);
    clearTimeout(overdue);
  }

  /** @param {number} seat @param {number} turn  the last one that would stay */
  async askBack(seat, turn) {
    await this.#settle(ask("POST", `${this.path}/takebacks`, { token: this.tokenOf(seat), body: { to: turn } }));
  }

  /** Answers the question for each of these seats. @param {number[]} seats @param {boolean} agree */
  async answer(seats, agree) {
    const { question } = this;
    if (!question) return;
    for (const seat of seats)
      await this.#settle(ask("POST", `${this.path}/takebacks/${question.id}`, { token: this.tokenOf(seat), body: { agree } }));
  }
}
