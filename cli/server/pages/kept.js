// What this browser keeps of a game: the tokens of its seats and of the host, what it promised, and what it
// was promised.

/**
 * `entropy` is what the seat promised, in hex; null: nothing.
 * @typedef {{ token: string, entropy: string | null }} KeptSeat
 *
 * `commitment` and `first` are the promise of the dice and the hash of version 1 as they were first seen here.
 * `wish` is the name for which a seat was refused when the game was made; null: none.
 * @typedef {{ host: string | null, seats: KeptSeat[], commitment: string | null, first: string | null, wish: string | null }} KeptGame
 */

const keptPrefix = "snl.game.";

class Kept {
  #key;
  /** For browsers that keep nothing. @type {string | null} */
  #text = null;

  /** @param {string} id */
  constructor(id) {
    this.#key = keptPrefix + id;
  }

  /** The IDs of all games of which something is kept. */
  static games() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(keptPrefix)).map((key) => key.slice(keptPrefix.length));
    } catch {
      return [];
    }
  }

  /** @returns {KeptGame} */
  get game() {
    const none = { host: null, seats: [], commitment: null, first: null, wish: null };
    try {
      return { ...none, ...JSON.parse(localStorage.getItem(this.#key) ?? "{}") };
    } catch {
      return { ...none, ...JSON.parse(this.#text ?? "{}") };
    }
  }

  /**
   * Whatever another window has kept meanwhile stays.
   * @param {(game: KeptGame) => void} change
   */
  #change(change) {
    const game = this.game;
    change(game);
    this.#text = JSON.stringify(game);
    try {
      localStorage.setItem(this.#key, this.#text);
    } catch {
      // it is known until the page is closed
    }
  }

  forget() {
    this.#text = null;
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // there was nothing
    }
  }

  /** @param {string} token */
  takeHost(token) {
    this.#change((game) => (game.host = token));
  }

  dropHost() {
    this.#change((game) => (game.host = null));
  }

  /** @param {KeptSeat} seat */
  takeSeat(seat) {
    this.#change(({ seats }) => seats.some(({ token }) => token === seat.token) || seats.push(seat));
  }

  /** @param {string} token */
  dropSeat(token) {
    this.#change((game) => (game.seats = game.seats.filter((seat) => seat.token !== token)));
  }

  /** @param {string} name */
  wish(name) {
    this.#change((game) => (game.wish = name));
  }

  /** The name that was wished for, once. */
  takeWish() {
    const { wish } = this.game;
    if (wish !== null) this.#change((game) => (game.wish = null));
    return wish;
  }

  /**
   * What was promised is remembered as it was said first.
   * @param {string | null | undefined} commitment
   * @param {string | null | undefined} first
   */
  remember(commitment, first) {
    const known = this.game;
    if (!(commitment && !known.commitment) && !(first && !known.first)) return;
    this.#change((game) => {
      game.commitment ??= commitment ?? null;
      game.first ??= first ?? null;
    });
  }

  /** Takes the token out of the address, before anything else can see it. */
  takeFromAddress() {
    const [, whose, token] = /^#(seat|host)=([\w-]{43})$/.exec(location.hash) ?? [];
    if (!token) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (whose === "host") this.takeHost(token);
    else this.takeSeat({ token, entropy: null });
  }
}

/**
 * What is sent to take a seat, and what is kept of it. A seat that promises has a say in the dice.
 * @param {string} name
 * @param {boolean} promises
 * @returns {Promise<{ body: object, seat: KeptSeat }>}
 */
async function newSeat(name, promises) {
  const token = newToken();
  if (!promises) return { body: { name, token }, seat: { token, entropy: null } };
  const entropy = randomBytes(32);
  const body = { name, token, entropy_hash: toHex(await sha256(entropy)) };
  return { body, seat: { token, entropy: toHex(entropy) } };
}
