// Buttons and fields: they direct the player, and show its state.

class Controls {
  #root;
  #player;
  #speed;
  #speeds;
  #keys;
  #sharing;

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   */
  constructor(root, player) {
    this.#root = root;
    this.#player = player;
    this.#speed = partAs(root, "speed", HTMLSelectElement);
    this.#speeds = [...this.#speed.options].map((option) => Number(option.value));
    this.#sharing = new Sharing(root, player);
    this.#keys = new Keys(root, player, this);
    this.#connectButtons();
    this.#connectFields();
    this.#leaveKeysToThePage();
    for (const button of root.querySelectorAll(".playback button[title]"))
      if (button instanceof HTMLElement) this.#showHint(button, button.title);
    player.onPlaying = () => this.#showPlaying();
    player.onRevealing = () => this.#showRevealing();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.#player.speed = speed;
    this.#speed.value = String(speed);
  }

  /** @param {number} steps */
  changeSpeed(steps) {
    const place = this.#speeds.indexOf(this.#player.speed) + steps;
    this.setSpeed(this.#speeds[Math.min(this.#speeds.length - 1, Math.max(0, place))]);
  }

  flip() {
    part(this.#root, "flip").setAttribute("aria-pressed", String(this.#player.flip()));
  }

  toggleSound() {
    part(this.#root, "sound").setAttribute("aria-pressed", String(this.#player.toggleSound()));
  }

  toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.#root.requestFullscreen().catch(() => {}); // an embedded page may not be allowed to
  }

  share() {
    this.#sharing.open();
  }

  askForTurn() {
    const field = partAs(this.#root, "turn-number", HTMLInputElement);
    field.focus();
    field.select();
  }

  get #help() {
    return partAs(this.#root, "keys", HTMLDialogElement);
  }

  /** The open element that has the keys for itself, if there is one. */
  get dialog() {
    return document.querySelector("dialog[open]");
  }

  showKeys() {
    this.#help.showModal();
    part(this.#help, "close-keys").focus();
  }

  toggleResult() {
    this.#player.reveal(!this.#player.isRevealed);
  }

  #connectButtons() {
    const player = this.#player;
    /** @type {Record<string, () => void>} */
    const pressed = {
      start: () => player.play(),
      reveal: () => this.toggleResult(),
      "to-start": () => player.seekTenth(0),
      "earlier-moment": () => player.seekMoment(-1),
      back: () => player.step(-1),
      play: () => player.togglePlaying(),
      next: () => player.step(1),
      "later-moment": () => player.seekMoment(1),
      "to-end": () => player.seekTenth(10),
      live: () => player.followLive(),
      flip: () => this.flip(),
      sound: () => this.toggleSound(),
      share: () => this.share(),
      full: () => this.toggleFullScreen(),
      help: () => this.showKeys(),
      "close-keys": () => this.#help.close(),
    };
    for (const [name, press] of Object.entries(pressed)) part(this.#root, name).addEventListener("click", press);
  }

  #connectFields() {
    partAs(this.#root, "slider", HTMLInputElement).addEventListener("input", (event) =>
      this.#player.seek(Number(valueOf(event))),
    );
    part(this.#root, "turn-number").addEventListener("change", (event) => {
      if (valueOf(event) !== "") this.#player.seekTurn(Math.trunc(Number(valueOf(event)))); // else it is no number
      this.#player.showNumber();
    });
    this.#speed.addEventListener("change", () => this.setSpeed(Number(this.#speed.value)));
  }

  /** An element that a pointer clicks or chooses doesn't keep the focus: the next key goes to the player. */
  #leaveKeysToThePage() {
    this.#root.addEventListener("mousedown", (event) => {
      if (this.dialog || !(event.target instanceof Element)) return;
      if (!event.target.closest("button, summary, label:has([type=checkbox])")) return;
      event.preventDefault();
      blurFocused();
    });
    let chosenByPointer = false;
    this.#speed.addEventListener("pointerdown", () => (chosenByPointer = true));
    this.#speed.addEventListener("keydown", () => (chosenByPointer = false));
    this.#speed.addEventListener("change", () => chosenByPointer && blurFocused());
  }

  /** @param {HTMLElement} button @param {string} title */
  #showHint(button, title) {
    const hint = this.#keys.hintOf(button);
    button.title = hint ? `${title} (${hint})` : title;
  }

  #showPlaying() {
    const words = this.#player.isPlaying ? "Pause" : "Play";
    const button = part(this.#root, "play");
    this.#root.classList.toggle("playing", this.#player.isPlaying);
    partAs(button, "words", HTMLElement).textContent = words;
    this.#showHint(button, words);
    part(this.#root, "live").hidden = !this.#player.isBehind;
  }

  #showRevealing() {
    const button = part(this.#root, "reveal");
    const { isRevealed } = this.#player;
    button.hidden = !isRevealed && !this.#player.hides;
    button.textContent = isRevealed ? "Hide the result" : "Show the result";
  }
}

/** @param {Event} event */
const valueOf = ({ target }) => (target instanceof HTMLInputElement ? target.value : "");

function blurFocused() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
