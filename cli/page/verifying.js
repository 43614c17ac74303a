// The button "Verify", and its answer.

/**
 * The findings of a proof, as sentences. @typedef {{ proved: string[], open: string[] }} Found
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
    verdict.replaceChildren(paragraph("Verifying…"));
    try {
      const lines = exportOf(root);
      const found = await verify(root, game, lines);
      await alsoProve?.(lines, found);
      verdict.replaceChildren(paragraph("Sound."), paragraph("Proved:"), listOf(found.proved), paragraph("Not proved:"), listOf(found.open));
    } catch (error) {
      const what = error instanceof Unsound ? error.message : `The export can’t be read: ${error}`;
      verdict.replaceChildren(paragraph(`Not sound. ${what}`));
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

/** @param {string} words */
function paragraph(words) {
  const element = document.createElement("p");
  element.textContent = words;
  return element;
}

/** @param {string[]} items */
function listOf(items) {
  const list = document.createElement("ul");
  for (const item of items) {
    const element = document.createElement("li");
    element.textContent = item;
    list.append(element);
  }
  return list;
}
