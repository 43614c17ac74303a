// Proofs of a store's signed log (C2SP's signed-note, tlog-checkpoint, tlog-cosignature and tlog-proof; trees of
// RFC 6962, section 2.1; walks of RFC 9162, 2.1.3.2 and 2.1.4.2). Nothing here asks a server.

/** The log differs from what was proven before, or its signature doesn't hold. */
class NotProven extends Error {}

/**
 * A public key, as `snl key show` prints it. @typedef {{ name: string, id: Uint8Array, key: Uint8Array }} PublicKey
 * A signed head of the log. @typedef {{ origin: string, size: number, root: Uint8Array, note: string }} Checkpoint
 * @typedef {(message: Uint8Array, signature: Uint8Array, key: Uint8Array) => boolean} VerifySignature
 */

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    if (btoa(String.fromCharCode(...bytes)) === text) return bytes;
  } catch {
    // throws below
  }
  throw new NotProven(`“${text}” isn’t base64.`);
}

/** @param {(Uint8Array | number[])[]} parts */
const hashOfAll = (...parts) => sha256(Uint8Array.from(parts.flatMap((part) => [...part])));

/** @param {Uint8Array} left @param {Uint8Array} right */
const nodeHash = (left, right) => hashOfAll([1], left, right);

const logType = 1;
const witnessType = 4;

/** @param {string} vkey @param {number} type @returns {Promise<PublicKey>} */
async function readKey(vkey, type) {
  const [, name, id, coded] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? [];
  const whose = type === logType ? "the log" : "a witness";
  if (!coded) throw new NotProven(`The key of ${whose} can’t be read.`);
  const bytes = fromBase64(coded);
  const hash = await hashOfAll(new TextEncoder().encode(`${name}\n`), bytes);
  if (bytes.length !== 33 || bytes[0] !== type || hexOf(hash.subarray(0, 4)) !== id) throw new NotProven(`The key of ${whose} isn’t of its name.`);
  return { name, id: hash.subarray(0, 4), key: bytes.subarray(1) };
}

/** The text of a note, with the line feed at its end. @param {string} note */
const signedText = (note) => note.slice(0, note.indexOf("\n\n") + 1);

/**
 * The bytes of each signature that stands under a note by this key, without the key's ID.
 * @param {string} note @param {PublicKey} key @param {number} length  of those bytes
 */
const signaturesOf = (note, { name, id }, length) =>
  note.slice(signedText(note).length + 1).split("\n").filter((line) => line.startsWith(`— ${name} `)).map((line) => fromBase64(line.slice(name.length + 3)))
    .filter((bytes) => bytes.length === 4 + length && areSame(bytes.subarray(0, 4), id)).map((bytes) => bytes.subarray(4));

/**
 * The checkpoint of a note that this key signed; throws NotProven for any other.
 * @param {string} note @param {string} vkey @param {VerifySignature} isSigned
 * @returns {Promise<Checkpoint>}
 */
async function readCheckpoint(note, vkey, isSigned) {
  const key = await readKey(vkey, logType);
  const text = signedText(note);
  const [origin, size, root] = text.split("\n");
  if (origin !== key.name || !/^(0|[1-9]\d{0,15})$/.test(size)) throw new NotProven("There is no checkpoint of that log.");
  const signatures = signaturesOf(note, key, 64);
  const message = new TextEncoder().encode(text);
  if (signatures.length === 0 || !signatures.every((signature) => isSigned(message, signature, key.key))) throw new NotProven("The signature isn’t that of the checkpoint.");
  return { origin, size: Number(size), root: fromBase64(root), note };
}

const lastSecond = 8.64e12; // that a Date can have

/** @param {number} time  seconds since 1970 */
const timeWords = (time) => (time > lastSecond ? `second ${time}` : new Date(1000 * time).toISOString().replace(".000", ""));

/**
 * When the witness with this key saw a checkpoint, in seconds since 1970; throws NotProven if it didn't cosign, or if
 * its time is still to come.
 * @param {string} note @param {string} vkey @param {VerifySignature} isSigned
 */
async function readCosignature(note, vkey, isSigned) {
  const key = await readKey(vkey, witnessType);
  let why = `${key.name} hasn’t cosigned the checkpoint.`;
  for (const bytes of signaturesOf(note, key, 8 + 64)) {
    const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
    const message = new TextEncoder().encode(`cosignature/v1\ntime ${time}\n${signedText(note)}`);
    if (time === 0 || !isSigned(message, bytes.subarray(8), key.key)) continue;
    if (time <= Date.now() / 1000 + 300) return time;
    why = `${key.name} cosigned the checkpoint at ${timeWords(time)}, which is later than this device’s clock says: check the clock.`;
  }
  throw new NotProven(why);
}

/**
 * Proves that the first commits of `now` are those of `then`; throws NotProven if they aren't.
 * @param {Checkpoint} then @param {Checkpoint} now @param {string[]} proof  in base64
 */
async function proveConsistency(then, now, proof) {
  const wrong = new NotProven("The commits that were recorded then aren’t the ones that are recorded now.");
  if (then.size > now.size) throw new NotProven(`The log has ${now.size} commits; it had ${then.size}.`);
  if (then.size === now.size && !areSame(then.root, now.root)) throw wrong;
  if (then.size === now.size || then.size === 0) return;
  /** @type {Uint8Array[]} */
  const path = proof.map(fromBase64);
  if (2 ** Math.round(Math.log2(then.size)) === then.size) path.unshift(then.root);
  let [one, last] = [then.size - 1, now.size - 1];
  while (one % 2 === 1) [one, last] = [Math.floor(one / 2), Math.floor(last / 2)];
  const [begin, ...rest] = path;
  if (!begin) throw wrong;
  /** @type {Uint8Array} */
  let first = begin;
  /** @type {Uint8Array} */
  let second = begin;
  for (const hash of rest) {
    if (last === 0) throw wrong;
    if (one % 2 === 1 || one === last) {
      first = await nodeHash(hash, first);
      second = await nodeHash(hash, second);
      while (one % 2 === 0 && one !== 0) [one, last] = [one / 2, Math.floor(last / 2)];
    } else second = await nodeHash(second, hash);
    [one, last] = [Math.floor(one / 2), Math.floor(last / 2)];
  }
  if (last !== 0 || !areSame(first, then.root) || !areSame(second, now.root)) throw wrong;
}

/**
 * Proves that the commit of that hash is in the log. Returns its index and the checkpoint; throws NotProven if it isn't.
 * @param {string} proof  a .tlog-proof
 * @param {{ extra: string, hash: string }} commit  the proven one: the game's ID and version, and the hash in hex
 * @param {string} vkey @param {VerifySignature} isSigned
 */
async function proveInclusion(proof, { extra, hash }, vkey, isSigned) {
  const end = proof.indexOf("\n\n");
  const [form, said, at, ...lines] = proof.slice(0, end).split("\n");
  const index = Number(/^index (0|[1-9]\d{0,15})$/.exec(at ?? "")?.[1]);
  const about = new TextDecoder().decode(fromBase64(said?.replace(/^extra /, "") ?? ""));
  if (form !== "c2sp.org/tlog-proof@v1" || about !== extra || !Number.isInteger(index)) throw new NotProven("The proof is of something else.");
  const checkpoint = await readCheckpoint(proof.slice(end + 2), vkey, isSigned);
  let [one, last] = [index, checkpoint.size - 1];
  let root = await hashOfAll([0], bytesOf(hash));
  for (const line of lines) {
    const sibling = fromBase64(line);
    if (last === 0) throw new NotProven("The proof is too long.");
    if (one % 2 === 1 || one === last) {
      root = await nodeHash(sibling, root);
      while (one % 2 === 0 && one !== 0) [one, last] = [one / 2, Math.floor(last / 2)];
    } else root = await nodeHash(root, sibling);
    [one, last] = [Math.floor(one / 2), Math.floor(last / 2)];
  }
  if (index >= checkpoint.size || last !== 0 || !areSame(root, checkpoint.root)) throw new NotProven("The game isn’t in the log as it was played.");
  return { index, checkpoint };
}
