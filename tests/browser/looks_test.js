// Goal: a page can be read by everybody, and looks as it was once approved. Method: axe-core looks for faults that
// shut readers out. Pictures of the page are compared with those in golden, tile by tile: other edges of letters
// pass, and a missing piece doesn't. SNL_UPDATE_GOLDEN=1 replaces the pictures.

import axe from "axe-core";
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { difference, goldenOf, looksAsApproved, pictured } from "./pictures.js";
import { here, showAs, Workshop } from "./workshop.js";

const desktop = { viewport: { width: 1280, height: 860 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

let shop;
let match;
let large; // the page of a game of more than a hundred turns, on a board of 20 by 20

before(async () => {
  shop = await Workshop.open();
  shop.snl("import", join(here, "match.jsonl"));
  match = shop.exported("match");
  const board = join(shop.folder, "large.json");
  writeFileSync(board, shop.snl("board", "random", "--size", "20", "--snakes", "20", "--ladders", "20", "--seed", "2"));
  shop.snl("new", "Ann", "Bob", "Cid", "--board", board, "--seed", "1", "--id", "large");
  shop.snl("roll", "large", "-n", "120");
  large = shop.exported("large");
});
after(() => shop.close());

// ---- Readers of every kind

async function violations(page, what = "") {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  const told = violations.map(({ id, nodes }) => `${what}${id}: ${nodes.map((node) => node.html).join(" ")}`);
  return told;
}

describe("axe-core finds nothing wrong", () => {
  for (const [size, options] of Object.entries({ desktop, phone }))
    for (const colorScheme of ["light", "dark"])
      it(`in the ${colorScheme}, on a ${size}`, async () => {
        await shop.withPage(match, { ...options, colorScheme, bypassCSP: true, hash: "#turn=31" }, async (page) => {
          await page.locator(".show-undone").check();
          await page.locator("summary").first().click();
          assert.deepEqual(await violations(page), []);
          await page.locator(".help").click();
          assert.deepEqual(await violations(page, "with the keys: "), []);
        });
      });

  it("at the start, while a turn is told, with the proof and the share menu, in forced colours too", async () => {
    for (const forcedColors of ["none", "active"])
      await shop.withPage(match, { bypassCSP: true, forcedColors }, async (page) => {
        assert.deepEqual(await violations(page, "at the start: "), []);
        await page.locator(".speed").selectOption("0.25");
        await page.locator(".start").click();
        assert.deepEqual(await violations(page, "telling: "), []);
        await page.keyboard.press("q");
        await page.locator(".verify").click();
        await page.locator(".verdict", { hasText: /Proved/ }).waitFor();
        assert.deepEqual(await violations(page, "proved: "), []);
        await page.locator(".share").click();
        assert.deepEqual(await violations(page, "sharing: "), []);
      });
  });

  it("while ten play, from off the board", async () => {
    shop.snl("new", ..."abcdefghij", "--board", "milton-bradley", "--seed", "1", "--id", "ten");
    shop.snl("roll", "ten", "-n", "5");
    for (const colorScheme of ["light", "dark"])
      await shop.withPage(shop.exported("ten"), { colorScheme, bypassCSP: true }, async (page) =>
        assert.deepEqual(await violations(page), []));
  });

  it("without a script, with less motion, on paper", async () => {
    // The page without its scripts. The browser still runs the test's own, which look at it.
    const still = join(shop.folder, "still.html");
    const html = readFileSync(match, "utf8").replace(/<\/?noscript>/g, "");
    writeFileSync(still, html.replace(/<script.*?<\/script>/gs, ""));
    await shop.withPage(still, { bypassCSP: true }, async (page) => {
      assert.equal(await page.locator(".told-turns li").first().isVisible(), true);
      assert.deepEqual(await violations(page), []);
    });
    await shop.withPage(match, { reducedMotion: "reduce", bypassCSP: true }, async (page) => {
      await page.keyboard.press("5");
      assert.deepEqual(await violations(page), []);
      await showAs(page, "print");
      assert.deepEqual(await violations(page), []);
    });
  });

  it("but would, were a button without a name", async () => {
    await shop.withPage(match, { bypassCSP: true }, async (page) => {
      await page.evaluate(() => {
        const button = document.querySelector(".play");
        button.removeAttribute("title");
        button.querySelector("span").remove();
      });
      assert.match((await violations(page)).join(), /^button-name/);
    });
  });
});

// ---- Looks

const situations = [
  ["desktop-light", { ...desktop, colorScheme: "light", hash: "#turn=31" }],
  ["desktop-dark", { ...desktop, colorScheme: "dark", hash: "#turn=31" }],
  ["phone-light", { ...phone, colorScheme: "light", hash: "#turn=24" }],
  ["phone-dark", { ...phone, colorScheme: "dark", hash: "#turn=24" }],
  ["phone-whole", { ...phone, colorScheme: "light", hash: "#turn=31", whole: true }],
  ["desktop-start", { ...desktop, colorScheme: "light" }],
  ["desktop-wide", { viewport: { width: 1920, height: 1080 }, colorScheme: "light", hash: "#turn=37" }],
  ["desktop-scrolled", { viewport: { width: 1280, height: 560 }, colorScheme: "dark", hash: "#turn=31", scrolled: 250 }],
  ["phone-lying", { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true, colorScheme: "light", hash: "#turn=31" }],
  ["forced-colours", { ...desktop, forcedColors: "active", hash: "#turn=31" }],
  ["embedded", { viewport: { width: 640, height: 440 }, colorScheme: "light", hash: "?embed#turn=31" }],
  ["printed", { viewport: { width: 800, height: 1100 }, colorScheme: "dark", hash: "#turn=37", whole: true, media: "print" }],
  ["desktop-large", { ...desktop, colorScheme: "light", hash: "#turn=108", large: true }],
];

describe("a page looks as it was approved", () => {
  for (const [name, options] of situations)
    it(`${name}`, async () => {
      await shop.withPage(options.large ? large : match, { ...options, bypassCSP: true, reducedMotion: "reduce" }, async (page) => {
        if (options.media) await showAs(page, options.media);
        if (options.scrolled) await page.evaluate((y) => scrollTo(0, y), options.scrolled);
        const picture = await pictured(page, { fullPage: options.whole });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
        looksAsApproved(picture, name);
      });
    });

  const missing = {
    "a piece": ".piece",
    "a snake": '.snake[data-from="54"]',
    "a ladder": '.ladder[data-from="3"]',
    "a die": ".die",
    "the slider": ".slider",
    "a player’s badge": ".badge",
    "the bar of a chance": ".bar",
  };
  it("and it shows where any of its parts is missing", async () => {
    const golden = readFileSync(goldenOf("desktop-light"));
    await shop.withPage(match, { ...situations[0][1], bypassCSP: true, reducedMotion: "reduce" }, async (page) => {
      await pictured(page);
      for (const [what, selector] of Object.entries(missing)) {
        const part = page.locator(selector).first();
        await part.evaluate((element) => (element.style.visibility = "hidden"));
        assert.notEqual(difference(await page.screenshot(), golden), null, what);
        await part.evaluate((element) => (element.style.visibility = ""));
      }
      assert.equal(difference(await page.screenshot(), golden), null);
    });
  });
});
