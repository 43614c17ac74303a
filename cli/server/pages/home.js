// The first page. It starts a game in a few clicks, joins one, and lists the games that are there.

class Home {
  #root;
  #form;
  #trouble;
  #busy = false; // a game is being made

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    this.#form = partAs(root, "new-game", HTMLFormElement);
    this.#trouble = part(this.#form, "trouble");
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    this.#form.addEventListener("change", () => this.#showFields());
    part(root, "add-name").addEventListener("click", () => this.#addName().focus());
    partAs(root, "join-game", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#join();
    });
    addEventListener("pageshow", ({ persisted }) => persisted && this.#comeBack());
    this.#fillNames();
    this.#showFields();
    this.#showOwn();
    document.addEventListener("visibilitychange", () => this.#renewLists());
    setInterval(() => this.#renewLists(), 15_000);
  }

  #comeBack() {
    this.#setBusy(false);
    this.#showOwn();
    this.#renewLists();
  }

  /** @param {string} name */
  #value(name) {
    const field = this.#form.elements.namedItem(name);
    return field instanceof RadioNodeList || field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : "";
  }

  /** @param {string} name */
  #isChecked(name) {
    const field = this.#form.elements.namedItem(name);
    return field instanceof HTMLInputElement && field.checked;
  }

  get #isHere() {
    return this.#value("who") === "here";
  }

  #fillNames() {
    const together = keptText("snl.names")?.split("\n") ?? [];
    for (let i = 0; i < Math.max(2, together.length); ++i) this.#addName().value = together[i] ?? "";
    const known = keptText("snl.name");
    if (known) partAs(this.#form, "own-name", HTMLInputElement).value = known;
  }

  #addName() {
    const list = part(this.#form, "names");
    const field = make("input", "a-name");
    field.maxLength = 80;
    field.autocomplete = "off";
    field.setAttribute("aria-label", `Player ${list.children.length + 1}`);
    field.placeholder = `Player ${list.children.length + 1}`;
    list.append(make("li", "", badgeOf(list.children.length), field));
    part(this.#form, "add-name").hidden = list.children.length >= 10;
    return field;
  }

  #showFields() {
    part(this.#form, "when-open").hidden = this.#isHere;
    part(this.#form, "when-here").hidden = !this.#isHere;
    for (const field of this.#form.querySelectorAll(".when-seeded")) if (field instanceof HTMLElement) field.hidden = this.#value("dice") === "own";
  }

  // ---- Starting

  /** The number of computers that play too. Where players throw their own dice, nobody could throw a computer's. */
  get #computers() {
    return this.#value("dice") === "own" ? 0 : Number(this.#value("computers"));
  }

  get #wishes() {
    const pace = this.#value("dice") === "own" ? 0 : Number(this.#value("pace"));
    return {
      ...(pace > 0 && { pace }),
      board: this.#value("board"),
      rules: this.#value("rules") || undefined, // none: those of the board
      dice: this.#value("dice"),
      takebacks: this.#isChecked("takebacks") ? "ask" : "none",
      private: !this.#isChecked("public"),
      token: newToken(),
    };
  }

  /** @param {boolean} busy */
  #setBusy(busy) {
    this.#busy = busy;
    part(this.#form, "go").setAttribute("aria-disabled", String(busy));
  }

  /** Opens a game once it is made, even if a seat couldn't be taken, so that nobody makes another one instead. */
  async #start() {
    if (this.#busy) return;
    if (!Kept.canKeep()) {
      this.#trouble.textContent = "This browser stores nothing for this site, so you couldn’t play. Allow this site to store data, then try again.";
      return;
    }
    this.#setBusy(true);
    this.#trouble.textContent = "";
    const overdue = setTimeout(() => (this.#trouble.textContent = "The server doesn’t answer. Trying again…"), 3000);
    try {
      location.assign(`/g/${await (this.#isHere ? this.#startHere() : this.#startOpen())}`);
    } catch (error) {
      this.#trouble.textContent = reasonOf(error);
      this.#setBusy(false);
    }
    clearTimeout(overdue);
  }

  /** @returns {Promise<string>} the game’s ID, with the tokens that only the address can carry */
  async #startHere() {
    const players = [...this.#form.querySelectorAll(".a-name")].map((field) => (field instanceof HTMLInputElement ? field.value.trim() : "")).filter(Boolean);
    if (players.length + this.#computers < 2) throw new Error("Write the names of at least two players.");
    if (players.length === 0) throw new Error("Write the name of a player.");
    if (players.length + this.#computers > 10) throw new Error("At most ten can play.");
    if (new Set(players).size < players.length) throw new Error("Two players have the same name: they couldn’t be told apart.");
    keepText("snl.names", players.join("\n"));
    if (this.#computers > 0) return this.#openFor(players, players.length + this.#computers);
    const made = await ask("POST", "/api/games", { body: { players, ...this.#wishes } });
    const kept = new Kept(made.id);
    kept.takeHost(made.token);
    for (const { token } of made.seats) kept.takeSeat({ token, entropy: null });
    if (made.seats.length === 0) await this.#takeSeatsAnew(made, kept);
    return made.id + kept.asFragment;
  }

  /**
   * If the server's first answer was lost, its second one has no tokens of seats. Then the host has new ones made.
   * @param {{ id: string, token: string, game: State }} made
   * @param {Kept} kept
   */
  async #takeSeatsAnew({ id, token: host, game }, kept) {
    for (const { seat } of game.seats) {
      const token = newToken();
      kept.takeSeat({ token, entropy: null });
      await ask("POST", `/api/games/${id}/seats/${seat}/token`, { token: host, body: { token } }).catch(() => kept.dropSeat(token));
    }
  }

  /** @returns {Promise<string>} as of #startHere */
  async #startOpen() {
    const field = partAs(this.#form, "own-name", HTMLInputElement);
    const name = field.value.trim();
    if (!name) {
      field.focus();
      throw new Error("Write your name.");
    }
    keepText("snl.name", name);
    const places = Number(this.#value("places"));
    if (this.#computers >= places) throw new Error(`A game for ${places} has room for ${places - 1} ${places === 2 ? "computer" : "computers"} beside you.`);
    return this.#openFor([name], places);
  }

  /**
   * Makes a game of so many seats, and seats these players and the computers that play too.
   * @param {string[]} players @param {number} places
   * @returns {Promise<string>} as of #startHere
   */
  async #openFor(players, places) {
    const made = await ask("POST", "/api/games", { body: { open: places, ...this.#wishes } });
    const kept = new Kept(made.id);
    kept.takeHost(made.token);
    kept.rememberDraw(made.game);
    for (const name of players) await this.#sit(made, kept, name);
    for (let i = 0; i < this.#computers; ++i)
      await ask("POST", `/api/games/${made.id}/seats`, { token: made.token, body: { computer: true }, once: true }).catch(() => {}); // the lobby offers it again
    return made.id + kept.asFragment;
  }

  /** @param {{ id: string, game: State }} made @param {Kept} kept @param {string} name */
  async #sit({ id, game }, kept, name) {
    const { body, seat } = await newSeat(name, game.draw !== null && !kept.isRefused); // no address carries entropy: the game's page commits
    kept.takeSeat(seat);
    try {
      await ask("POST", `/api/games/${id}/seats`, { body });
    } catch {
      kept.dropSeat(seat.token);
      kept.wish(name); // the lobby tries again, and says why if it is refused again
    }
  }

  // ---- Joining

  /** Opens a game by a link of this server, or by its ID. No link leads to another server, nor to a turn that somebody shared. */
  #join() {
    const field = partAs(this.#root, "code", HTMLInputElement);
    const [, id, fragment = ""] = /^(?:.*\/g\/)?([A-Za-z0-9][A-Za-z0-9._-]*)(?:\?[^#]*)?(#\S*)?$/.exec(field.value.trim()) ?? [];
    if (id) location.assign(`/g/${id}${/^#(?:seat|host|log)=/.test(fragment) ? fragment : ""}`);
    else part(this.#root, "join-trouble").textContent = "That isn’t a game’s link or code. Copy the link that you were sent, and paste it here.";
  }

  // ---- Lists

  async #renewLists() {
    if (document.hidden) return;
    try {
      const fresh = part(await pageNow("/"), "lists");
      const lists = part(this.#root, "lists");
      if (lists.innerHTML !== fresh.innerHTML && !lists.contains(document.activeElement)) lists.replaceWith(fresh);
    } catch {
      // the old lists stay
    }
  }

  /** The games that are kept in this browser and aren't over. */
  async #showOwn() {
    const games = await Promise.all(Kept.ownGames().slice(0, 20).map((id) => this.#ownGame(id)));
    const rows = games.filter((row) => row !== null);
    part(this.#root, "own").hidden = rows.length === 0;
    part(this.#root, "own-list").replaceChildren(...rows);
  }

  /** @param {string} id @returns {Promise<HTMLElement | null>} */
  async #ownGame(id) {
    try {
      /** @type {State} */
      const state = await ask("GET", `/api/games/${id}`);
      if (state.status === "completed" || state.status === "abandoned") {
        new Kept(id).markOver();
        return null;
      }
      const names = state.seats.map(({ name }) => name);
      const link = make("a", "", ...(names.length > 0 ? saidTogether(names) : [`Game ${id}`]));
      link.href = `/g/${id}`;
      const turn = state.status === "drawing" ? ["the dice are being drawn"] : state.next === null ? ["waiting for players"] : [nameOf(state.next), " to move"];
      return make("li", "", link, make("small", "", ...turn));
    } catch (error) {
      if (error instanceof Refused && error.status === 404) new Kept(id).markOver(); // its tokens stay: the server may serve another store today
      return null;
    }
  }
}

for (const root of document.querySelectorAll(".home")) if (root instanceof HTMLElement) new Home(root);
