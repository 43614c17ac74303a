// The button "Verify", and its answer.

/**
 * The findings of a proof: sentences, the draw of the seed, and the hash of each version.
 * @typedef {{ proved: string[], open: string[], draw: Draw | null, hashes: string[] }} Found
 *
 * Further proofs of a page, from the lines of the export. It adds to the findings; throws Unsound.
 * @typedef {(lines: string[], found: Found) => void | Promise<void>} AlsoProve
 */

/**
 * Makes the button prove the game of the page, and show its findings.
 * @param {HTMLElement} root
 * @param {Game} game
 * @param {AlsoProve} [alsoProve]
 */
function verifyOnClick(root, game, alsoProve) {
  const verdict = part(root, "verdict");
  const button = part(root, "verify");
  button.hidden = false;
  button.addEventListener("click", async () => {
    verdict.replaceChildren(make("p", "", "Verifying…"));
    try {
      const lines = exportOf(root);
      const found = await verify(root, game, lines);
      await alsoProve?.(lines, found);
      const proved = [make("p", "", "Proved:"), listOf(found.proved)];
      verdict.replaceChildren(make("p", "", "Sound."), ...proved, make("p", "", "Not proved:"), listOf(found.open));
    } catch (error) {
      const what = error instanceof Unsound ? error.message : `The export can’t be read: ${error}`;
      verdict.replaceChildren(make("p", "", `Not sound. ${what}`));
    }
    verdict.scrollIntoView({ block: "nearest" });
  });
}

/**
 * The lines of the game's export, as `snl export` writes them.
 * @param {HTMLElement} root
 * @returns {string[]}
 */
const exportOf = (root) => JSON.parse(part(root, "export").textContent ?? "");

/** @param {string[]} items */
const listOf = (items) => make("ul", "", ...items.map((item) => make("li", "", item)));
