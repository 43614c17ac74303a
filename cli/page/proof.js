// The proof of a page's game: from the export that it carries, by storage/format.md alone.

/** The first fault, and its place. After it nothing more can be said. */
class Unsound extends Error {}

/** @typedef {{ game: string, version: number, time: string, command: string, events: string, hash: string }} Commit */

const commitLine = new RegExp(
  `^{"game":"([^"]*)","version":([0-9]+),"time":"([^"]*)","command":({.*}),"events":(\\[{.*\\]),"hash":"([0-9a-f]{64})"}$`,
  "s", // a name may have a line separator
);

/**
 * A line of an export, with its command and its events as they were hashed.
 * @param {string} line
 * @param {number} version  that it must have
 * @returns {Commit}
 */
function readCommit(line, version) {
  const parts = commitLine.exec(line);
  if (!parts) throw new Unsound(`Version ${version} can’t be read.`);
  const [, game, number, time, command, events, hash] = parts;
  if (Number(number) !== version) throw new Unsound(`Version ${version} is missing: ${number} stands in its place.`);
  return { game, version, time, command, events, hash };
}

/**
 * JSON in which an integer may be too large for a number: then it is text.
 * @param {string} text
 */
const parsedExactly = (text) => JSON.parse(text.replace(/(\x22(?:[^\x22\\]|\\.)*\x22)|\d{16,}/g, (all, string) => string ?? `"${all}"`));

/** @param {string} hex */
function bytesOf(hex) {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  if (hexOf(bytes) !== hex) throw new Unsound(`“${hex}” isn’t hex.`);
  return bytes;
}

/**
 * `first`, and fields with their lengths before them.
 * @param {Uint8Array} first
 * @param {Uint8Array[]} fields
 */
function joined(first, fields) {
  const bytes = new Uint8Array(fields.reduce((length, field) => length + 4 + field.length, first.length));
  bytes.set(first);
  let at = first.length;
  for (const field of fields) {
    new DataView(bytes.buffer).setUint32(at, field.length);
    bytes.set(field, at + 4);
    at += 4 + field.length;
  }
  return bytes;
}

/**
 * The bytes that a commit's hash covers.
 * @param {string} previous  the hash before it, hex
 * @param {Commit} commit
 */
const hashedBytes = (previous, { game, time, command, events }) =>
  joined(bytesOf(previous), [game, time, command, events].map((text) => new TextEncoder().encode(text)));

/**
 * The commits of an export, if each has the hash of its content and of the one before it.
 * @param {string[]} lines
 * @returns {Promise<Commit[]>}
 */
async function provenCommits([header, ...lines]) {
  const { snl, format, game, version, head } = JSON.parse(header);
  if (snl !== "game" || format !== 1) throw new Unsound(`The export is of an unknown format, ${snl} ${format}.`);
  const commits = lines.map((line, i) => readCommit(line, i + 1));
  const hashes = commits.map((commit, i) => sha256(hashedBytes(commits[i - 1]?.hash ?? "0".repeat(64), commit)));
  for (const [i, commit] of commits.entries()) {
    if (commit.game !== game) throw new Unsound(`Version ${i + 1} is of another game, ${commit.game}.`);
    if (hexOf(await hashes[i]) !== commit.hash)
      throw new Unsound(`Version ${i + 1} isn’t what was hashed: its time, its command, its events or the hash before it was changed.`);
  }
  if (commits.length !== version) throw new Unsound(`The log ends at version ${commits.length}, not at ${version}.`);
  if (commits[version - 1]?.hash !== head) throw new Unsound(`Version ${version} has another hash than the head.`);
  return commits;
}

/** The draw of a seed, as the log has it, by seat. @typedef {[commitment: string, secret: string, entropy: (string | null)[]]} Draw */

/**
 * The seed of a draw.
 * @param {Draw} draw
 */
async function drawnSeed([, secret, entropy]) {
  const hash = await sha256(joined(new Uint8Array(), [secret, ...entropy].map((said) => bytesOf(said ?? ""))));
  return new DataView(hash.buffer).getBigUint64(0);
}

/**
 * The draw of a game's seed, if its promises were kept; null if it wasn't drawn.
 * @param {Commit} start
 * @returns {Promise<Draw | null>}
 */
async function provenDraw({ events }) {
  const [{ started: [, , players, , , seed, , draw] = [] }] = parsedExactly(events);
  if (!draw) return null;
  const [commitment, secret, entropy] = draw;
  if (hexOf(await sha256(bytesOf(secret))) !== commitment) throw new Unsound("Version 1: the secret isn’t the one that was promised.");
  const drawn = await drawnSeed(draw);
  if (entropy.length !== players.length || drawn !== BigInt(seed))
    throw new Unsound(`Version 1: the seed is ${seed}, where the secret and what ${players.length} players gave make ${drawn}.`);
  return draw;
}

/**
 * A turn as the log has it. @typedef {{ version: number, turn: number, seat: number, dice: number[],
 *   rolled: boolean, from: number, landed: number, to: number, next: number | null, undone: boolean,
 *   others: [seat: number, cell: number][] }} LoggedTurn
 */

/** The events of a log, folded into the turns that were played. */
class Log {
  /** @type {LoggedTurn[]} */
  recorded = [];
  /** @type {LoggedTurn[]} */
  inForce = [];
  /** @type {string[]} */
  players = [];
  /** cells, width, snakes, ladders and powers. @type {[number, number, number[][], number[][], [number, string, number][]?]} */
  board = [0, 0, [], []];
  faces = 0;
  /** The cell of each seat before the first turn. @type {number[]} */
  start = [];
  seed = 0n;
  /** The position of another game that a branch begins at. @type {[game: string, turn: number] | null} */
  origin = null;
  dice = 0; // the number of dice that were rolled from the seed

  /** @param {Commit[]} commits */
  constructor(commits) {
    for (const { version, events } of commits)
      for (const event of parsedExactly(events)) {
        const [type] = Object.keys(event);
        const [schema, ...fields] = event[type];
        const take = { started: this.#start, played: this.#play, undone: this.#undo, redone: this.#redo }[type];
        if (!take || (schema !== 1 && schema !== 2)) throw new Unsound(`Version ${version} has an event that isn’t known here, ${type} ${schema}.`);
        take.call(this, version, fields);
      }
  }

  /** @param {number} version @param {any[]} fields */
  #start(version, [format, players, board, rules, seed, origin]) {
    // Its draw is the one that was proven: no second start may bring another seed.
    if (version !== 1 || this.players.length > 0 || this.recorded.length > 0) throw new Unsound(`Version ${version} starts the game again.`);
    if (format !== "sha256-1") throw new Unsound(`Version ${version} is hashed in an unknown way, ${format}.`);
    this.players = players;
    this.board = board;
    this.faces = rules[3];
    this.start = origin?.[3] ?? players.map(() => rules[0]);
    this.seed = BigInt(seed);
    this.origin = origin;
  }

  /** @param {number} version @param {any[]} fields */
  #play(version, [turn, seat, dice, rolled, from, landed, to, , next, , rest, , captured = [], capturedTo, , swapped = null]) {
    /** @type {[number, number][]} */
    const others = captured.map((/** @type {number} */ other) => [other, capturedTo]);
    if (swapped !== null) others.push([swapped, rest]);
    const logged = { version, turn, seat, dice, rolled, from, landed, to, next, undone: false, others };
    if (rolled) this.#rollAgain(logged);
    this.recorded.push(logged);
    this.inForce.push(logged);
  }

  /** @param {LoggedTurn} logged */
  #rollAgain({ version, turn, dice }) {
    dice.forEach((value, die) => {
      const rolled = seededDie(this.seed, turn, die, this.faces);
      if (rolled !== value)
        throw new Unsound(`Version ${version}, turn ${turn}: die ${die + 1} is ${value}, where the seed makes ${rolled}.`);
    });
    this.dice += dice.length;
  }

  /** @param {number} version @param {any[]} fields */
  #undo(version, [, turn]) {
    const taken = this.inForce.pop();
    if (!taken || taken.turn !== turn) throw new Unsound(`Version ${version} takes back turn ${turn}, which wasn’t the last.`);
    taken.undone = true;
  }

  /** @param {number} version @param {any[]} fields */
  #redo(version, [, turn, , , , , , played]) {
    const again = this.recorded.find((logged) => logged.version === played && logged.turn === turn);
    if (!again?.undone) throw new Unsound(`Version ${version} puts back turn ${turn}, which wasn’t taken back.`);
    again.undone = false;
    this.inForce.push(again);
  }
}

/** @param {unknown} one @param {unknown} other */
const areSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {Omit<LoggedTurn, "version" | "rolled" | "next"> | undefined} turn */
const factsOf = (turn) =>
  turn && [turn.turn, turn.seat, turn.dice, turn.from, turn.landed, turn.to, turn.undone, [...turn.others].sort()];

/**
 * Whether a turn's words say its dice, its way, and whether it won. The words about the rest of it aren't compared.
 * @param {Turn} shown
 * @param {LoggedTurn} logged
 */
const saysSo = ({ rolled, resultText, won }, { dice, from, to, next }) =>
  rolled.endsWith(` ${dice.join("-")}`) && new RegExp(`^: ${from} → ${to}(?!\\d)`).test(resultText) && (won !== "") === (next === null);

/**
 * Whether a name is shown as it was recorded. A character that would steer the text is shown by its number.
 * @param {string} shown
 * @param {string} recorded
 */
function showsName(shown, recorded) {
  const read = shown.replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})/g, (_, code) => String.fromCodePoint(parseInt(code.slice(1), 16)));
  return shown === recorded || read === recorded;
}

/**
 * Checks that a page shows the turns of its log.
 * @param {HTMLElement} root
 * @param {Game} game
 * @param {Log} log
 */
function compare(root, game, log) {
  const [cells, width, snakes, ladders, powers = []] = log.board;
  /** @param {boolean} same @param {string} what */
  const agree = (same, what) => {
    if (!same) throw new Unsound(`The page and the log differ in ${what}.`);
  };
  agree(game.players.length === log.players.length && game.players.every((name, seat) => showsName(name, log.players[seat])), "the players");
  agree(game.cells === cells && game.width === width, "the board");
  for (const [kind, jumps] of Object.entries({ snake: snakes, ladder: ladders })) {
    const drawn = [...root.querySelectorAll(`.picture .${kind}`)].map((jump) => ["from", "to"].map((end) => Number(jump.getAttribute(`data-${end}`))));
    agree(areSame(drawn.sort((one, other) => one[0] - other[0]), jumps), `the ${kind}s`);
  }
  const labels = [...root.querySelectorAll(".picture .power")].map((power) => [Number(power.getAttribute("data-cell")), power.textContent]);
  agree(areSame(labels, powers.map(([cell, kind, n]) => [cell, n ? `${kind} ${n}` : kind])), "the powers");
  agree(areSame(game.cellsAt(0), log.start), "the start");
  log.recorded.forEach((logged, i) => {
    const shown = game.recorded[i];
    agree(areSame(factsOf(shown), factsOf(logged)) && saysSo(shown, logged), `turn ${logged.turn} (version ${logged.version})`);
  });
  agree(game.recorded.length === log.recorded.length, "the number of turns");
  const last = log.inForce[log.inForce.length - 1];
  agree(!last || game.nextAt(game.count) === last.next, "the player to move");
  agree(!last || game.winnerAt(game.count) === (last.next === null ? last.seat : null), "the winner");
}

/** @param {number} count @param {string} one */
const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/**
 * The statements that an export's lines prove by themselves; throws Unsound if they were changed.
 * @param {string[]} lines
 */
async function provenLog(lines) {
  const commits = await provenCommits(lines);
  const draw = await provenDraw(commits[0]);
  return { commits, draw, log: new Log(commits) };
}

/**
 * The statements about the choice of the seed that a draw proves, and those that it can't.
 * @param {Draw} draw
 * @param {string[]} players
 */
function wordsOfDraw([commitment, , entropy], players) {
  const givers = players.filter((_, seat) => entropy[seat]).join(", ");
  return [
    `The seed is made of the secret that was promised as ${commitment}, and of ${givers ? `what ${givers} gave` : "nothing else"}.`,
    givers ? "Whether the promise came before the players gave theirs, and who gave what: only people who kept both can tell." : "Whether the seed was chosen at will: no player gave anything, so the maker of the secret could choose it.",
  ];
}

/** The statement that no export proves by itself. A cosignature leaves only the time before it open. */
const madeAnew = (before = "") => `Whether somebody made all of it anew${before}: only a head that you kept from elsewhere tells.`;

/**
 * The statements about its game that a page proves, and those that it can't; throws Unsound if the game was
 * changed.
 * @param {HTMLElement} root
 * @param {Game} game
 * @param {string[]} lines  of its export
 */
async function verify(root, game, lines) {
  const { commits, draw, log } = await provenLog(lines);
  compare(root, game, log);
  const thrown = log.recorded.filter((turn) => !turn.rolled).length;
  const proved = [
    `${counted(commits.length, "commit")} are whole, in order, and lead to the head ${commits[commits.length - 1].hash}.`,
    `The players, the board, the winner and the ${counted(log.recorded.length, "turn")} that you see are theirs.`,
  ];
  if (log.dice > 0) proved.push(`${counted(log.dice, "die", "dice")} rolled from seed ${log.seed}, rolled again, fell the same.`);
  const open = [
    madeAnew(),
    "Whether each turn keeps the rules, and the chances: snl audit decides every turn again.",
    "Whether the rest of the page, its script too, is as snl made it: your own snl export makes it again.",
    `Whether the clock was right${draw ? "" : ", and who chose the seed"}.`,
  ];
  if (draw) {
    const [kept, unknown] = wordsOfDraw(draw, game.players);
    proved.push(kept);
    open.push(unknown);
  }
  if (log.origin) {
    const [other, turn] = log.origin;
    open.push(`Whether game ${other} stood like this at turn ${turn}, where this game begins: the page holds only the branch.`);
  }
  if (thrown > 0) open.push(`How the dice of ${counted(thrown, "turn")} fell: they were typed in.`);
  return { proved, open, draw, hashes: commits.map(({ hash }) => hash) };
}
