// The base of the tests of a server's pages: `snl serve` on a port of its own, and browsers that use it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { networkInterfaces } from "node:os";
import { Workshop } from "./workshop.js";

/** An address of this machine that browsers trust less than a loopback one. It works without a network. */
export const ownAddress = () =>
  Object.values(networkInterfaces()).flat().find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "0.0.0.0";

export class Site extends Workshop {
  #server;
  /** Everything that the server said on stderr: its log. */
  log = "";

  /** Starts a server at `http://${host}:PORT`, with further words on its command line. */
  static async open(host = "127.0.0.1", more = []) {
    const site = await super.open();
    site.host = host;
    site.more = more;
    try {
      await site.start();
    } catch (error) {
      await site.close(); // a browser that is still open would keep the tests from ending
      throw error;
    }
    return site;
  }

  async start(port = 0) {
    const env = { ...process.env, HOME: this.folder, LC_ALL: "C.UTF-8" };
    this.#server = spawn(process.env.SNL, ["serve", "--listen", `${this.host}:${port}`, "--limit", "writes=0", "--limit", "games=0", "--limit", "exports=0", ...this.more], { env, cwd: this.folder });
    this.#server.stderr.on("data", (text) => (this.log += text));
    const [line] = await new Promise((resolve, reject) => {
      createInterface({ input: this.#server.stdout }).once("line", (first) => resolve([first]));
      this.#server.once("exit", (code) => reject(new Error(`snl serve ended with ${code}: ${this.log}`)));
    });
    this.url = /^listening on (http:\/\/.*)$/.exec(line)[1];
    this.port = Number(new URL(this.url).port);
  }

  async stop(signal = "SIGTERM") {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.kill(signal);
    await ended;
  }

  async close() {
    await this.stop();
    await super.close();
  }

  /**
   * A person with a browser of their own. `faults` lists everything that no page may do: errors, dialogs, breaches of
   * a policy, requests to another server, and tokens in an address.
   */
  async person(options = {}) {
    const context = await this.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.faults = [];
    const fault = (what) => page.faults.push(what);
    page.on("pageerror", (error) => fault(`error: ${error}`));
    page.on("dialog", (dialog) => (fault(`dialog: ${dialog.message()}`), dialog.dismiss()));
    page.on("console", (message) => /Failed to load resource|ERR_/.test(message.text()) || fault(`console: ${message.text()}`));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.origin !== this.url) fault(`request: ${request.url()}`);
      if (/[\w-]{43}/.test(url.pathname + url.search)) fault(`a token in an address: ${request.url()}`);
      if (request.headers().referer) fault(`a referrer: ${request.headers().referer}`);
    });
    return page;
  }

  /** Runs `work` with so many people, each with a browser. Fails if a page of theirs has faults. */
  async withPeople(options, work) {
    const people = await Promise.all(options.map((option) => this.person(option)));
    try {
      await work(...people);
      assert.deepEqual(people.flatMap((page) => page.faults), []);
    } finally {
      await Promise.all(people.map((page) => page.context().close()));
    }
  }

  /** Sends a request to the API as a program does. */
  async api(method, path, { token, body, key } = {}) {
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }), ...(key && { "Idempotency-Key": key }) };
    const answer = await fetch(this.url + path, { method, headers, body: method === "GET" ? undefined : JSON.stringify(body ?? {}) });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
  }

  /** Makes a game whose players are all here. Returns its ID, and the tokens of the host and of the seats. */
  async game(players, wishes = {}) {
    const { status, body } = await this.api("POST", "/api/games", { body: { players, board: "empty", ...wishes } });
    assert.equal(status, 201, JSON.stringify(body));
    return { id: body.id, host: body.token, seats: body.seats.map(({ token }) => token) };
  }

  /** Makes a game in which nobody has a seat yet. Returns its ID and the host's token. */
  async openGame(places) {
    const { status, body } = await this.api("POST", "/api/games", { body: { open: places, board: "empty" } });
    assert.equal(status, 201, JSON.stringify(body));
    return { id: body.id, host: body.token };
  }

  /** Makes a game whose draw never ends: one seat never reveals the entropy that it has committed to. */
  async drawingGame(players) {
    const game = await this.openGame(players.length);
    for (const name of players) {
      const body = { name, ...(name === players[0] && { entropy_hash: "ab".repeat(32) }) };
      assert.equal((await this.api("POST", `/api/games/${game.id}/seats`, { body })).status, 201);
    }
    return game;
  }

  async abandon(game) {
    const { status, body } = await this.api("POST", `/api/games/${game.id}/abandon`, { token: game.host });
    assert.equal(status, 200, JSON.stringify(body));
  }

  async openIds() {
    return (await this.api("GET", "/api/games?status=open&limit=100")).body.games.map(({ id }) => id);
  }

  /** Throws one die a turn, for the player who is to move; the game is one of own dice. */
  async throwDice(game, dice) {
    for (const die of dice) {
      const { body: state } = await this.api("GET", `/api/games/${game.id}`);
      const seat = state.seats.find(({ name }) => name === state.next).seat;
      const { status, body } = await this.api("POST", `/api/games/${game.id}/turns`, { token: game.seats[seat], body: { dice: [die] } });
      assert.equal(status, 200, JSON.stringify(body));
    }
  }

  async play(game, turns) {
    for (let i = 0; i < turns; ++i) {
      const { body: state } = await this.api("GET", `/api/games/${game.id}`);
      if (state.status !== "in-progress") return;
      const seat = state.seats.find(({ name }) => name === state.next).seat;
      const { status, body } = await this.api("POST", `/api/games/${game.id}/turns`, { token: game.seats[seat] });
      assert.equal(status, 200, JSON.stringify(body));
    }
  }
}

// ---- People's actions

/** Starts a game that others may join. Returns its path. */
export async function startOpenGame(page, site, { name, places = 2, wishes = async () => {} }) {
  await page.goto(site.url);
  await page.getByLabel("Your name").fill(name);
  await page.locator("[name=places]").selectOption(String(places));
  await page.locator("[name=public]").check();
  await wishes();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/g\//);
  return new URL(page.url()).pathname;
}

export async function chooseBoard(page, name) {
  await page.locator(`[name=board][value=${name}]`).check();
}

export async function takeSeat(page, name) {
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Take a seat" }).click();
}

/**
 * Holds these pages' requests to an address until each of them has sent one, so that none hears of the others' before.
 * Returns a promise of each page's response.
 */
export async function sentTogether(pages, url) {
  let sent = 0;
  let letGo;
  const all = new Promise((resolve) => (letGo = resolve));
  const hold = async (route) => {
    if (++sent === pages.length) letGo();
    await all;
    await route.continue();
  };
  await Promise.all(pages.map((page) => page.route(url, hold)));
  return pages.map((page) => page.waitForResponse(url));
}

/** Drops the server's first response at an address, to a request that says this. Returns the number of such requests. */
export async function loseFirstAnswer(page, url, method = "POST", said = "") {
  let asked = 0;
  await page.route(url, async (route) => {
    if (route.request().method() !== method || !(route.request().postData() ?? "").includes(said) || ++asked > 1) return route.fallback();
    await route.fetch();
    await route.abort("connectionreset");
  });
  return () => asked;
}

export const roll = (page) => page.locator(".roll");

/** Runs `work` while the person's page is hidden. A browser draws no frame of such a page. */
export async function whileHidden(page, work) {
  const show = (isHidden) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      if (hidden) {
        const draw = requestAnimationFrame;
        const waiting = [];
        window.requestAnimationFrame = (frame) => waiting.push(frame);
        window.drawAgain = () => {
          window.requestAnimationFrame = draw;
          for (const frame of waiting) draw(frame);
        };
      } else window.drawAgain?.(); // a page that was loaded meanwhile draws already
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await show(true);
  await work();
  await show(false);
}

/** Whether the person may roll now. */
export const mayRoll = (page) => page.locator(".roll:not([hidden]):not([aria-disabled=true])").count().then((count) => count > 0);

/** Rolls for each person in their turn, until the game is over. Returns the number of rolls. */
export async function playToTheEnd(pages, most = 2000) {
  let rolled = 0;
  const isOver = async () => /ha(s|ve) won/.test(await pages[0].locator(".turn-words").first().textContent());
  while (!(await isOver())) {
    assert.ok(rolled < most, "the game doesn't end");
    for (const page of pages)
      if (await mayRoll(page)) {
        await roll(page).click();
        ++rolled;
      }
    await pages[0].waitForTimeout(20);
  }
  return rolled;
}

/** Waits until the page's words about the turn are these. */
export const says = (page, text) => page.locator(".turn-words", { hasText: text }).first().waitFor();

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const words = (page) => page.locator(".turn-words").first();
