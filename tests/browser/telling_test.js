// Goal: a turn is told in its order: the dice, the way, then what it brought; and pieces go from where
// they stand to where they stand. Method: time is the test's own; whatever can be seen, or is said to
// who listens, is looked at again and again while a turn is under way.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { cellsOf, here, piecesOf, standOn, turnOf, Workshop } from "./workshop.js";

let shop;
let match; // the page of a game of 37 turns that Ann won

before(async () => {
  shop = await Workshop.open();
  shop.snl("import", join(here, "match.jsonl"));
  match = shop.exported("match");
});
after(() => shop.close());

const sentence = (turn) => shop.snl("replay", "match", "--from", String(turn), "--to", String(turn)).trimEnd();

/** All that a person can read or hear of a page. */
const told = (page) =>
  page.evaluate(() => {
    const attributes = ["title", "aria-label", "aria-valuetext"];
    const said = [...document.querySelectorAll(attributes.map((name) => `[${name}]`).join())]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .flatMap((element) => attributes.map((name) => element.getAttribute(name)));
    return [document.body.innerText, ...said].join("\n");
  });

/** What is told at each moment of a turn until its whole sentence stands there. */
async function telling(page, whole) {
  const moments = [];
  for (let i = 0; i < 200; ++i) {
    moments.push({
      told: await told(page),
      cells: await cellsOf(page),
      pieces: await piecesOf(page),
      trail: await page.locator(".trail polyline").count(),
      dice: await page.locator(".dice .die:not(.tumbling)").count(),
      sentence: await page.locator(".sentence").textContent(),
    });
    if (moments.at(-1).sentence === whole) return moments;
    await page.clock.runFor(50);
  }
  assert.fail(`it never says ${whole}: ${moments.at(-1).sentence}`);
}

const near = (one, other, most) => Math.hypot(one.x - other.x, one.y - other.y) < most;

describe("a turn", () => {
  for (const [name, options] of [["in motion", {}], ["with less motion", { reducedMotion: "reduce" }]])
    for (const key of [" ", "ArrowRight"])
      it(`tells nothing of its end before it, ${name}, after ${key === " " ? "a space" : key}`, async () => {
        await shop.withPage(match, { hash: "#turn=36", clock: true, ...options }, async (page) => {
          await page.keyboard.press(key);
          const moments = await telling(page, "37. Ann rolls 4: 96 → 100, wins");
          assert.ok(moments.length > 5);
          for (const moment of moments) {
            if (moment.sentence.endsWith("wins")) continue;
            assert.doesNotMatch(moment.told, /wins|winner/);
            if (moment.sentence.endsWith("→ 100")) continue;
            assert.doesNotMatch(moment.told, /→ 100|100\.0 %|on 100/);
            assert.deepEqual(moment.cells, [96, 88]);
            assert.match(moment.sentence, /^37\. Ann rolls( 4|…| …)$/);
            if (moment.dice === 0) assert.doesNotMatch(moment.told, /rolls 4$/m);
          }
          const parts = [/rolls …$/, /rolls 4$/, /→ 100$/, /wins$/];
          const order = parts.map((part) => moments.findIndex((moment) => part.test(moment.sentence)));
          assert.ok(order.every((when, i) => when > (order[i - 1] ?? -1)), `${order}`);
          // Chances after the words, the win after the chances.
          const certain = moments.findIndex(({ told }) => /100\.0 %/.test(told));
          assert.ok(certain > order[2] && certain <= order[3], `${order}, ${certain}`);
          assert.deepEqual(await cellsOf(page), [100, 88]);
          assert.match(await told(page), /winner/);
        });
      });

  it("opens at the start, with a large way to play, and without the result", async () => {
    await shop.withPage(match, { clock: true }, async (page) => {
      assert.equal(await turnOf(page), 0);
      assert.doesNotMatch(await told(page), /wins|winner|: \d+ → \d/);
      const { width } = await page.locator(".start").boundingBox();
      assert.ok(width > 70);
      await page.locator(".start").click();
      assert.equal(await page.locator(".play").textContent(), "Pause");
      assert.equal(await page.locator(".start").isVisible(), false);
      await page.clock.runFor(9000);
      const reached = await turnOf(page);
      assert.ok(reached > 2 && reached < 10, `${reached}`);
      await page.locator(".slider").fill("30"); // which tells what was passed over, and no more
      assert.doesNotMatch(await told(page), /wins|winner|→ 100/);
    });
  });

  it("shows the result to whoever asks for it, and hides it again", async () => {
    await shop.withPage(match, { clock: true }, async (page) => {
      const result = page.locator(".result");
      assert.equal(await result.textContent(), "Ann to move after 0 turns.");
      await page.keyboard.press("r");
      assert.equal(await result.textContent(), "Ann wins after 37 turns.");
      assert.equal(await turnOf(page), 0);
      assert.equal(await page.locator(".graph .cover").getAttribute("width"), "0");
      await page.locator(".reveal").click();
      assert.equal(await result.textContent(), "Ann to move after 0 turns.");
      await page.locator(".to-end").click(); // the end is no secret any more
      assert.equal(await result.textContent(), "Ann wins after 37 turns.");
      assert.equal(await page.locator(".reveal").isVisible(), false);
    });
  });

  it("throws its dice one after another", async () => {
    await shop.withPage(match, { hash: "#turn=30", clock: true }, async (page) => {
      await page.locator(".next").click();
      const moments = await telling(page, sentence(31)); // 6-6-2
      assert.deepEqual([...new Set(moments.map(({ dice }) => dice))], [0, 1, 2, 3]);
      assert.ok(moments.every(({ sentence, dice }) => dice === 3 || /rolls …$/.test(sentence)));
    });
  });

  it("hides what comes after it from when one plays on, until it has been told or asked for", async () => {
    await shop.withPage(match, { hash: "#turn=30", clock: true }, async (page) => {
      const row = page.locator(".turn-list li", { hasText: /^32/ });
      const whole = await row.textContent();
      await page.keyboard.press(" ");
      assert.equal(await row.textContent(), `32${whole.slice(2).split(" rolls")[0]}`);
      assert.equal(await page.locator(".result").textContent(), "Ann to move after 30 turns.");
      assert.ok(Number(await page.locator(".graph .cover").getAttribute("width")) > 20);
      await page.keyboard.press(" ");
      await page.clock.runFor(1000);
      assert.notEqual(await row.textContent(), whole);
      await page.locator(".turn-list button", { hasText: /^29/ }).click();
      assert.notEqual(await row.textContent(), whole);
      await page.locator(".reveal").click();
      assert.equal(await row.textContent(), whole);
      assert.equal(await page.locator(".result").textContent(), "Ann wins after 37 turns.");
      assert.equal(await page.locator(".graph .cover").getAttribute("width"), "0");
    });
  });

  it("is over at once where one pauses or goes on", async () => {
    await shop.withPage(match, { hash: "#turn=36", clock: true }, async (page) => {
      await page.keyboard.press(" ");
      await page.clock.runFor(100);
      await page.keyboard.press(" ");
      assert.deepEqual(await cellsOf(page), [100, 88]);
      assert.equal(await page.locator(".sentence").textContent(), sentence(37));
    });
  });
});

describe("a piece", () => {
  it("stays where it stands, apart from those that share its cell, while the die tumbles", async () => {
    await shop.withPage(match, { hash: "#turn=0", clock: true }, async (page) => {
      const stood = await piecesOf(page);
      assert.ok(!near(stood[0], stood[1], 40));
      await page.locator(".speed").selectOption("0.25");
      await page.keyboard.press(" ");
      for (let i = 0; i < 17; ++i) {
        assert.deepEqual(await piecesOf(page), stood);
        assert.equal(await page.locator(".trail polyline").count(), 0);
        await page.clock.runFor(100);
      }
    });
  });

  it("never leaps, from where it stands in a crowd to where it stands in the next", async () => {
    shop.snl("new", "Ann", "Bob", "Cid", "--board", "class", "--id", "crowds");
    shop.snlReading("Ann 1\nBob 1\nCid 1\nAnn 4\nBob 4\n", "play", "crowds", "-");
    await shop.withPage(shop.exported("crowds"), { hash: "#turn=0", clock: true }, async (page) => {
      await page.keyboard.press(" ");
      let last = await piecesOf(page);
      let hidden = 0; // pictures in a row in which one piece is before another, which it may pass
      for (let i = 0; i < 500 && (await page.locator(".play").textContent()) === "Pause"; ++i) {
        await page.clock.runFor(20);
        const now = await piecesOf(page);
        now.forEach((piece, seat) => assert.ok(near(piece, last[seat], 60), `${seat} from ${JSON.stringify(last[seat])} to ${JSON.stringify(piece)}`));
        hidden = [[0, 1], [0, 2], [1, 2]].some(([one, other]) => near(now[one], now[other], 15)) ? hidden + 1 : 0;
        assert.ok(hidden < 6, "one hides another");
        last = now;
      }
      assert.equal(await turnOf(page), 5);
    });
  });

  it("is at the linked turn from the beginning, and doesn't fly there", async () => {
    const context = await shop.context({});
    try {
      const page = await context.newPage();
      // What every frame shows, from the first one on.
      await page.addInitScript(() => {
        window.seen = new Set();
        const look = () => {
          const pieces = [...document.querySelectorAll(".piece")].filter((piece) => getComputedStyle(piece).visibility === "visible");
          const places = pieces.map((piece) => piece.getBoundingClientRect()).map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`);
          if (places.length > 0) window.seen.add(places.sort().join(" "));
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      const seen = () => page.evaluate(() => [...window.seen]);
      await page.goto(`${pathToFileURL(match)}#turn=5`);
      await page.waitForTimeout(600);
      assert.equal((await seen()).length, 1, (await seen()).join(" | "));
      await page.keyboard.press("5"); // nor to where one seeks
      await page.waitForTimeout(400);
      assert.equal((await seen()).length, 2, (await seen()).join(" | "));
    } finally {
      await context.close();
    }
  });

  it("that slides into a crowd comes to its own place there", async () => {
    shop.snl("new", "Ann", "Bob", "--board", "class", "--id", "meets");
    shop.snlReading("Ann 6-6-3\nBob 6\nAnn 1\n", "play", "meets", "-"); // down the snake to 7, where Bob is
    await shop.withPage(shop.exported("meets"), { hash: "#turn=2", clock: true }, async (page) => {
      await page.locator(".next").click();
      let last = await piecesOf(page);
      for (let i = 0; i < 200; ++i) {
        await page.clock.runFor(20);
        const now = await piecesOf(page);
        now.forEach((piece, seat) => assert.ok(near(piece, last[seat], 60)));
        last = now;
      }
      assert.deepEqual(await cellsOf(page), [7, 7]);
      assert.ok(last.every((piece) => near(piece, standOn(7), 40)) && !near(last[0], last[1], 40));
    });
  });
});
