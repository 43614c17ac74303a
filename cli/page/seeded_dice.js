// The dice of a seed (storage/format.md, "Seeded dice"): Philox4x32-10, whose words become faces. Integers are
// BigInt, since products have 64 bits.

const low32 = (1n << 32n) - 1n;

/**
 * Four words of a counter of four and a key of two.
 * @param {bigint[]} counter
 * @param {bigint[]} key
 */
function philox([c0, c1, c2, c3], [k0, k1]) {
  for (let round = 0; round < 10; ++round) {
    const [even, odd] = [c0 * 0xd2511f53n, c2 * 0xcd9e8d57n];
    [c0, c1, c2, c3] = [(odd >> 32n) ^ c1 ^ k0, odd & low32, (even >> 32n) ^ c3 ^ k1, even & low32];
    [k0, k1] = [(k0 + 0x9e3779b9n) & low32, (k1 + 0xbb67ae85n) & low32];
  }
  return [c0, c1, c2, c3];
}

/**
 * @param {bigint} seed
 * @param {number} turn
 * @param {number} die  in that turn, from 0
 * @param {number} faces
 */
function seededDie(seed, turn, die, faces) {
  const t = turn - 1;
  const sides = BigInt(faces);
  const key = [seed & low32, seed >> 32n];
  for (let attempt = 0n; ; ++attempt) {
    const words = philox([BigInt(Math.floor(t / 16)) & low32, BigInt(die), attempt, 0n], key);
    let word = words[Math.floor((t % 16) / 4)];
    const digits = [0, 1, 2, 3].map(() => {
      const product = word * sides;
      word = product & low32;
      return Number(product >> 32n);
    });
    if (word >= (1n << 32n) % sides ** 4n) return digits[t % 4] + 1;
  }
}
