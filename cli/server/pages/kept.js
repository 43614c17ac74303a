// A game's data in this browser: the tokens of its seats and of the host, its own commitments to the draw, and the
// server's.

/**
 * `entropy` is what the seat has committed to, in hex; null: nothing. `older` was drawn for the same seat by another window:
 * of two commitments made at once the server has taken one.
 * `name` is the one of a seat that has committed.
 * @typedef {{ token: string, entropy: string | null, older?: string[], name?: string }} KeptSeat
 *
 * `commitment` is to the dice, as it was first seen here while seats could be taken; `redraws` says how often the draw had
 * begun again by then. `first` is the hash of version 1 as it was first seen here while the game was on.
 * `wish` is the name for which a seat was refused when the game was made; null: none. `over`: it has ended.
 * @typedef {{ host: string | null, seats: KeptSeat[], commitment: string | null, redraws: number, first: string | null, wish: string | null, over: boolean }} KeptGame
 */

const keptPrefix = "snl.game.";

class Kept {
  #key;
  /** Data that the browser's storage refused. It lasts until the page is closed. @type {string | null} */
  #text = null;

  /** @param {string} id */
  constructor(id) {
    this.#key = keptPrefix + id;
  }

  /** Whether anything can be kept. */
  static canKeep() {
    const key = "snl.can-keep";
    try {
      localStorage.setItem(key, "");
      localStorage.removeItem(key);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the browser has refused to keep what is known now: it is lost with the page. */
  get isRefused() {
    return this.#text !== null;
  }

  /** The IDs of the games that somebody plays or hosts in this browser and that aren't known to be over. */
  static ownGames() {
    try {
      const ids = Object.keys(localStorage).filter((key) => key.startsWith(keptPrefix)).map((key) => key.slice(keptPrefix.length));
      return ids.filter((id) => {
        const { host, seats, over } = new Kept(id).game;
        return (host !== null || seats.length > 0) && !over;
      });
    } catch {
      return [];
    }
  }

  /** @returns {KeptGame} */
  get game() {
    const none = { host: null, seats: [], commitment: null, redraws: 0, first: null, wish: null, over: false };
    try {
      return { ...none, ...JSON.parse(this.#text ?? localStorage.getItem(this.#key) ?? "{}") };
    } catch {
      return none;
    }
  }

  /**
   * Changes the data as it is now, so that another window's changes stay.
   * @param {(game: KeptGame) => void} change
   */
  #change(change) {
    const game = this.game;
    change(game);
    const text = JSON.stringify(game);
    try {
      localStorage.setItem(this.#key, text);
      this.#text = null;
    } catch {
      this.#text = text;
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

  /** Notes that a kept seat commits to something else. @param {KeptSeat} seat */
  promiseAnew({ token, entropy, name }) {
    const most = 4;
    this.#change(({ seats }) => {
      const seat = seats.find((kept) => kept.token === token);
      if (!seat) return;
      if (seat.entropy) seat.older = [seat.entropy, ...(seat.older ?? [])].slice(0, most);
      Object.assign(seat, { entropy, name });
    });
  }

  /** Forgets a commitment that the server refused. @param {KeptSeat} refused */
  takeBackPromise({ token, entropy: refused }) {
    this.#change(({ seats }) => {
      const seat = seats.find((kept) => kept.token === token);
      if (!seat) return;
      const [entropy = null, ...older] = [seat.entropy, ...(seat.older ?? [])].filter((drawn) => drawn !== refused);
      Object.assign(seat, { entropy, older });
    });
  }

  /** @param {string} token */
  dropSeat(token) {
    this.#change((game) => (game.seats = game.seats.filter((seat) => seat.token !== token)));
  }

  /** Marks the game as over. Its commitments stay: the proof at its end needs them. */
  markOver() {
    this.#change((game) => (game.over = true));
  }

  /** @param {string} name */
  wish(name) {
    this.#change((game) => (game.wish = name));
  }

  /** The name for which a seat was refused, for one more try; null: none. */
  takeWish() {
    const { wish } = this.game;
    if (wish !== null) this.#change((game) => (game.wish = null));
    return wish;
  }

  /**
   * Remembers the server's commitment to the dice while seats can be taken, since no seat has revealed its entropy by then.
   * Where the draw began again, the seats commit anew, and what they had drawn before counts no more.
   * @param {State} state
   */
  rememberDraw({ status, draw, redraws }) {
    const known = this.game;
    const isOpen = status === "open";
    const beganAgain = redraws > known.redraws && draw?.commitment !== known.commitment;
    if (!draw || !(beganAgain || (isOpen && known.commitment === null))) return;
    this.#change((game) => {
      if (beganAgain) for (const seat of game.seats) Object.assign(seat, { entropy: null, older: [] });
      Object.assign(game, { commitment: isOpen ? draw.commitment : null, redraws });
    });
  }

  /** Remembers the hash of version 1 as the server sent it first. @param {string | undefined} first */
  rememberFirst(first) {
    if (first && this.game.first === null) this.#change((game) => (game.first = first));
  }

  /** The tokens as the # of a link, where they would be lost with the page; else nothing. */
  get asFragment() {
    if (!this.isRefused) return "";
    const { host, seats } = this.game;
    return `#${[...(host ? [`host=${host}`] : []), ...seats.map(({ token }) => `seat=${token}`)].join("&")}`;
  }

  /** Takes the tokens out of the address, before anything else can see them. Returns whether one was cut short. */
  takeFromAddress() {
    const { hash } = location;
    if (!/^#(?:seat|host|log)=/.test(hash)) return false;
    history.replaceState(null, "", location.pathname + location.search);
    const tokens = [...hash.matchAll(/\b(seat|host)=([\w-]{43}(?![\w-]))?/g)];
    for (const [, whose, token] of tokens) {
      if (token && whose === "host") this.takeHost(token);
      else if (token) this.takeSeat({ token, entropy: null });
    }
    return tokens.some(([, , token]) => !token);
  }
}

const wordsOfRefused = "This browser stores nothing for this site, so your seat is lost once you leave this page. To keep it, open the link of “My other device” in another browser.";

/**
 * The request that takes a seat, and the data to keep. A seat that commits to entropy has a say in the dice.
 * @param {string} name
 * @param {boolean} promises
 * @param {string} token  of a seat that is reserved; else a new one
 * @returns {Promise<{ body: object, seat: KeptSeat }>}
 */
async function newSeat(name, promises, token = newToken()) {
  if (!promises) return { body: { name, token }, seat: { token, entropy: null } };
  const entropy = randomBytes(32);
  const body = { name, token, entropy_hash: hexOf(await sha256(entropy)) };
  return { body, seat: { token, entropy: hexOf(entropy), name } };
}

/** The text that was kept last; null: none. @param {string} key */
function keptText(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text */
function keepText(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // the next time writes it again
  }
}

/** @param {string} key */
function forgetText(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // there was nothing
  }
}
