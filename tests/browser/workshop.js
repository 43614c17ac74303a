// The base of the browser tests: the program in a folder of its own, and pages in a real browser.
//
// The program is $SNL. The browser is $CHROMIUM, or Debian's chromium-headless-shell: Chromium without the parts that
// show a window, which takes half the time.

import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

/** Milliseconds after which a hanging test fails. No test needs as many, on any machine. */
export const PATIENCE = 600_000;

const program = process.env.SNL;
if (!program) throw new Error("set SNL to the program that is to be tested");
const browserProgram = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";
if (!existsSync(browserProgram))
  throw new Error(`${browserProgram} isn't there: install chromium-headless-shell, or set CHROMIUM`);

/** A folder in memory, if there is a GB of it: a container may have little. */
function placeForFolders() {
  if (!existsSync("/dev/shm")) return tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize >= 1 << 30 ? "/dev/shm" : tmpdir();
}

export class Workshop {
  folder = mkdtempSync(join(placeForFolders(), "snl-browser-"));

  static async open() {
    const workshop = new this();
    workshop.browser = await chromium.launch({
      executablePath: browserProgram,
      timeout: PATIENCE,
      // Root's browser has no sandbox. Letters are drawn alike on every machine.
      args: ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text"],
    });
    return workshop;
  }

  async close() {
    await this.browser.close();
    rmSync(this.folder, { recursive: true });
  }

  /** Runs a command. Returns its output. */
  snl(...words) {
    return this.snlReading("", ...words);
  }

  /** As above, with something on its stdin. */
  snlReading(input, ...words) {
    const env = { PATH: process.env.PATH, HOME: this.folder, LC_ALL: "C.UTF-8" };
    for (const [name, value] of Object.entries(process.env))
      if (name.endsWith("SAN_OPTIONS")) env[name] = value;
    const stdio = ["pipe", "pipe", "ignore"];
    const options = { input, env, cwd: this.folder, stdio, encoding: "utf8", maxBuffer: 1 << 28 };
    return execFileSync(program, words, options);
  }

  /** Exports a game. Returns the path of its page. */
  exported(game) {
    const path = join(this.folder, `${game}.html`);
    this.snl("export", game, "-f", "html", "--force", "-o", path);
    return path;
  }

  html(game) {
    return readFileSync(this.exported(game), "utf8");
  }

  /** A browser of its own, whose waits end at the time limit. */
  async newContext(options) {
    const context = await this.browser.newContext(options);
    context.setDefaultTimeout(PATIENCE);
    return context;
  }

  /** A context that lists in `faults` everything that no page may do: errors, dialogs, requests. */
  async context(options = {}) {
    const context = await this.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    context.faults = [];
    const fault = (what) => context.faults.push(what);
    context.on("page", (page) => {
      page.on("pageerror", (error) => fault(`error: ${error}`));
      page.on("dialog", (dialog) => (fault(`dialog: ${dialog.message()}`), dialog.dismiss()));
      page.on("console", (message) => fault(`console: ${message.text()}`));
      page.on("request", (request) => {
        if (!request.isNavigationRequest() && !request.url().startsWith("data:"))
          fault(`request: ${request.url()}`);
      });
    });
    return context;
  }

  /**
   * Runs `work` with a page in a context of its own, and fails if the page has faults. Options are those of the context,
   * `hash`, the end of the link, and `clock`: the test controls the time.
   */
  async withPage(path, options, work) {
    const context = await this.context(options);
    try {
      const page = await context.newPage();
      if (options.clock) await page.clock.install({ time: 0 });
      await page.goto(pathToFileURL(path) + (options.hash ?? ""));
      if (options.clock) await page.clock.pauseAt(3_600_000); // later than any machine takes to get here
      else if (options.javaScriptEnabled !== false) await frames(page); // nobody presses a key before that
      await work(page);
      assert.deepEqual(context.faults, []);
    } finally {
      await context.close();
    }
  }
}

// ---- The page as it is shown

/** Waits until the page's present state is on the screen. */
async function frames(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Shows a page as on a screen or on paper. The page is notified before its next frame. */
export async function showAs(page, media) {
  await page.emulateMedia({ media });
  await frames(page);
}

/** The number of the turn that the page shows. */
export const turnOf = (page) => page.locator(".turn-number").inputValue().then(Number);

/** Each player's cell, by the players' table. */
export const cellsOf = (page) =>
  page.locator(".player-rows .cell").allTextContents().then((texts) => texts.map((text) => Number(text) || 0));

/** The place of each piece, in the board's own units, by seat. */
export const piecesOf = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".piece")]
      .sort((a, b) => a.dataset.seat - b.dataset.seat)
      .map((piece) => {
        const board = document.querySelector(".picture").getBoundingClientRect();
        const disc = piece.querySelector(".disc").getBoundingClientRect();
        const [, , width, height] = document.querySelector(".picture").getAttribute("viewBox").split(" ").map(Number);
        const units = Math.max(width / board.width, height / board.height);
        const spare = { x: board.width - width / units, y: board.height - height / units };
        return {
          x: Math.round((disc.x + disc.width / 2 - board.x - spare.x / 2) * units),
          y: Math.round((disc.y + disc.height / 2 - board.y - spare.y / 2) * units),
        };
      }),
  );

/** The place of a piece that is alone, below the number of its cell, on a board of ten columns and rows. */
export function standOn(cell) {
  const row = Math.floor((cell - 1) / 10);
  const along = (cell - 1) % 10;
  return { x: 100 * (row % 2 ? 9 - along : along) + 50, y: 100 * (9 - row) + 50 + 13 };
}
