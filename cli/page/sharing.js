// The share menu: a link to the turn, code that embeds the game, a picture of the position, the game.

class Sharing {
  #root;
  #player;
  #dialog;

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   */
  constructor(root, player) {
    this.#root = root;
    this.#player = player;
    this.#dialog = partAs(root, "sharing", HTMLDialogElement);
    for (const button of this.#dialog.querySelectorAll(".copy")) button.addEventListener("click", () => this.#copy(button));
    part(root, "close-sharing").addEventListener("click", () => this.#dialog.close());
    part(root, "save-game").addEventListener("click", () => this.#saveGame());
    part(root, "save-picture").addEventListener("click", () => this.#savePicture());
  }

  open() {
    const page = new URL(location.href);
    page.hash = `turn=${this.#player.turn}`;
    page.search = "";
    partAs(this.#dialog, "link", HTMLInputElement).value = page.href;
    page.search = "embed";
    const title = document.title.replace(/[&\x22<]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    partAs(this.#dialog, "code", HTMLInputElement).value =
      `<iframe src="${page.href}" title="${title}" width="640" height="440" allowfullscreen></iframe>`;
    this.#say("");
    this.#dialog.showModal();
    part(this.#dialog, "close-sharing").focus();
  }

  /** @param {string} words */
  #say(words) {
    part(this.#dialog, "copied").textContent = words;
  }

  /** @param {Element} button */
  async #copy(button) {
    const field = button.parentElement?.querySelector("input");
    if (field) this.#say(await copied(field));
  }

  #saveGame() {
    const lines = exportOf(this.#root);
    save(new Blob([`${lines.join("\n")}\n`], { type: "application/x-ndjson" }), `${this.#root.dataset.game}.jsonl`);
  }

  /** Draws the board on a canvas, in the page's own style. */
  #savePicture() {
    const drawn = partAs(this.#root, "picture", SVGSVGElement);
    const { x, y, width, height } = drawn.viewBox.baseVal;
    const side = 1200 / Math.max(width, height);
    const copy = drawn.cloneNode(true);
    if (!(copy instanceof SVGSVGElement)) return;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(width * side));
    copy.setAttribute("height", String(height * side));
    const style = svgElement("style");
    style.textContent = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join("");
    copy.prepend(style, svgElement("rect", { x, y, width, height, fill: getComputedStyle(this.#root).getPropertyValue("--card") }));
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width * side, height * side];
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      canvas.toBlob((blob) => blob && save(blob, `${this.#root.dataset.game}-${this.#player.turn}.png`));
    });
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  }
}

/** Copies a field's text. Returns the outcome, in words. @param {HTMLInputElement} field */
async function copied(field) {
  field.select(); // where a page may not write to the clipboard, a person still can
  try {
    await navigator.clipboard.writeText(field.value);
    return "Copied.";
  } catch {
    return document.execCommand("copy") ? "Copied." : "Selected: copy it with Ctrl C.";
  }
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
