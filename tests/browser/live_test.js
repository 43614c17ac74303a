// Goal: the player shows a live game, and a page may hold several players. Method: an exported page is made into a
// test page. Its player gets the turns of its game one by one, as a server would send them.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { here, turnOf, Workshop } from "./workshop.js";

let shop;
let html; // of a game of 37 turns that Ann won

before(async () => {
  shop = await Workshop.open();
  shop.snl("import", join(here, "match.jsonl"));
  html = readFileSync(shop.exported("match"), "utf8");
});
after(() => shop.close());

/** The scripts of a player from the sources, since a page's own scripts have short names. */
function playersScripts() {
  const room = join(here, "../../cli/page");
  const [, names] = /set\(player_scripts\s+([^)]*)\)/.exec(readFileSync(join(room, "CMakeLists.txt"), "utf8"));
  return names.trim().split(/\s+/).map((name) => readFileSync(join(room, name), "utf8")).join("\n");
}

/** A page of the same parts, with a script of the test at its end. */
function testPage(name, body, script) {
  const path = join(shop.folder, `${name}.html`);
  const head = html.slice(0, html.indexOf("<body>")).replace(/<meta http-equiv[^>]*>/, "");
  writeFileSync(path, `${head}<body>${body}<script type="module">${playersScripts()}\n${script}</script></body></html>`);
  return path;
}

const root = () => /<div class="snl.*?<\/script>\n<\/div>/s.exec(html)[0];

/** A live game that has had `count` turns: `addTurn()` adds the next one, as the whole game has it. */
const liveScript = (count) => `
  const place = document.querySelector(".snl");
  const whole = JSON.parse(place.querySelector(".game").textContent);
  const data = structuredClone(whole);
  const inForce = whole.played.map((move, i) => i).filter((i) => !new Map(whole.undone).has(i));
  const additionAt = (n) => ({
    seat: Number(whole.seats[inForce[n - 1]]), move: whole.moves[whole.played[inForce[n - 1]]],
    next: n < inForce.length ? Number(whole.seats[inForce[n]]) : whole.next, winner: n < inForce.length ? null : whole.winner,
    chances: whole.chances.map((list) => list[n]) });
  data.seats = inForce.slice(0, ${count}).map((i) => whole.seats[i]).join("");
  data.played = inForce.slice(0, ${count}).map((i) => whole.played[i]);
  Object.assign(data, { undone: [], moments: [], chances: whole.chances.map((list) => list.slice(0, ${count} + 1)), winner: null,
    next: Number(whole.seats[inForce[${count}]]) });
  window.player = new Player(place, new Game(data), { live: true });
  let turns = ${count};
  window.addTurn = (turn = ++turns) => player.append(additionAt(turn));`;

const result = (page) => page.locator(".result").textContent();

describe("a live game", () => {
  it("opens at its end, tells each turn that is played, and nothing of it before", async () => {
    await shop.withPage(testPage("live", root(), liveScript(35)), { clock: true }, async (page) => {
      assert.equal(await turnOf(page), 35);
      assert.equal(await result(page), "Bob to move after 35 turns.");
      await page.evaluate(() => addTurn());
      assert.match(await page.locator(".sentence").textContent(), /^36\. Bob rolls …$/);
      assert.doesNotMatch(await page.locator(".turn-list").textContent(), /→ 88/);
      await page.evaluate(() => addTurn()); // while the player shows the turn before
      await page.clock.runFor(9000);
      assert.equal(await page.locator(".sentence").textContent(), "37. Ann rolls 4: 96 → 100, wins");
      assert.equal(await result(page), "Ann wins after 37 turns.");
      assert.equal(await page.locator(".of-turns").textContent(), "of 37");
      assert.equal(await page.locator(".turn-list li").last().textContent(), "37Ann rolls 4: 96 → 100, wins");
      assert.deepEqual(await page.locator(".percent").allTextContents(), ["100.0 %", "0.0 %"]);
    });
  });

  it("stays where one looks back, until one follows it again", async () => {
    await shop.withPage(testPage("back", root(), liveScript(30)), { clock: true }, async (page) => {
      assert.equal(await page.locator(".live").isVisible(), false);
      await page.locator(".slider").fill("12");
      await page.evaluate(() => addTurn());
      await page.clock.runFor(9000);
      assert.equal(await turnOf(page), 12);
      await page.locator(".live").click();
      assert.equal(await turnOf(page), 31);
      assert.equal(await page.locator(".live").isVisible(), false);
      await page.evaluate(() => addTurn());
      await page.clock.runFor(9000);
      assert.equal(await turnOf(page), 32);
    });
  });

  it("takes turns back", async () => {
    await shop.withPage(testPage("undo", root(), liveScript(36)), { clock: true }, async (page) => {
      await page.evaluate(() => addTurn());
      await page.clock.runFor(9000);
      await page.evaluate(() => player.undo(2));
      assert.equal(await turnOf(page), 35);
      assert.equal(await result(page), "Bob to move after 35 turns.");
      assert.match(await page.locator(".sentence").textContent(), /^35\. .* \(what followed was taken back\)$/);
      await page.locator(".show-undone").check();
      assert.equal(await page.locator(".turn-list del").count(), 2);
      await page.evaluate(() => addTurn(36));
      await page.clock.runFor(9000);
      assert.match(await page.locator(".sentence").textContent(), /^36\. Bob rolls \d: \d+ → 88$/);
      await page.evaluate(() => player.undo(99));
      assert.equal(await turnOf(page), 0);
    });
  });
});

describe("two players on one page", () => {
  const both = `window.players = [...document.querySelectorAll(".snl")].map((root) =>
    new Player(root, new Game(JSON.parse(root.querySelector(".game").textContent))));`;
  it("know nothing of one another, and the keys are those of the one used last", async () => {
    await shop.withPage(testPage("two", root() + root(), both), { clock: true }, async (page) => {
      const turns = () => page.locator(".turn-number").evaluateAll((fields) => fields.map((field) => Number(field.value)));
      await page.keyboard.press("5");
      assert.deepEqual(await turns(), [19, 0]);
      await page.locator(".slider").nth(1).fill("7");
      assert.deepEqual(await turns(), [19, 7]);
      await page.locator(".next").nth(1).click();
      await page.keyboard.press(" ");
      await page.clock.runFor(5000);
      const [one, other] = await turns();
      assert.equal(one, 19);
      assert.ok(other > 8);
      await page.locator(".flip").first().click();
      assert.deepEqual(await page.locator(".picture").evaluateAll((all) => all.map((picture) => picture.classList.contains("flipped"))), [true, false]);
      const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map(({ id }) => id));
      assert.equal(new Set(ids).size, ids.length, `${ids}`);
    });
  });
});
