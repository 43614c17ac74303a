// Buttons and fields: what they ask of the player, and how they show what it does.

class Controls {
  #game;
  #player;
  #speeds = [...byId("speed").options].map((option) => Number(option.value));
  #keys;

  constructor(game, player) {
    this.#game = game;
    this.#player = player;
    this.#keys = new Keys(player, this);
    this.#connectButtons();
    this.#connectFields();
    this.#leaveKeysToThePage();
    for (const button of document.querySelectorAll("#playback button[title]")) this.#showHint(button, button.title);
    player.onPlaying = () => this.#showPlaying();
  }

  setSpeed(speed) {
    this.#player.speed = speed;
    byId("speed").value = String(speed);
  }

  changeSpeed(steps) {
    const place = this.#speeds.indexOf(this.#player.speed) + steps;
    this.setSpeed(this.#speeds[Math.min(this.#speeds.length - 1, Math.max(0, place))]);
  }

  flip() {
    byId("flip").setAttribute("aria-pressed", String(this.#player.flip()));
  }

  askForTurn() {
    byId("turn").focus();
    byId("turn").select();
  }

  showKeys() {
    byId("keys").showModal();
  }

  #connectButtons() {
    const player = this.#player;
    const pressed = {
      first: () => player.seekTenth(0),
      "earlier-moment": () => player.seekMoment(-1),
      back: () => player.step(-1),
      play: () => player.togglePlaying(),
      next: () => player.step(1),
      "later-moment": () => player.seekMoment(1),
      last: () => player.seekTenth(10),
      flip: () => this.flip(),
      help: () => this.showKeys(),
      "close-keys": () => byId("keys").close(),
    };
    for (const [id, press] of Object.entries(pressed)) byId(id).addEventListener("click", press);
  }

  #connectFields() {
    const { first, count } = this.#game;
    byId("slider").addEventListener("input", ({ target }) => this.#player.seek(Number(target.value)));
    byId("turn").min = first;
    byId("turn").max = first + count;
    byId("of-turns").textContent = `of ${first + count}`;
    byId("turn").addEventListener("change", ({ target }) => {
      if (target.value !== "") this.#player.seek(Math.trunc(Number(target.value)) - first); // else it is no number
      this.#player.showNumber();
    });
    byId("speed").addEventListener("change", ({ target }) => this.setSpeed(Number(target.value)));
  }

  /** What is clicked or chosen by a pointer doesn't keep the focus, so that the next key is the page's. */
  #leaveKeysToThePage() {
    const pressable = "button, summary, label:has([type=checkbox])";
    document.addEventListener("mousedown", (event) => {
      if (byId("keys").open || !event.target.closest(pressable)) return;
      event.preventDefault();
      document.activeElement.blur();
    });
    let chosenByPointer = false;
    byId("speed").addEventListener("pointerdown", () => (chosenByPointer = true));
    byId("speed").addEventListener("keydown", () => (chosenByPointer = false));
    byId("speed").addEventListener("change", ({ target }) => chosenByPointer && target.blur());
  }

  #showHint(button, title) {
    button.title = `${title} (${this.#keys.hintOf(button.id)})`;
  }

  #showPlaying() {
    const words = this.#player.isPlaying ? "Pause" : "Play";
    document.body.classList.toggle("playing", this.#player.isPlaying);
    byId("play").querySelector("span").textContent = words;
    this.#showHint(byId("play"), words);
  }
}
