// Goal: the page alone gives everything that a person may want to share. Method: its links and files are compared
// with those that snl writes, or checked by themselves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { PNG } from "pngjs";
import { pathToFileURL } from "node:url";
import { here, turnOf, Workshop } from "./workshop.js";

let shop;
let match;

before(async () => {
  shop = await Workshop.open();
  shop.snl("import", join(here, "match.jsonl"));
  match = shop.exported("match");
});
after(() => shop.close());

/** The file that a button saves: its name and its content. */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  return [download.suggestedFilename(), readFileSync(await download.path())];
}

describe("what is shared", () => {
  it("is a link to the turn, and code to embed it", async () => {
    await shop.withPage(match, { hash: "#turn=12" }, async (page) => {
      await page.keyboard.press("s");
      const url = `${pathToFileURL(match)}#turn=12`;
      assert.equal(await page.locator(".link").inputValue(), url);
      assert.equal(
        await page.locator(".code").inputValue(),
        `<iframe src="${url.replace("#", "?embed#")}" title="Ann v Bob · match · Snakes and Ladders" width="640" height="440" allowfullscreen></iframe>`,
      );
      await page.locator(".copy").first().click();
      await page.locator(".copied", { hasText: /Copied|Selected/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".sharing").waitFor({ state: "hidden" });
      await page.keyboard.press("l");
      assert.equal(await turnOf(page), 13);
    });
  });

  it("leaves the keys to the player once it is closed, even before the focus has left it", async () => {
    await shop.withPage(match, { hash: "#turn=12" }, async (page) => {
      await page.keyboard.press("s");
      await page.locator(".link").focus();
      const pressed = await page.evaluate(() => {
        document.querySelector(".sharing").close();
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "l", bubbles: true }));
        return document.activeElement.className;
      });
      assert.equal(pressed, "link");
      assert.equal(await turnOf(page), 13);
    });
  });

  it("is code in which no name can become markup", async () => {
    shop.snl("new", '"><script>alert(1)</script>', "Bob", "--id", "quotes");
    await shop.withPage(shop.exported("quotes"), {}, async (page) => {
      await page.keyboard.press("s");
      assert.match(await page.locator(".code").inputValue(), /title="&#34;>&#60;script>/);
    });
  });

  it("is the game, as snl exports it", async () => {
    await shop.withPage(match, {}, async (page) => {
      await page.locator(".share").click();
      const [name, content] = await saved(page, ".save-game");
      assert.equal(name, "match.jsonl");
      assert.equal(content.toString(), shop.snl("export", "match"));
    });
  });

  it("is a picture of the position", async () => {
    await shop.withPage(match, { hash: "#turn=24", reducedMotion: "reduce" }, async (page) => {
      await page.locator(".share").click();
      const [name, content] = await saved(page, ".save-picture");
      assert.equal(name, "match-24.png");
      const { width, height, data } = PNG.sync.read(content);
      assert.deepEqual([width, height], [1200, 1200]);
      const at = (x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
      assert.deepEqual(at(60, 5), [246, 214, 115]); // the last cell
      const [x, y] = [Math.round(1.2 * 630), Math.round(1.2 * 363)]; // a piece that stands on 67
      const reds = [0, 1, 2, 3].map((i) => at(x + 10 * i, y + 22));
      assert.ok(reds.some(([red, green]) => red > 150 && green < 80), JSON.stringify(reds));
    });
  });
});

describe("sound", () => {
  it("is off until it is asked for, and made by the page", async () => {
    await shop.withPage(match, { hash: "#turn=35" }, async (page) => {
      await page.evaluate(() => {
        window.tones = 0;
        const Real = OscillatorNode;
        window.OscillatorNode = class extends Real {
          constructor(...words) {
            super(...words);
            ++window.tones;
          }
        };
      });
      await page.locator(".speed").selectOption("8");
      await page.locator(".next").click();
      await page.locator(".sentence", { hasText: /^36\. Bob rolls 5: 83 → 88$/ }).waitFor();
      assert.equal(await page.evaluate(() => window.tones), 0);
      await page.locator(".sound").click();
      assert.equal(await page.locator(".sound").getAttribute("aria-pressed"), "true");
      await page.locator(".next").click();
      await page.waitForFunction(() => window.tones >= 4);
    });
  });
});
