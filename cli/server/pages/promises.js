// Compares the game at its end with the server's commitments: those to the dice, and the hashes that this browser saw
// while the game was on.

/**
 * Checks the commitments. Returns, in words, those that were kept; throws Unsound for one that was broken.
 * @param {KeptGame} kept
 * @param {Map<number, string>} seen  the hash of each version that came by the stream
 * @param {Found} found  of the export
 */
function keptPromises({ commitment, redraws, first, seats }, seen, { hashes, draw }) {
  const proved = [];
  if (first && hashes[0] !== first) throw new Unsound("Version 1 isn’t the one whose hash this browser was told when it first opened the game.");
  if (first) proved.push("Version 1 is the one whose hash this browser was told when it first opened the game.");
  for (const [version, hash] of seen)
    if (hashes[version - 1] !== hash) throw new Unsound(`Version ${version} isn’t the one that this browser was told while the game was on.`);
  if (seen.size > 0) proved.push(`${counted(seen.size, "version")} that this browser saw being played ${seen.size === 1 ? "is" : "are"} still the same.`);
  if (commitment && draw?.[0] !== commitment) throw new Unsound("The secret of the dice isn’t the one that was promised to this browser.");
  const own = seats.filter(({ entropy }) => entropy !== null).map(({ entropy, older = [] }) => [entropy, ...older]);
  for (const drawn of own) if (!drawn.some((entropy) => draw?.[2].includes(entropy))) throw new Unsound("The random number that this browser gave for the dice isn’t among those that they were made from.");
  // After the draw began again, a browser without entropy of its own can't know if the seats revealed theirs before.
  const before = redraws === 0 || own.length > 0 ? " before any seat showed its own random number" : "";
  if (commitment) proved.push(`The secret of the dice is the one that was promised to this browser${before}.`);
  if (own.length > 0) proved.push("The dice were made with this browser’s own random number.");
  return proved;
}
