// The button "Verify", and its answer.

class Verifying {
  #root;
  #game;
  #verdict;

  /**
   * @param {HTMLElement} root
   * @param {Game} game
   */
  constructor(root, game) {
    this.#root = root;
    this.#game = game;
    this.#verdict = part(root, "verdict");
    const button = part(root, "verify");
    button.hidden = false;
    button.addEventListener("click", () => this.#verify());
  }

  /** Further proofs of a page, from the lines of the export; throws Unsound. @type {(lines: string[]) => string[]} */
  alsoProve = () => [];

  async #verify() {
    this.#verdict.replaceChildren(paragraph("Verifying…"));
    try {
      const lines = exportOf(this.#root);
      const { proved, open } = await verify(this.#root, this.#game, lines);
      proved.push(...this.alsoProve(lines));
      this.#verdict.replaceChildren(paragraph("Sound."), paragraph("Proved:"), listOf(proved), paragraph("Not proved:"), listOf(open));
    } catch (error) {
      const what = error instanceof Unsound ? error.message : `The export can’t be read: ${error}`;
      this.#verdict.replaceChildren(paragraph(`Not sound. ${what}`));
    }
    this.#verdict.scrollIntoView({ block: "nearest" });
  }
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
