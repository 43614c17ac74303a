// The page of a game that is in a log: Verify also proves that it is, by the proof and the keys that the page has.

/**
 * The proof that the page has: a .tlog-proof of the head, the log's key, and the keys of witnesses that cosigned.
 * @typedef {{ proof: string, vkey: string, witnesses: string[] }} ProofInLog
 */

/** @type {AlsoProve} */
async function proveInLog([header], { proved, open }) {
  const { nacl } = /** @type {any} */ (globalThis);
  const isSigned = nacl.sign.detached.verify;
  try {
    /** @type {ProofInLog} */
    const { proof, vkey, witnesses } = JSON.parse(document.querySelector(".log-proof")?.textContent ?? "");
    const { game, version, head } = JSON.parse(header);
    const { checkpoint } = await proveInclusion(proof, { extra: `${game} ${version}`, hash: head }, vkey, isSigned);
    const seen = await Promise.all(witnesses.map((witness) => readCosignature(checkpoint.note, witness, isSigned)));
    const last = Math.max(...seen); // a cosigner may lie about its time: this holds if one is honest
    const words = `In the log ${keyWords(vkey)} of ${counted(checkpoint.size, "commit")}`;
    if (seen.length > 0) {
      proved.push(`${words}; cosigned by ${witnesses.map(keyWords).join(", ")}: it existed by ${timeWords(last)}.`);
      open[open.indexOf(madeAnew())] = madeAnew(` before ${timeWords(last)}`);
    } else {
      proved.push(`${words}.`);
      open.push("Since when it has existed: the page has no key of a witness that cosigned.");
    }
    open.push(`That these keys are whose they say: compare them with ones that you got elsewhere. ${[vkey, ...witnesses].join(", ")}`);
  } catch (error) {
    throw new Unsound(`The proof that the game is in a log doesn’t hold. ${error instanceof NotProven ? error.message : error}`);
  }
}

/** @param {string} vkey */
const keyWords = (vkey) => vkey.replace(/^([^+]+)[+]([^+]+)[+].*/, "$1 (key $2)");

openPage(proveInLog);

export {}; // without it, esbuild takes the library of signatures for a module of Node
