// Goal: the page behaves in Firefox as it does in Chromium. Method: Debian's firefox-esr, driven by WebDriver
// BiDi, runs the parts of the page that depend most on the browser.
//
// The browser is $FIREFOX or Debian's firefox-esr.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { here, PATIENCE, Workshop } from "./workshop.js";

const program = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
if (!existsSync(program)) throw new Error(`${program} isn't there: install firefox-esr, or set FIREFOX to another`);

let shop;
let match;
let firefox;

before(async () => {
  shop = await Workshop.open();
  shop.snl("import", join(here, "match.jsonl"));
  match = shop.exported("match");
  firefox = await puppeteer.launch({ browser: "firefox", executablePath: program, headless: true, timeout: PATIENCE, protocolTimeout: PATIENCE });
});
after(async () => {
  await firefox?.close();
  await shop.close();
});

/** Runs `work` with a page at a hash, and fails if the page has an error. */
async function withPage(hash, work, { width = 1280, height = 800 } = {}) {
  const page = await firefox.newPage();
  page.setDefaultTimeout(PATIENCE);
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  try {
    await page.setViewport({ width, height });
    await page.goto(pathToFileURL(match) + hash);
    await work(page);
    assert.deepEqual(faults, []);
  } finally {
    await page.close();
  }
}

const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const turnOf = (page) => page.$eval(".turn-number", (field) => Number(field.value));

describe("in Firefox, a page", () => {
  it("opens at the start without the result, and tells a turn before its end", async () => {
    await withPage("", async (page) => {
      assert.equal(await turnOf(page), 0);
      assert.equal(await text(page, ".result"), "Ann to move after 0 turns.");
    });
    await withPage("#turn=36", async (page) => {
      await page.select(".speed", "0.25");
      await page.evaluate(() => {
        window.seen = [];
        const look = () => {
          const sentence = document.querySelector(".sentence").textContent;
          if (window.seen.at(-1)?.[0] !== sentence) window.seen.push([sentence, document.body.innerText]);
          requestAnimationFrame(look);
        };
        look();
      });
      await page.click(".next");
      await page.waitForFunction(() => window.seen.at(-1)[0].endsWith("wins"), { timeout: PATIENCE });
      const seen = (await page.evaluate(() => window.seen)).slice(1);
      assert.deepEqual(seen.map(([sentence]) => sentence), ["37. Ann rolls …", "37. Ann rolls 4", "37. Ann rolls 4: 96 → 100", "37. Ann rolls 4: 96 → 100, wins"]);
      for (const [, all] of seen.slice(0, 2)) assert.doesNotMatch(all, /wins|winner|→ 100|100\.0 %/);
    });
  });

  it("obeys keys, buttons and the slider, and plays", async () => {
    await withPage("#turn=5", async (page) => {
      for (const [key, turn] of [["g", 0], ["5", 19], ["]", 22], ["h", 21]]) {
        await page.keyboard.press(key);
        assert.equal(await turnOf(page), turn, key);
      }
      await page.click(".to-start");
      await page.select(".speed", "16");
      await page.click(".play");
      await page.waitForFunction(() => document.querySelector(".sentence").textContent.endsWith("wins"), { timeout: PATIENCE });
      assert.equal(await turnOf(page), 37);
      assert.deepEqual(await page.$$eval(".player-rows .cell", (cells) => cells.map((cell) => cell.textContent)), ["100", "88"]);
    });
  });

  it("proves its game", async () => {
    await withPage("", async (page) => {
      await page.click(".verify");
      await page.waitForFunction(() => /Proved|sound|read/.test(document.querySelector(".verdict").textContent), { timeout: PATIENCE });
      assert.match(await text(page, ".verdict"), /41 commits are whole/);
    });
  });

  it("stands on any screen as in Chromium", async () => {
    for (const [width, height, hash] of [[1280, 800, "#turn=31"], [844, 450, "#turn=31"], [500, 450, "?embed#turn=31"]])
      await withPage(hash, async (page) => {
        const fits = await page.evaluate(() => {
          const { right, bottom } = document.querySelector(".picture").getBoundingClientRect();
          return right <= innerWidth && bottom <= innerHeight && document.documentElement.scrollWidth <= innerWidth;
        });
        assert.ok(fits, `${width} x ${height}`);
      }, { width, height });
  });
});
