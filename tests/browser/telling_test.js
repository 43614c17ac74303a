// Goal: a page shows a turn in its order: the dice, the path, then the result. Pieces move without jumps from place to
// place. Method: the test controls the time. It looks at everything that can be seen, or is said to a screen reader,
// again and again while a turn is under way.

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

const sentence = (turn, game = "match") => shop.snl("replay", game, "--from", String(turn), "--to", String(turn)).trimEnd();

/** Everything on a page that a person can read or hear. */
const told = (page) =>
  page.evaluate(() => {
    const attributes = ["title", "aria-label", "aria-valuetext"];
    const said = [...document.querySelectorAll(attributes.map((name) => `[${name}]`).join())]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .flatMap((element) => attributes.map((name) => element.getAttribute(name)));
    return [document.body.innerText, ...said].join("\n");
  });

/** The words at each moment of a turn, until its whole sentence is there. */
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

/** Keeps in `frames`, from now on, everything that can be read, heard or seen at a frame, if it differs from before. */
const record = (page) =>
  page.evaluate(() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
    const attributes = (selector, name) => [...document.querySelectorAll(selector)].map((element) => element.getAttribute(name));
    const read = ["title", "alt", "aria-label", "aria-valuetext", "aria-setsize", "aria-description"];
    // Words are read only if something besides the pieces, their path and the dice has changed since the last frame.
    const pending = [];
    const changes = new MutationObserver((records) => pending.push(...records));
    changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const drawn = ".pieces, .trail, .joy, .dice";
    const isWords = ({ target, attributeName }) => read.includes(attributeName) || !(target instanceof Element && target.closest(drawn));
    let words = null;
    const readWords = () => {
      const said = [...document.querySelectorAll(read.map((name) => `[${name}]`).join())]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .flatMap((element) => read.map((name) => element.getAttribute(name) ?? ""));
      const live = texts("[aria-live], [role=status]");
      return {
        told: [...new Set([document.title, location.hash, ...document.body.innerText.split(/[\n\t]+/), ...said, ...live])],
        sentence: texts(".sentence")[0],
        cells: texts(".player-rows .cell"),
        tallies: texts(".player-rows .tally"),
        board: texts(".cell-rows b").sort(),
        chances: texts(".player-rows .chance"),
        bars: attributes(".bar rect", "width"),
        statuses: texts(".player-rows .status"),
        rows: texts(".turn-list li").at(-1),
        result: texts(".result")[0],
        graph: [...attributes(".graph .now line", "x1"), ...attributes(".graph .now circle", "cy"), ...attributes(".graph .cover", "x")],
        marks: attributes(".marks", "d")[0],
        praise: texts(".highlights li"),
      };
    };
    const look = () => {
      if (!words || [...pending.splice(0), ...changes.takeRecords()].some(isWords)) words = readWords();
      const frame = {
        ...words,
        tumbling: texts(".dice .tumbling").length,
        pieces: [...document.querySelectorAll(".piece")].map((piece) => [Number(piece.dataset.seat), piece.style.transform]).sort(),
        walked: attributes(".trail polyline", "points").join(" ").split(" ").filter(Boolean).length,
        rings: texts(".trail circle").length,
        confetti: texts(".joy rect").length,
      };
      const before = window.frames.at(-1);
      if (JSON.stringify(frame) !== JSON.stringify(before)) window.frames.push(frame);
      window.looking = requestAnimationFrame(look);
    };
    cancelAnimationFrame(window.looking ?? 0);
    window.frames = [];
    look();
  });

/** Looks at each frame of the turn after the one that is shown, and finds nothing of it before its time. */
async function findNothingEarly(page, turn, name) {
  await page.locator(".slider").fill(String(turn.turn - 1));
  await page.locator(".slider").blur();
  await page.clock.runFor(1000); // until that has been announced
  await record(page);
  await page.keyboard.press("ArrowRight");
  const row = `${turn.turn}${sentence(turn.turn, name).split(/ (.*)/)[1]}`;
  for (let i = 0; i < 30 && (await page.evaluate(() => window.frames.at(-1).rows)) !== row; ++i) await page.clock.runFor(500);
  const [rest, ...frames] = await page.evaluate(() => window.frames);
  const rolled = `${turn.turn}. ${turn.player} rolls ${turn.dice.join("-")}`;
  const whole = sentence(turn.turn, name);
  const wins = turn.outcome === "won";
  const moved = wins ? whole.replace(/, wins$/, "") : whole;
  const first = (is) => {
    const found = frames.findIndex(is);
    assert.ok(found >= 0, `${name}, turn ${turn.turn}: ${is}`);
    return found;
  };
  const differs = (what) => (frame) => JSON.stringify(frame[what]) !== JSON.stringify(rest[what]);
  const times = {
    thrown: first((frame) => frame.sentence === rolled),
    moved: first((frame) => frame.sentence === moved),
    weighed: first(rest.chances.length > 0 ? differs("chances") : (frame) => frame.sentence === whole),
    over: first((frame) => frame.rows === row),
  };
  const order = [0, times.thrown, times.moved, times.weighed, times.over];
  assert.deepEqual(order, [...order].sort((one, other) => one - other), JSON.stringify(times));
  assert.ok(times.thrown > 0 && times.moved > times.thrown && times.over > times.moved, JSON.stringify(times));
  if (rest.chances.length > 0) assert.ok(times.weighed > times.moved && (!wins || times.over > times.weighed), JSON.stringify(times));
  // Nothing that can be read or heard is new before its time …
  const known = new Set([...rest.told, `${turn.turn}. ${turn.player} rolls …`]);
  for (const [i, frame] of frames.slice(0, times.over).entries()) {
    const early = frame.told.filter((line) => {
      if (known.has(line) || (i >= times.thrown && line === rolled)) return false;
      if (i >= times.weighed && / %/.test(line)) return false;
      return i < times.moved || !(line === moved || line.startsWith("A board of") || frame.cells.includes(line) || /\((\d shield|misses)/.test(line));
    });
    assert.deepEqual(early, [], `${name}, turn ${turn.turn}, frame ${i} of ${JSON.stringify(times)}`);
  }
  // … nor to be seen.
  const since = { tumbling: 0, pieces: times.thrown, walked: times.thrown, rings: times.thrown, cells: times.moved, tallies: times.moved,
    board: times.moved, chances: times.weighed, bars: times.weighed, graph: times.weighed, statuses: times.over, rows: times.over,
    result: times.over, marks: times.over, praise: times.over, confetti: times.over };
  assert.deepEqual(Object.keys(rest).filter((what) => !(what in since)).sort(), ["sentence", "told"]);
  for (const [what, when] of Object.entries(since))
    for (const frame of frames.slice(0, when)) {
      if (what === "walked" || what === "rings") assert.equal(frame[what], 0, `${name}, turn ${turn.turn}: ${what}`); // the path of the turn before disappears
      else assert.deepEqual(frame[what], rest[what], `${name}, turn ${turn.turn}: ${what}`);
    }
  // Dice at rest show the throw. The ring around the landing cell comes once the piece has walked there.
  assert.ok(frames.slice(0, times.thrown).every((frame) => frame.tumbling === 1) && frames[times.thrown].tumbling === 0);
  const ways = frames.map((frame) => frame.walked);
  assert.ok(frames.every((frame) => frame.rings === 0 || frame.walked === Math.max(...ways)));
  assert.equal(frames.some((frame) => frame.rings > 0), turn.landed !== turn.to);
  return frames.length;
}

describe("at each frame of a turn", () => {
  const games = {
    // a ladder; a walk; a bounce; a snake; the win
    bounces: (id) => {
      shop.snl("new", "Ann", "Bob", "--cells", "30", "--snake", "17,7", "--ladder", "3,22", "--finish", "bounce", "--sixes", "plain", "--start", "0", "--id", id);
      shop.snlReading("Ann 3\nBob 6\nAnn 6\nBob 6\nAnn 4\nBob 5\nAnn 2\n", "play", id, "-");
      return ({ turn }) => turn !== 3 && turn !== 4;
    },
    // powers: captures, shields, a swap, another turn, a shield that stops a snake; and the win
    party: (id) => {
      shop.snl("new", "Ann", "Bob", "Cyd", "--board", "party", "--rules", "lld", "--meet", "capture", "--seed", "5", "--id", id);
      shop.snl("roll", id, "--all");
      const seen = new Set();
      return ({ power, others, outcome }) => {
        const kind = [power, ...others.map(({ why }) => why), outcome === "won"].join();
        return kind !== ",false" && !seen.has(kind) && seen.add(kind);
      };
    },
    // three dice
    three: (id) => {
      shop.snl("new", "Ann", "Bob", "--board", "class", "--id", id);
      shop.snlReading("Ann 6-6-3\n", "play", id, "-");
      return () => true;
    },
  };
  for (const [name, prepare] of Object.entries(games))
    for (const reducedMotion of name === "bounces" ? ["no-preference", "reduce"] : ["no-preference"])
      it(`there is nothing of what it is yet to tell: ${name}, ${reducedMotion === "reduce" ? "less motion" : "in motion"}`, async () => {
        const game = `${name}.${reducedMotion}`;
        const wanted = prepare(game);
        const turns = shop.snl("replay", game, "--json").trimEnd().split("\n").map((line) => JSON.parse(line)).filter(wanted);
        assert.ok(turns.length > 0);
        await shop.withPage(shop.exported(game), { clock: true, reducedMotion }, async (page) => {
          for (const turn of turns) await findNothingEarly(page, turn, game);
        });
      });
});

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
      await page.locator(".slider").fill("30"); // which reveals the turns that were skipped, and no more
      assert.doesNotMatch(await told(page), /wins|winner|→ 100/);
    });
  });

  it("lists no turn that is still to be told, so that nobody knows who has the last one", async () => {
    // Two games with equally many turns, which begin alike. Ann wins one, Bob the other.
    const opened = {};
    for (const [id, dice] of [["anns", "Ann 5\nAnn 1\nAnn 2\n"], ["bobs", "Ann 1\nBob 6\nBob 2\n"]]) {
      shop.snl("new", "Ann", "Bob", "--cells", "8", "--start", "0", "--sixes", "plain", "--power", "5,again", "--power", "6,again", "--seed", "1", "--id", id);
      shop.snlReading(dice, "play", id, "-");
      assert.equal(JSON.parse(shop.snl("show", id, "--json")).turn, 3);
      await shop.withPage(shop.exported(id), {}, async (page) => {
        const chrome = await page.context().newCDPSession(page);
        const { nodes } = await chrome.send("Accessibility.getFullAXTree");
        const properties = ({ properties = [] }) => properties.map(({ name, value }) => `${name}=${JSON.stringify(value.value)}`);
        const tree = nodes.map((node) => [node.role?.value, node.name?.value, node.value?.value, node.description?.value, ...properties(node)].join(" "));
        const own = /\b(anns|bobs)\b|[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]*Z/g; // the game's name, its head and when it began
        const picture = (await page.locator(".stage, .playback, .players, .chances, .turns").evaluateAll((parts) => parts.map((part) => part.innerText))).join("\n");
        opened[id] = [await told(page), picture, ...tree].map((words) => words.replace(own, "…"));
      });
    }
    assert.ok(opened.anns.length > 100);
    assert.deepEqual(opened.anns, opened.bobs);
    assert.match(shop.snl("replay", "anns"), /3\. Ann .*wins/);
    assert.match(shop.snl("replay", "bobs"), /3\. Bob .*wins/);
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
      assert.equal(await row.count(), 0);
      assert.equal(await page.locator(".turn-list li").last().textContent(), "30Bob rolls 3: 77 → 80");
      assert.equal(await page.locator(".result").textContent(), "Ann to move after 30 turns.");
      assert.ok(Number(await page.locator(".graph .cover").getAttribute("width")) > 20);
      await page.keyboard.press(" ");
      await page.clock.runFor(1000);
      assert.equal(await row.count(), 0);
      await page.locator(".turn-list button", { hasText: /^29/ }).click();
      assert.equal(await row.count(), 0);
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
      let hidden = 0; // consecutive pictures in which one piece hides another, which may happen as it passes
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
      // Every frame shows these, from the first one on.
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
      const see = (places) => page.waitForFunction((least) => window.seen.size >= least, places);
      await page.goto(`${pathToFileURL(match)}#turn=5`);
      await see(1);
      await page.waitForTimeout(600);
      assert.equal((await seen()).length, 1, (await seen()).join(" | "));
      await page.keyboard.press("5"); // nor on the way to a turn that the reader seeks
      await see(2);
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
