// SHA-256 (FIPS 180-4), for browsers that don't offer theirs to the page, since they think a file, or plain
// http, not secure enough.

/**
 * The first 32 bits of the fractional parts of the roots of the first primes.
 * @param {number} count
 * @param {number} root  2: square roots; 3: cube roots
 */
function rootsOfPrimes(count, root) {
  const words = [];
  for (let n = 2; words.length < count; ++n) {
    let divisor = 2;
    while (n % divisor !== 0) ++divisor;
    const power = n ** (1 / root);
    if (divisor === n) words.push((power - Math.floor(power)) * 2 ** 32);
  }
  return Uint32Array.from(words);
}

/** @param {number} word @param {number} bits */
const rotated = (word, bits) => (word >>> bits) | (word << (32 - bits));

/**
 * Takes a block of 64 bytes into the state.
 * @param {Uint32Array} state
 * @param {DataView} block
 * @param {Uint32Array} constants
 */
function takeBlock(state, block, constants) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; ++i) w[i] = block.getUint32(4 * i);
  for (let i = 16; i < 64; ++i) {
    const s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; ++i) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i]) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
function ownSha256(bytes) {
  const constants = rootsOfPrimes(64, 3);
  const state = rootsOfPrimes(8, 2);
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(8 * bytes.length));
  for (let at = 0; at < padded.length; at += 64) takeBlock(state, new DataView(padded.buffer, at, 64), constants);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setUint32(4 * i, word));
  return new Uint8Array(hash.buffer);
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array>}
 */
async function sha256(bytes) {
  const { subtle } = globalThis.crypto ?? {};
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : ownSha256(bytes);
}

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
