// Goal: an exported page plays its game, by mouse, keys and links; says the same as `snl replay`; is harmless with
// any players' names; and sends no request. Method: a real browser; the test controls the time where pieces move.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { after, before, describe, it } from "node:test";
import { cellsOf, here, standOn, piecesOf, showAs, turnOf, Workshop } from "./workshop.js";

let shop;
let match; // the page of a game of 37 turns that Ann won; 8 and 9 were taken back once

before(async () => {
  shop = await Workshop.open();
  shop.snl("import", join(here, "match.jsonl"));
  match = shop.exported("match");
});
after(() => shop.close());

const turns = (...words) => shop.snl("replay", ...words, "--json").trimEnd().split("\n").map((line) => JSON.parse(line));
const last = () => turns("match").length;

describe("a page", () => {
  it("shows the start of the game first, and any turn as snl show does", async () => {
    await shop.withPage(match, {}, async (page) => {
      for (const turn of [0, 1, 7, 8, 20, last() - 1, last()]) {
        if (turn !== 0) await page.locator(".turn-number").fill(String(turn));
        if (turn !== 0) await page.locator(".turn-number").press("Enter");
        const shown = JSON.parse(shop.snl("show", "match", "--at", String(turn), "--json"));
        assert.equal(await turnOf(page), turn);
        assert.deepEqual(await cellsOf(page), shown.players.map((player) => player.cell));
        const [ann, bob] = await page.locator(".player-rows .status").allTextContents();
        assert.equal(ann, shown.winner === "Ann" ? "winner" : shown.next === "Ann" ? "to move" : "");
        assert.equal(bob, shown.winner === "Bob" ? "winner" : shown.next === "Bob" ? "to move" : "");
        const table = await page.locator(".cell-rows td").evaluateAll((cells) =>
          cells.flatMap((cell) => [...cell.querySelectorAll("bdi")].map((name) => [name.textContent, parseInt(cell.textContent)])),
        );
        assert.deepEqual(table.sort(), shown.players.map((player) => [player.name, player.cell]));
      }
    });
  });

  it("shows a game with powers as snl show does, pieces of others that a turn moved too", async () => {
    shop.snl("new", "Ann", "Bob", "Cyd", "--board", "party", "--rules", "lld", "--meet", "capture", "--seed", "5", "--id", "party");
    shop.snl("roll", "party", "-n", "40");
    shop.snl("undo", "party", "-n", "3");
    const moved = turns("party").filter((turn) => turn.others.length > 0 || turn.power !== null);
    assert.ok(new Set(moved.flatMap((turn) => [turn.power, ...turn.others.map((other) => other.why)])).size > 4);
    await shop.withPage(shop.exported("party"), {}, async (page) => {
      for (const { turn } of moved) {
        await page.locator(".turn-number").fill(String(turn));
        await page.locator(".turn-number").press("Enter");
        const shown = JSON.parse(shop.snl("show", "party", "--at", String(turn), "--json"));
        assert.deepEqual(await cellsOf(page), shown.players.map((player) => player.cell), `turn ${turn}`);
      }
    });
  });

  it("names shields and turns to miss as snl show does, in the table and of the board", async () => {
    shop.snl("new", "Ann", "Bob", "Cyd", "--cells", "60", "--power", "4,shield,3", "--power", "5,skip,3", "--power", "6,skip,2",
      "--power", "9,shield,1", "--snake", "17,7", "--snake", "20,2", "--seed", "5", "--id", "tallies");
    shop.snl("roll", "tallies", "-n", "30");
    shop.snl("undo", "tallies", "-n", "2");
    const wordsOf = ({ shields, skips }) => {
      const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
      const words = [shields && count(shields, "shield"), skips && `misses ${count(skips, "turn")}`].filter(Boolean);
      return words.length > 0 ? ` (${words.join(", ")})` : "";
    };
    const seen = new Set();
    await shop.withPage(shop.exported("tallies"), {}, async (page) => {
      const tallies = () => page.locator(".player-rows .tally").allTextContents();
      for (let turn = 0; turn <= 28; ++turn) {
        await page.locator(".turn-number").fill(String(turn));
        await page.locator(".turn-number").press("Enter");
        const { players } = JSON.parse(shop.snl("show", "tallies", "--at", String(turn), "--json"));
        const words = players.map(wordsOf);
        assert.deepEqual(await tallies(), words, `turn ${turn}`);
        const label = await page.locator(".picture").getAttribute("aria-label");
        players.forEach(({ name, cell }, seat) => assert.ok(label.includes(`${name} on ${cell}${words[seat]}`), label));
        words.forEach((word) => seen.add(word));
      }
    });
    assert.ok(seen.size > 3, [...seen].join());
    const rest = shop.html("tallies").match(/<span class="tally">[^<]*/g).map((span) => span.split(">")[1]);
    assert.deepEqual(rest, JSON.parse(shop.snl("show", "tallies", "--json")).players.map(wordsOf));
  });

  it("puts each piece below the number of its cell, or beside the other one", async () => {
    await shop.withPage(match, { reducedMotion: "reduce" }, async (page) => {
      await page.keyboard.press("3");
      assert.deepEqual(await piecesOf(page), (await cellsOf(page)).map(standOn));
      await page.keyboard.press("g");
      const [ann, bob] = await piecesOf(page);
      assert.ok(ann.x < standOn(1).x && bob.x > standOn(1).x && ann.y === bob.y);
      assert.ok(bob.x - ann.x > 30);
    });
  });

  it("tells every chance to win as snl analyze does", async () => {
    const chances = shop.snl("analyze", "match", "--json").trimEnd().split("\n").map((line) => JSON.parse(line));
    await shop.withPage(match, {}, async (page) => {
      for (const turn of [1, 9, 30, last()]) {
        await page.locator(".turn-number").fill(String(turn));
        await page.locator(".turn-number").press("Enter");
        const expected = chances[turn - 1].chances_after.map((chance) => `${(100 * chance).toFixed(1)} %`);
        assert.deepEqual(await page.locator(".player-rows .percent").allTextContents(), expected);
        const luck = 100 * (chances[turn - 1].chances_after[0] - chances[turn - 1].chances_before[0]);
        const change = (await page.locator(".player-rows .change").first().textContent()).replace("−", "-");
        assert.ok(Math.abs(Number(change) - luck) < 0.06, `${change}, not ${luck}`);
      }
    });
  });

  it("draws every chance of each player, from 0 at the foot to certain at the top", async () => {
    const chances = shop.snl("analyze", "match", "--json").trimEnd().split("\n").map((line) => JSON.parse(line));
    const expected = [chances[0].chances_before, ...chances.map((turn) => turn.chances_after)];
    await shop.withPage(match, {}, async (page) => {
      const lines = await page.locator(".graph .line").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
      const scale = await page.locator(".graph .scale line").evaluateAll((all) => all.map((line) => Number(line.getAttribute("y1"))));
      const [foot, top] = [Math.max(...scale), Math.min(...scale)];
      assert.equal(lines.length, 2);
      for (const [seat, line] of lines.entries()) {
        const points = line.slice(1).split("L").map((point) => point.split(" ").map(Number));
        assert.equal(points.length, expected.length);
        for (const [i, [x, y]] of points.entries()) {
          assert.ok(Math.abs((foot - y) / (foot - top) - expected[i][seat]) < 0.001);
          assert.ok(i === 0 || x > points[i - 1][0]);
        }
      }
    });
  });

  it("says what the dice were and what they did", async () => {
    await shop.withPage(match, { hash: "#turn=31" }, async (page) => {
      const turn = turns("match")[30];
      assert.deepEqual(turn.dice, [6, 6, 2]);
      assert.equal(await page.locator(".sentence").textContent(), shop.snl("replay", "match", "--from", "31", "--to", "31").trimEnd());
      assert.deepEqual(
        await page.locator(".dice .die").evaluateAll((dice) => dice.map((die) => die.querySelectorAll("circle").length)),
        turn.dice,
      );
    });
  });

  it("is small but for what the game has", () => {
    shop.snl("new", "Ann", "Bob", "Cid", "--size", "20", "--seed", "1", "--id", "large");
    for (const [id, size, jumps] of [["crowded", "20", "20"], ["huge", "50", "50"]]) {
      const board = join(shop.folder, `${id}.json`);
      writeFileSync(board, shop.snl("board", "random", "--size", size, "--snakes", jumps, "--ladders", jumps, "--seed", "2"));
      shop.snl("new", "Ann", "Bob", "Cid", "--board", board, "--seed", "1", "--id", id);
    }
    for (const [game, most] of [["match", 95_000], ["large", 110_000], ["crowded", 110_000], ["huge", 151_000]]) {
      const rest = shop.html(game).replace(/<script type="application.*?<\/script>|<noscript>.*?<\/noscript>/gs, "");
      assert.ok(Buffer.byteLength(rest) < most, `${game}: ${Buffer.byteLength(rest)}`);
    }
  });

  it("is the same to the byte whenever it is exported", () => {
    assert.equal(shop.html("match"), shop.html("match"));
  });
});

describe("the list of turns", () => {
  const listed = (page) =>
    page.locator(".turn-list li").evaluateAll((rows) =>
      rows.slice(1).map((row) => `${row.querySelector(".number").textContent}. ${row.querySelector(".words").textContent}`),
    );

  /** The turns that the page lists on paper, where the list is whole. */
  async function wholeList(game, undoneToo) {
    let list;
    await shop.withPage(shop.exported(game), {}, async (page) => {
      if (undoneToo) await page.locator(".show-undone").check();
      await showAs(page, "print");
      list = await listed(page);
    });
    return list;
  }

  it("has the words of snl replay, whatever the rules", async () => {
    const games = [
      ["class", "--sixes", "again"],
      ["class", "--sixes", "each"],
      ["milton-bradley", "--finish", "bounce", "--dice", "2"],
      ["milton-bradley", "--finish", "bounce", "--faces", "20", "--start", "1"],
      ["lld", "--finish", "overshoot", "--faces", "12"],
    ];
    let words = "";
    for (const [i, [name, ...rules]] of games.entries()) {
      shop.snl("new", "Ann Lee", "Bob", "Čyž", "--board", name, "--seed", "5", "--id", `rules.${i}`, ...rules);
      shop.snl("roll", `rules.${i}`, "--all");
      const told = shop.snl("replay", `rules.${i}`);
      words += told;
      assert.deepEqual(await wholeList(`rules.${i}`, false), told.trimEnd().split("\n"));
    }
    shop.snl("new", "Ann", "Bob", "--cells", "30", "--id", "sixes");
    shop.snlReading("Ann 6-6-6\nBob 6-6-1\nAnn 2\nBob 6-6-5\n", "play", "sixes", "-");
    words += shop.snl("replay", "sixes");
    assert.deepEqual(await wholeList("sixes", false), shop.snl("replay", "sixes").trimEnd().split("\n"));
    for (const part of ["up the ladder", "down the snake", "bounces back", "overshoots, stays", "three sixes", "has another turn", "wins"])
      assert.ok(words.includes(part), `none of the games has a turn that ${part}`);
  });

  it("shows turns that were taken back where one asks for them", async () => {
    assert.equal((await wholeList("match", false)).length, last());
    assert.deepEqual(await wholeList("match", true), shop.snl("replay", "match", "--undone").trimEnd().split("\n"));
    shop.snl("new", "Ann", "Bob", "--seed", "1", "--board", "class", "--id", "back");
    for (const words of [["roll", "-n", "6"], ["undo", "-n", "4"], ["redo", "-n", "2"], ["undo"], ["roll", "-n", "3"], ["undo", "--to", "1"]])
      shop.snl(words[0], "back", ...words.slice(1));
    shop.snlReading("Bob 2\nAnn 1\n", "play", "back", "-");
    assert.deepEqual(await wholeList("back", true), shop.snl("replay", "back", "--undone").trimEnd().split("\n"));
    assert.deepEqual(await wholeList("back", false), shop.snl("replay", "back").trimEnd().split("\n"));
    shop.snl("new", "Ann", "Bob", "--id", "none.back");
    shop.snl("roll", "none.back");
    await shop.withPage(shop.exported("none.back"), {}, async (page) => {
      assert.equal(await page.locator(".show-undone").isVisible(), false);
    });
  });

  it("seeks to the turn that is clicked, marks it, and keeps it in view", async () => {
    await shop.withPage(match, { hash: "#turn=37" }, async (page) => {
      await page.locator(".turn-list button", { hasText: /Bob rolls.*→ 88/ }).click();
      assert.equal(await turnOf(page), 36);
      await page.keyboard.press(" ");
      assert.equal(await page.locator(".play").textContent(), "Pause");
      await page.keyboard.press("Home");
      await page.keyboard.press(" ");
      assert.equal(await page.locator(".play").textContent(), "Play");
      await page.keyboard.press("Home");
      const current = page.locator(".turn-list [aria-current=true]");
      assert.equal(await current.textContent(), "0The start");
      await page.locator(".turn-list").focus();
      for (let i = 0; i < 15; ++i) await page.keyboard.press("ArrowDown");
      assert.equal(await turnOf(page), 15);
      const [row, view] = [await current.boundingBox(), await page.locator(".turn-list").boundingBox()];
      assert.ok(row.y >= view.y && row.y + row.height <= view.y + view.height + 1);
      await page.keyboard.press("ArrowUp");
      assert.equal(await turnOf(page), 14);
    });
  });

  it("has only the rows that can be seen, of a game of 10,000 turns too", async () => {
    const snakes = [94, 95, 96, 97, 98, 99].flatMap((head) => ["--snake", `${head},${head - 90}`]);
    shop.snl("new", "Ann", "Bob", "--cells", "100", ...snakes, "--sixes", "plain", "--seed", "4", "--id", "long");
    shop.snl("roll", "long", "--all", "--max-turns", "10000");
    await shop.withPage(shop.exported("long"), { hash: "#turn=10000" }, async (page) => {
      assert.equal(await turnOf(page), 10000);
      for (const key of ["5", "g", "G"]) {
        await page.keyboard.press(key);
        assert.ok((await page.locator(".turn-list li").count()) < 40);
        assert.equal(await page.locator(".turn-list [aria-current=true]").count(), 1);
      }
      await page.locator(".turn-list").evaluate((list) => (list.scrollTop = list.scrollHeight / 4));
      await page.locator(".turn-list li", { hasText: /^2500/ }).waitFor();
      const numbers = (await page.locator(".turn-list .number").allTextContents()).map(Number);
      assert.deepEqual(numbers, numbers.map((_, i) => numbers[0] + i));
    });
  });
});

describe("a control", () => {
  const buttons = [
    ["to-start", 20, 0],
    ["back", 20, 19],
    ["next", 20, 21],
    ["to-end", 20, 37],
    ["earlier-moment", 24, 22],
    ["later-moment", 19, 22],
    ["back", 0, 0],
    ["next", 37, 37],
  ];
  it("goes where it says", async () => {
    await shop.withPage(match, { reducedMotion: "reduce" }, async (page) => {
      for (const [id, from, to] of buttons) {
        await page.locator(".slider").fill(String(from));
        await page.locator(`.${id}`).click();
        assert.equal(await turnOf(page), to, `${id} at ${from}`);
      }
    });
  });

  it("of any kind seeks: the slider, the number, the graph", async () => {
    await shop.withPage(match, {}, async (page) => {
      await page.locator(".slider").fill("12");
      assert.equal(await turnOf(page), 12);
      await page.locator(".slider").press("ArrowRight");
      assert.equal(await page.locator(".slider").inputValue(), "13");
      for (const [typed, turn] of [["99", 37], ["-5", 0], ["7.9", 7], ["", 7]]) {
        await page.locator(".turn-number").fill(typed);
        await page.locator(".turn-number").press("Tab");
        assert.equal(await turnOf(page), turn);
      }
      const graph = await page.locator(".graph svg").boundingBox();
      const [left, right] = [44, 14]; // beside the lines
      await page.mouse.move(graph.x + left + (graph.width - left - right) / 2, graph.y + 60);
      await page.mouse.down();
      const middle = await turnOf(page);
      assert.ok(Math.abs(middle - 18) <= 2, `${middle}`);
      await page.mouse.move(graph.x + graph.width + 40, graph.y);
      assert.equal(await turnOf(page), 37);
      await page.mouse.up();
      await page.mouse.move(graph.x, graph.y);
      assert.equal(await turnOf(page), 37);
    });
  });

  it("flips the board: the first row comes on top", async () => {
    await shop.withPage(match, { hash: "#turn=13", reducedMotion: "reduce" }, async (page) => {
      const first = page.locator(".picture .numbers text", { hasText: /^1$/ });
      const before = [await piecesOf(page), await first.boundingBox()];
      await page.locator(".flip").click();
      const flipped = [await piecesOf(page), await first.boundingBox()];
      assert.deepEqual(flipped[0], before[0].map(({ x, y }) => ({ x, y: 1000 - y })));
      assert.ok(flipped[1].y < before[1].y - 300);
      assert.equal(await page.locator(".flip").getAttribute("aria-pressed"), "true");
      const upright = await first.evaluate((number) => number.getScreenCTM().d > 0);
      assert.ok(upright);
      await page.locator(".flip").click();
      assert.deepEqual(await piecesOf(page), before[0]);
    });
  });

  it("shows the keys, and closes them", async () => {
    await shop.withPage(match, { hash: "#turn=37" }, async (page) => {
      const open = () => page.locator(".keys").isVisible();
      for (const close of ["?", " ", "Enter", "Escape"]) {
        await page.keyboard.press("?");
        assert.ok(await open());
        await page.keyboard.press(close);
        assert.equal(await open(), false, close);
        assert.ok(await page.locator(".single-keys").isChecked());
      }
      await page.locator(".help").click();
      assert.ok(await open());
      await page.keyboard.press("g");
      assert.equal(await turnOf(page), 37);
      await page.locator(".close-keys").click();
      assert.equal(await open(), false);
      await page.locator(".flip").press("?");
      await page.locator(".single-keys").uncheck();
      await page.keyboard.press("Escape");
      assert.equal(await open(), false);
      await page.keyboard.press("h");
      assert.equal(await turnOf(page), 37);
      await page.keyboard.press("ArrowLeft");
      assert.equal(await turnOf(page), 36);
    });
  });
});

describe("a key", () => {
  const keys = [
    ["ArrowRight", 5, 6], ["l", 5, 6], [".", 5, 6], ["ArrowLeft", 5, 4], ["h", 5, 4], [",", 5, 4],
    ["Shift+ArrowRight", 5, 15], ["Shift+ArrowLeft", 15, 5], ["Shift+ArrowLeft", 5, 0], ["Shift+ArrowRight", 30, 37],
    ["g", 5, 0], ["Home", 5, 0], ["Shift+G", 5, 37], ["End", 5, 37], ["0", 5, 0], ["5", 5, 19], ["9", 5, 33],
    ["[", 24, 22], ["]", 19, 22], ["[", 1, 0], ["]", 37, 37],
    ["Control+h", 5, 5], ["Alt+ArrowLeft", 5, 5], ["x", 5, 5],
  ];
  it("does what fingers expect", async () => {
    await shop.withPage(match, { reducedMotion: "reduce" }, async (page) => {
      for (const [key, from, to] of keys) {
        await page.locator(".slider").fill(String(from));
        await page.locator(".slider").blur();
        await page.keyboard.press(key);
        assert.equal(await turnOf(page), to, `${key} at ${from}`);
      }
    });
  });

  it("finds the moments that moved the chances most, of which the slider and the graph have marks", async () => {
    const analysed = shop.snl("analyze", "match", "--json").trimEnd().split("\n").map((line) => JSON.parse(line));
    const swings = analysed.map(({ turn, chances_before, chances_after }) => ({ turn, swing: Math.abs(chances_after[0] - chances_before[0]) }));
    swings.sort((one, other) => other.swing - one.swing);
    const expected = swings.slice(0, Math.floor(analysed.length / 8)).map(({ turn }) => turn).sort((one, other) => one - other);
    assert.equal(expected.length, 4);
    await shop.withPage(match, { hash: "#turn=0" }, async (page) => {
      const found = [];
      for (let i = 0; i < 5; ++i) {
        await page.keyboard.press("]");
        found.push(await turnOf(page));
      }
      assert.deepEqual(found, [...expected, 37]);
      for (const turn of [...expected].reverse().filter((turn) => turn < 37)) {
        await page.keyboard.press("[");
        assert.equal(await turnOf(page), turn);
      }
      assert.equal(await page.locator(".graph .mark").count(), 4);
      const marks = await page.locator(".marks").getAttribute("d");
      assert.deepEqual(marks.match(/M[\d.]+/g).map((x) => Math.round((Number(x.slice(1)) * 37) / 1000)), expected);
    });
  });

  it("leads to each player's luckiest throw, by a link once every turn has been told", async () => {
    const analysed = shop.snl("analyze", "match", "--json").trimEnd().split("\n").map((line) => JSON.parse(line));
    const words = ["Ann", "Bob"].map((player, seat) => {
      const gain = ({ chances_before, chances_after }) => chances_after[seat] - chances_before[seat];
      const best = analysed.filter((turn) => turn.player === player).reduce((one, other) => (gain(other) > gain(one) ? other : one));
      return [`${player}’s luckiest throw: turn ${best.turn}, +${Math.round(100 * gain(best))} %`, best.turn];
    });
    await shop.withPage(match, { hash: "#turn=37" }, async (page) => {
      const links = page.locator(".highlights a");
      assert.deepEqual(await links.allTextContents(), words.map(([told]) => told));
      await links.nth(1).click();
      assert.equal(await turnOf(page), words[1][1]);
    });
    await shop.withPage(match, {}, async (page) => {
      assert.equal(await page.locator(".highlights a").count(), 0);
      await page.locator(".slider").fill("36"); // while a throw is still to come, none is known to be the luckiest
      assert.equal(await page.locator(".highlights a").count(), 0);
      await page.keyboard.press("r");
      assert.equal(await page.locator(".highlights a").count(), 2);
    });
  });

  it("says where turns were taken back and none followed: at the end, which may be the start", async () => {
    shop.snl("new", "Ann", "Bob", "--board", "class", "--id", "moments");
    shop.snlReading("Ann 2\nBob 1\nAnn 1\nBob 6-6-6\n", "play", "moments", "-");
    for (const left of [2, 0]) {
      shop.snl("undo", "moments", "--to", String(left));
      await shop.withPage(shop.exported("moments"), { hash: "#turn=0" }, async (page) => {
        assert.match(await page.locator(".sentence").textContent(), left === 0 ? /was taken back/ : /the start$/);
        await page.keyboard.press("End");
        assert.match(await page.locator(".sentence").textContent(), /what followed was taken back/);
      });
    }
    shop.snl("play", "moments", "Ann", "3");
    await shop.withPage(shop.exported("moments"), { hash: "#turn=1" }, async (page) => {
      assert.doesNotMatch(await page.locator(".sentence").textContent(), /taken back/);
    });
  });

  it("sets the speed, flips the board, hides the graph, asks for a turn", async () => {
    await shop.withPage(match, {}, async (page) => {
      const speed = () => page.locator(".speed").inputValue();
      for (const [key, expected] of [["+", "2"], ["=", "4"], ["-", "2"], ["Backspace", "1"], ["-", "0.5"], ["-", "0.25"], ["-", "0.25"]]) {
        await page.keyboard.press(key);
        assert.equal(await speed(), expected);
      }
      await page.keyboard.press("f");
      assert.equal(await page.locator(".flip").getAttribute("aria-pressed"), "true");
      await page.keyboard.press("w");
      assert.equal(await page.locator(".chances").isVisible(), false);
      await page.keyboard.press("w");
      assert.ok(await page.locator(".chances").isVisible());
      await page.keyboard.press(":");
      await page.keyboard.type("17");
      await page.keyboard.press("Enter");
      assert.equal(await turnOf(page), 17);
      await page.keyboard.press("5"); // a key of the page again
      assert.equal(await turnOf(page), 19);
      await page.keyboard.press(":");
      await page.keyboard.type("12"); // within the field these are digits
      await page.keyboard.press("Escape");
      assert.equal(await turnOf(page), 19);
      await page.keyboard.press("?");
      assert.ok(await page.locator(".keys").isVisible());
    });
  });

  it("steps while the speed has the focus, which up and down choose", async () => {
    await shop.withPage(match, { hash: "#turn=9", reducedMotion: "reduce" }, async (page) => {
      await page.locator(".speed").focus();
      await page.locator(".speed").selectOption("4");
      for (const [key, turn] of [["ArrowRight", 10], ["ArrowRight", 11], ["ArrowLeft", 10]]) {
        await page.keyboard.press(key);
        assert.equal(await page.locator(".speed").inputValue(), "4");
        assert.equal(await turnOf(page), turn);
      }
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.locator(".speed").inputValue(), "8");
    });
  });

  it("is the page's after a click too", async () => {
    await shop.withPage(match, { hash: "#turn=9", clock: true }, async (page) => {
      for (const pressed of [".flip", ".back", ".show-undone", ".facts summary"]) {
        await page.locator(".turn-number").focus();
        await page.locator(pressed).click();
        await page.keyboard.press(" ");
        assert.equal(await page.locator(".play").textContent(), "Pause", pressed);
        await page.keyboard.press("q");
        assert.equal(await page.locator(".play").textContent(), "Play", pressed);
      }
    });
  });

  it("is told of once: by the help, and by the title of a button that does the same", async () => {
    await shop.withPage(match, {}, async (page) => {
      const title = (id) => page.locator(`.${id}`).getAttribute("title");
      assert.equal(await title("play"), "Play (space)");
      assert.equal(await title("later-moment"), "The next moment that matters (])");
      assert.equal(await title("help"), "Keys (?)");
      await page.locator(".help").click();
      const rows = await page.locator(".keys tr").allTextContents();
      assert.equal(rows.length, 14);
      assert.equal(rows[2], "← h ,back a turn");
      assert.equal(rows[4], "g Home, G Endthe start, the end");
      assert.deepEqual(await page.locator(".keys tr:nth-child(6) kbd").allTextContents(), ["0", "9"]);
    });
  });

  it("on a button presses the button, and nothing else", async () => {
    await shop.withPage(match, { hash: "#turn=9", clock: true }, async (page) => {
      await page.locator(".back").press(" ");
      assert.equal(await turnOf(page), 8);
      assert.equal(await page.locator(".play").textContent(), "Play");
      await page.locator(".flip").press("ArrowLeft");
      assert.equal(await turnOf(page), 7);
    });
  });

  it("moves through everything in order, and nothing is a trap", async () => {
    await shop.withPage(match, {}, async (page) => {
      const stops = [];
      for (let i = 0; i < 20; ++i) {
        await page.keyboard.press("Tab");
        stops.push(await page.evaluate(() => document.activeElement.classList[0] ?? document.activeElement.tagName));
      }
      assert.deepEqual(stops, [
        "reveal", "piece", "start", "slider", "to-start", "earlier-moment", "back", "play", "next", "later-moment", "to-end", "turn-number",
        "speed", "flip", "sound", "share", "full", "help", "show-undone", "turn-list",
      ]);
    });
  });
});

describe("playing", () => {
  it("moves a piece cell by cell, and slides it along a ladder", async () => {
    // 3. Ann rolls 2: 4 → 6; 4. Bob rolls 5: 6 → 26, up the ladder 11 → 26
    await shop.withPage(match, { hash: "#turn=3", clock: true }, async (page) => {
      await page.locator(".next").click();
      const way = [];
      for (let i = 0; i < 70; ++i) {
        await page.clock.runFor(50);
        way.push((await piecesOf(page))[1]);
      }
      const seen = (cell) => way.findIndex(({ x, y }) => Math.hypot(x - standOn(cell).x, y - standOn(cell).y) < 30);
      const order = [6, 7, 8, 9, 10, 11, 26].map(seen);
      assert.ok(order.every((when, i) => when > (order[i - 1] ?? -1)), `${order}`);
      const sliding = way.slice(order[5], order[6]).filter(({ y }) => y < standOn(11).y - 20 && y > standOn(26).y + 20);
      assert.ok(sliding.length >= 3, "it didn't slide");
      assert.equal(await turnOf(page), 4);
      assert.deepEqual(way.at(-1), standOn(26));
    });
  });

  it("slides down a snake along its body", async () => {
    shop.snl("new", "Ann", "Bob", "--board", "class", "--id", "snake");
    shop.snlReading("Ann 6-6-3\nBob 1\nAnn 1\n", "play", "snake", "-");
    assert.match(shop.snl("replay", "snake"), /down the snake 17 → 7/);
    await shop.withPage(shop.exported("snake"), { hash: "#turn=2", clock: true }, async (page) => {
      await page.locator(".next").click();
      const spine = await page.evaluate(() => {
        const path = document.querySelector('.picture .snake[data-from="17"] .spine');
        const points = [];
        for (let i = 0; i <= 200; ++i) points.push(path.getPointAtLength((i / 200) * path.getTotalLength()));
        return points.map(({ x, y }) => ({ x, y }));
      });
      const distance = (point, other) => Math.hypot(point.x - other.x, point.y - other.y);
      const straight = ({ x, y }) => {
        const [a, b] = [standOn(17), standOn(7)];
        return Math.abs((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / distance(a, b);
      };
      let onTheWay = 0;
      let offTheLine = 0;
      for (let i = 0; i < 70; ++i) {
        await page.clock.runFor(40);
        const [ann] = await piecesOf(page);
        if (distance(ann, standOn(17)) < 60 || distance(ann, standOn(7)) < 60 || ann.y <= standOn(17).y + 5) continue;
        ++onTheWay;
        assert.ok(Math.min(...spine.map((point) => distance(point, ann))) < 9);
        if (straight(ann) > 8) ++offTheLine;
      }
      assert.ok(onTheWay >= 4 && offTheLine >= 1, `${onTheWay}, ${offTheLine}`);
    });
  });

  it("goes on to the end and pauses there; then it begins again", async () => {
    await shop.withPage(match, { hash: "#turn=33", clock: true }, async (page) => {
      await page.keyboard.press(" ");
      assert.equal(await page.locator(".play").textContent(), "Pause");
      await page.clock.runFor(20000);
      assert.equal(await turnOf(page), 37);
      assert.equal(await page.locator(".play").textContent(), "Play");
      await page.locator(".play").click();
      assert.ok((await turnOf(page)) <= 1);
      await page.clock.runFor(6000);
      const turn = await turnOf(page);
      assert.ok(turn > 1 && turn < 37);
      await page.keyboard.press("q");
      assert.equal(await page.locator(".play").textContent(), "Play");
      const paused = await turnOf(page);
      await page.clock.runFor(6000);
      assert.equal(await turnOf(page), paused);
    });
  });

  it("pauses for whoever goes turn by turn", async () => {
    await shop.withPage(match, { hash: "#turn=3", clock: true }, async (page) => {
      for (const [key, turns] of [["ArrowRight", 1], ["ArrowLeft", -1]]) {
        await page.locator(".slider").fill("3");
        await page.keyboard.press(" ");
        await page.clock.runFor(2500);
        assert.ok((await turnOf(page)) >= 4);
        const shown = await turnOf(page);
        await page.keyboard.press(key);
        assert.equal(await page.locator(".play").textContent(), "Play");
        await page.clock.runFor(9000);
        assert.equal(await turnOf(page), shown + turns);
      }
    });
  });

  it("goes on from where one seeks to", async () => {
    await shop.withPage(match, { hash: "#turn=3", clock: true }, async (page) => {
      await page.keyboard.press(" ");
      await page.keyboard.press("5");
      await page.clock.runFor(3000);
      assert.ok((await turnOf(page)) > 18);
      assert.equal(await page.locator(".play").textContent(), "Pause");
      await page.keyboard.press("Shift+G");
      assert.equal(await page.locator(".play").textContent(), "Play");
    });
  });

  it("is as fast as one likes", async () => {
    await shop.withPage(match, { clock: true }, async (page) => {
      const played = async (speed) => {
        await page.locator(".to-start").click();
        await page.locator(".speed").selectOption(speed);
        await page.locator(".play").click();
        await page.clock.runFor(4000);
        const turn = await turnOf(page);
        await page.locator(".to-end").click();
        return turn;
      };
      const [slow, normal, fast] = [await played("0.25"), await played("1"), await played("4")];
      assert.ok(slow <= 1 && normal >= 2 && normal <= 5 && fast >= 9 && fast <= 16, `${slow}, ${normal}, ${fast}`);
      assert.equal(await played("64"), 37);
    });
  });

  it("moves nothing where the reader wants no motion", async () => {
    await shop.withPage(match, { hash: "#turn=0", clock: true, reducedMotion: "reduce" }, async (page) => {
      const played = turns("match", "--from", "1", "--to", "8");
      const standing = (turn, seat) => played.filter((t) => t.turn <= turn && t.player === ["Ann", "Bob"][seat]).at(-1)?.to ?? 1;
      await page.locator(".play").click();
      const rested = new Set();
      for (let i = 0; i < 140 && (await turnOf(page)) < 8; ++i) {
        await page.clock.runFor(100);
        const turn = await turnOf(page);
        const { landed } = played[turn - 1];
        const mover = played[turn - 1].player === "Ann" ? 0 : 1;
        const cells = await cellsOf(page);
        assert.ok([standing(turn - 1, mover), standing(turn, mover)].includes(cells[mover]));
        assert.equal(cells[1 - mover], standing(turn, 1 - mover));
        const shown = (await piecesOf(page))[mover];
        const stands = [standing(turn - 1, mover), landed, standing(turn, mover)].map(standOn);
        const alone = standing(turn - 1, mover) !== cells[1 - mover] && standing(turn, mover) !== cells[1 - mover];
        if (alone && landed !== cells[1 - mover])
          assert.ok(stands.some((stand) => isDeepStrictEqual(stand, shown)), `${turn}: ${JSON.stringify(shown)}`);
        rested.add(cells.join());
      }
      assert.ok(rested.size >= 4);
    });
  });

  it("is told to who listens, but not turn by turn", async () => {
    await shop.withPage(match, { hash: "#turn=0", clock: true }, async (page) => {
      await page.evaluate(() => {
        window.said = [];
        new MutationObserver(() => window.said.push(document.querySelector(".announcer").textContent)).observe(
          document.querySelector(".announcer"),
          { childList: true },
        );
      });
      await page.locator(".speed").selectOption("16");
      await page.locator(".play").click();
      await page.clock.runFor(8000);
      assert.equal(await turnOf(page), 37);
      await page.clock.runFor(1000);
      const said = await page.evaluate(() => window.said);
      assert.equal(said[0], "Playing");
      assert.ok(said.length >= 2 && said.length <= 5, `${said.length}`);
      assert.match(said.at(-1), /^37\. Ann rolls 4: 96 → 100, wins$/);
      await page.evaluate(() => (window.said.length = 0));
      for (let i = 0; i < 10; ++i) await page.keyboard.press("h");
      await page.clock.runFor(1000);
      assert.deepEqual(await page.evaluate(() => window.said), [shop.snl("replay", "match", "--from", "27", "--to", "27").trimEnd()]);
    });
  });
});

describe("a link", () => {
  it("to a turn shows it, and what is shown can be linked to", async () => {
    await shop.withPage(match, { hash: "#turn=20" }, async (page) => {
      assert.equal(await turnOf(page), 20);
      await page.evaluate(() => (location.hash = "#turn=7"));
      await page.waitForFunction(() => document.querySelector(".turn-number").value === "7");
      await page.keyboard.press("l");
      await page.waitForFunction(() => location.hash === "#turn=8");
      await page.goBack();
      await page.waitForFunction(() => document.querySelector(".turn-number").value === "20");
    });
  });

  it("to a turn that isn't there shows the nearest; to no turn, the start", async () => {
    const links = [
      ["#turn=99999999999999999999", 37],
      ["#turn=0", 0],
      ["#turn=-3", 0],
      ["#turn=x", 0],
      ["#else", 0],
    ];
    await shop.withPage(match, {}, async (page) => {
      for (const [hash, turn] of links) {
        await page.goto("about:blank");
        await page.goto(pathToFileURL(match) + hash);
        assert.equal(await turnOf(page), turn, hash);
      }
    });
  });

  it("to a turn of a branch counts as the branch does", async () => {
    shop.snl("branch", "match", "--at", "30", "--id", "branch");
    shop.snl("roll", "branch", "-n", "3");
    await shop.withPage(shop.exported("branch"), { hash: "#turn=31" }, async (page) => {
      assert.equal(await turnOf(page), 31);
      assert.match(await page.locator(".sentence").textContent(), /^31\. /);
      await page.keyboard.press("g");
      assert.equal(await turnOf(page), 30);
      const shown = JSON.parse(shop.snl("show", "match", "--at", "30", "--json"));
      assert.deepEqual(await cellsOf(page), shown.players.map((player) => player.cell));
      assert.match(await page.locator(".facts").textContent(), /from turn 30 of match/);
    });
  });
});

describe("the board", () => {
  for (const [width, height] of [[1280, 800], [1366, 768], [1024, 768], [1920, 1080]])
    it(`covers nothing where one has scrolled to the end, on ${width} x ${height}`, async () => {
      await shop.withPage(match, { viewport: { width, height } }, async (page) => {
        for (const open of [false, true]) {
          if (open) await page.locator(".board-table summary").click();
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          const covered = await page.evaluate(() => {
            const texts = [...document.querySelectorAll(".below :is(summary, dt, dd)")];
            const hidden = (element) => {
              const { left, top, width, height } = element.getBoundingClientRect();
              if (height === 0 || top < 0 || top + height > innerHeight) return false;
              const seen = document.elementFromPoint(left + Math.min(width, 20) / 2, top + height / 2);
              return !element.contains(seen) && !seen?.contains(element);
            };
            return texts.filter(hidden).map((element) => element.textContent);
          });
          assert.deepEqual(covered, []);
        }
      });
    });

  it("stays in sight while one reads what stands beside it", async () => {
    await shop.withPage(match, { viewport: { width: 1280, height: 560 } }, async (page) => {
      await page.evaluate(() => scrollTo(0, 250));
      assert.ok((await page.locator(".picture").boundingBox()).y > 0);
    });
  });
});

describe("a game", () => {
  it("that nobody can win says so", async () => {
    shop.snl("new", "Ann", "Bob", "--cells", "20", "--sixes", "plain", "--seed", "1", "--id", "stuck",
      ...[13, 14, 15, 16, 17, 18, 19].flatMap((head) => ["--snake", `${head},3`]));
    shop.snl("roll", "stuck", "-n", "4");
    const notes = async (game, options) => {
      let seen;
      await shop.withPage(shop.exported(game), options, async (page) => {
        const note = page.locator(".chances-note");
        seen = [await note.isVisible(), await note.textContent()];
        assert.deepEqual(await page.locator(".player-rows .percent").allTextContents(), ["0.0 %", "0.0 %"]);
      });
      return seen;
    };
    for (const options of [{}, { hash: "#turn=0" }, { javaScriptEnabled: false }])
      assert.deepEqual(await notes("stuck", options), [true, "Nobody can win any more: from where the pieces stand, no dice lead to the last cell."]);
  });

  it("that may never end says so as long as it may", async () => {
    // From cell 12 on six snakes in a row can't be passed with a die of six; the ladder leads over them.
    shop.snl("new", "Ann", "Bob", "--cells", "30", "--sixes", "plain", "--id", "risky", "--ladder", "2,28",
      ...[13, 14, 15, 16, 17, 18].flatMap((head) => ["--snake", `${head},3`]));
    shop.snlReading("Ann 1\nBob 2\nAnn 1\nBob 2\n", "play", "risky", "-");
    await shop.withPage(shop.exported("risky"), { hash: "#turn=0" }, async (page) => {
      const note = page.locator(".chances-note");
      assert.match(await note.textContent(), /less than 100 %/);
      await page.keyboard.press("Shift+G");
      assert.equal(await note.isVisible(), false);
    });
  });

  it("of no turns yet has a page too", async () => {
    shop.snl("new", "Ann", "Bob", "--id", "fresh");
    await shop.withPage(shop.exported("fresh"), {}, async (page) => {
      assert.equal(await turnOf(page), 0);
      for (const key of [" ", "l", "h", "]", "[", "5", "G"]) await page.keyboard.press(key);
      assert.equal(await turnOf(page), 0);
      assert.match(await page.locator("header p").textContent(), /Ann to move after 0 turns/);
    });
  });

  it("of ten players off a tiny board has a place for each piece", async () => {
    const names = [..."abcdefghij"];
    shop.snl("new", ...names, "--cells", "2", "--start", "0", "--faces", "2", "--id", "crowd");
    await shop.withPage(shop.exported("crowd"), {}, async (page) => {
      const pieces = await piecesOf(page);
      assert.equal(new Set(pieces.map(({ x }) => x)).size, 10);
      assert.ok(pieces.every(({ x, y }) => x > 0 && x < 200 && y > 100 && y < 210));
      assert.deepEqual(await page.locator(".player-rows .cell").allTextContents(), names.map(() => "off the board"));
      const badges = await page.locator(".graph .now circle").evaluateAll((all) => all.map((badge) => badge.getBoundingClientRect().toJSON()));
      assert.equal(badges.length, 10);
      for (const [i, one] of badges.entries())
        for (const other of badges.slice(i + 1))
          assert.ok(Math.abs(one.x - other.x) >= 18 || Math.abs(one.y - other.y) >= 18, "badges hide one another");
      // … all near the place that they share
      const [left, right] = [Math.min(...badges.map(({ x }) => x)), Math.max(...badges.map(({ right }) => right))];
      assert.ok(right - left < 90, `${right - left}`);
    });
  });
});

const hostile = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(2)</script>",
  "</style></noscript></title></svg><script>alert(3)//",
  "<!--<script>",
  "\"'&amp;&#x3c;b>{{script}}",
  "\u2028alert(4)\u2029",
  "\u202Edrowssap",
  "${alert(5)}\\u003cb",
  "-",
  "👩‍👩‍👧".repeat(8),
];

describe("names", () => {
  it("of any kind are text and nothing else", async () => {
    shop.snl("new", "--id", "hostile", "--board", "class", "--seed", "8", "--", ...hostile);
    shop.snl("roll", "hostile", "-n", "25");
    shop.snl("undo", "hostile", "-n", "3");
    // Characters that would reverse or break a line are shown as text, as snl shows them. Those that join emoji join them.
    const shown = hostile.map((name) => name.replace(/[\u2028\u2029\u202E]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`));
    await shop.withPage(shop.exported("hostile"), {}, async (page) => {
      assert.deepEqual(await page.locator("h1 bdi").allTextContents(), shown);
      assert.deepEqual(await page.locator(".player-rows bdi").allTextContents(), shown);
      await page.locator(".show-undone").check();
      for (let turn = 0; turn < 22; ++turn) await page.locator(".slider").fill(String(turn));
      const elements = await page.evaluate(() => [document.images.length, document.scripts.length, document.querySelectorAll("style").length]);
      assert.deepEqual(elements, [0, 3, 1]);
      await page.locator("summary").first().click();
      await page.locator(".slider").fill("22");
      const table = await page.locator(".cell-rows b bdi").allTextContents();
      assert.deepEqual(table.sort(), [...shown].sort());
    });
    const html = shop.html("hostile");
    assert.equal(html.match(/<script/gi).length, 3);
    assert.ok(!/[\u2028\u2029\u202E]/.test(html));
  });
});

describe("the policy", () => {
  it("lets nothing leave, and nothing in that isn't the page's own", async () => {
    const asked = [];
    let html = readFileSync(match, "utf8");
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.setHeader("content-type", request.url === "/" ? "text/html" : "text/plain");
      response.end(request.url === "/" ? html : "");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${server.address().port}/`;
    const context = await shop.context();
    try {
      const page = await context.newPage();
      await page.goto(url);
      await page.keyboard.press("5");
      await page.waitForTimeout(300);
      assert.deepEqual(asked, ["/"]);
      assert.deepEqual(context.faults, []);
      // The same page, after somebody has put scripts into it.
      asked.length = 0;
      html = html.replace(
        "</header>",
        `<script>window.injected = 1</script><style>h1 { display: none }</style><p id="p" style="color: red">
         <img src="/picture" onerror="window.injected = 2"><link rel="stylesheet" href="/sheet.css"><script src="/script.js"></script>
         <iframe src="/frame"></iframe><object data="/object"></object><form action="/form"><button id="send">send</button></form>
         <base href="http://elsewhere.invalid/"><svg onload="window.injected = 3"></svg></header>`,
      );
      await page.goto(`${url}`);
      const tried = await page.evaluate(async () => {
        const refused = async (what) => {
          try {
            await what();
            return "done";
          } catch {
            return "refused";
          }
        };
        return {
          injected: window.injected,
          heading: getComputedStyle(document.querySelector("h1")).display,
          colour: getComputedStyle(document.getElementById("p")).color,
          base: document.baseURI,
          fetch: await refused(() => fetch("/fetched")),
          markup: await refused(() => (document.querySelector("h1").innerHTML = "<b>x</b>")),
          code: await refused(() => new Promise((resolve, reject) => setTimeout(() => {
            try {
              resolve(new Function("return 1")());
            } catch (error) {
              reject(error);
            }
          }))),
          worker: await refused(() => new Promise((resolve, reject) => {
            const worker = new Worker("data:text/javascript,postMessage(1)");
            worker.onmessage = resolve;
            worker.onerror = reject;
          })),
        };
      });
      assert.equal(tried.injected, undefined);
      assert.equal(tried.heading, "block");
      assert.notEqual(tried.colour, "rgb(255, 0, 0)");
      assert.equal(tried.base, url);
      assert.deepEqual([tried.fetch, tried.markup, tried.code, tried.worker], ["refused", "refused", "refused", "refused"]);
      await page.evaluate(() => document.getElementById("send").click());
      while (context.faults.length <= 5) await page.waitForTimeout(10); // until the browser has reported all that it refused
      await page.waitForTimeout(200);
      assert.deepEqual(asked, ["/"]);
      assert.equal(await turnOf(page), 0); // and the page itself still works
    } finally {
      await context.close();
      server.close();
    }
  });

  it("stands before anything that it is to govern", () => {
    const html = readFileSync(match, "utf8");
    assert.ok(html.indexOf("Content-Security-Policy") < html.search(/<(style|script|link|title)/));
    assert.ok(!/\son\w+\s*=|\sstyle\s*=|javascript:/i.test(html.slice(0, html.indexOf("<script"))));
  });
});

describe("without a script", () => {
  it("the page has the final board, both tables and every turn", async () => {
    await shop.withPage(match, { javaScriptEnabled: false }, async (page) => {
      assert.equal(await page.locator(".piece").count(), 2);
      assert.ok(await page.locator(".piece").first().isVisible());
      assert.deepEqual(await page.locator(".player-rows .cell").allTextContents(), ["100", "88"]);
      assert.deepEqual(await page.locator(".player-rows .status").allTextContents(), ["winner", ""]);
      const listed = await page.locator(".told-turns li").allTextContents();
      assert.deepEqual(listed, shop.snl("replay", "match", "--undone").trimEnd().split("\n"));
      assert.equal(await page.locator(".playback").isVisible(), false);
      assert.equal(await page.locator(".chances").isVisible(), false);
      await page.locator("summary").first().click();
      const cells = (await page.locator(".cell-rows td").allTextContents()).map((text) => text.trim());
      assert.equal(cells[0], "100Ann");
      assert.equal(cells[83], "17snake to 7");
      assert.equal(cells.length, 100);
      const head = JSON.parse(shop.snl("show", "match", "--json")).head;
      assert.ok((await page.locator(".facts").textContent()).includes(`snl audit match --expect ${head}`));
    });
  });

  it("pieces stand where the script would put them", async () => {
    shop.snl("new", "a", "b", "c", "d", "--board", "lld", "--seed", "2", "--id", "four");
    shop.snl("roll", "four", "-n", "3");
    shop.snlReading("d 1\n", "play", "four", "-");
    let alone;
    await shop.withPage(shop.exported("four"), { javaScriptEnabled: false }, async (page) => {
      alone = await page.locator(".piece .disc").evaluateAll((discs) => discs.map((disc) => Object.values(disc.getBoundingClientRect().toJSON()).map(Math.round)));
    });
    await shop.withPage(shop.exported("four"), {}, async (page) => {
      await page.keyboard.press("End");
      const scripted = await page.locator(".piece .disc").evaluateAll((discs) => discs.map((disc) => Object.values(disc.getBoundingClientRect().toJSON()).map(Math.round)));
      assert.deepEqual(scripted, alone);
    });
  });
});

describe("on paper", () => {
  it("there is the board, the list whole, and nothing to press; in the light", async () => {
    await shop.withPage(match, { colorScheme: "dark" }, async (page) => {
      assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
      await showAs(page, "print");
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
      assert.equal(await page.locator(".turn-list li").count(), 38);
      assert.equal(await page.locator(".playback").isVisible(), false);
      assert.ok(await page.locator(".picture").isVisible());
      const rows = await page.locator(".turn-list li").evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON()));
      for (const [i, row] of rows.entries())
        for (const other of rows.slice(i + 1))
          assert.ok(row.right <= other.left + 1 || other.right <= row.left + 1 || row.bottom <= other.top + 1 || other.bottom <= row.top + 1);
      assert.ok(await page.locator(".turn-list .words").evaluateAll((all) => all.every((words) => words.scrollWidth <= words.clientWidth)));
      const paper = await page.pdf();
      assert.ok(paper.length > 10000);
      await showAs(page, "screen");
      assert.ok((await page.locator(".turn-list li").count()) < 38);
    });
  });

  it("a board for a wall is one sheet, as large as was asked", async () => {
    for (const [paper, size] of [["a4", [595, 842]], ["letter", [612, 792]]]) {
      const path = join(shop.folder, `${paper}.svg`);
      shop.snl("board", "show", "class", "--svg", "--paper", paper, "-o", path);
      await shop.withPage(path, {}, async (page) => {
        const printed = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
        const sheets = [...printed.matchAll(/\/MediaBox \[0 0 (\S+) (\S+)\]/g)].map(([, ...sides]) => sides.map((side) => Math.round(side)));
        assert.deepEqual(sheets, [size]);
      });
    }
  });

  it("10,000 turns are all there", async () => {
    const snakes = [94, 95, 96, 97, 98, 99].flatMap((head) => ["--snake", `${head},${head - 90}`]);
    shop.snl("new", "Ann", "Bob", "--cells", "100", ...snakes, "--sixes", "plain", "--seed", "4", "--id", "reams");
    shop.snl("roll", "reams", "--all", "--max-turns", "10000");
    await shop.withPage(shop.exported("reams"), {}, async (page) => {
      const pages = (await page.pdf()).toString("latin1").match(/\/Type \/Page\b/g).length;
      assert.ok(pages > 30, `${pages} pages`); // tests/bench --page measures the time
      await showAs(page, "print");
      assert.equal(await page.locator(".turn-list li").count(), 10_001); // including the start
    });
  });
});

describe("a gesture", () => {
  it("of the wheel over the controls steps, and scrolls elsewhere", async () => {
    await shop.withPage(match, { hash: "#turn=9", clock: true, viewport: { width: 1280, height: 500 } }, async (page) => {
      await page.locator(".sentence").hover();
      await page.mouse.wheel(0, 120);
      await page.waitForFunction(() => document.querySelector(".turn-number").value === "10");
      await page.mouse.wheel(0, -120);
      await page.waitForFunction(() => document.querySelector(".turn-number").value === "9");
      assert.equal(await page.evaluate(() => scrollY), 0);
      await page.locator(".picture").hover();
      await page.mouse.wheel(0, 120);
      await page.waitForFunction(() => scrollY > 0);
      assert.equal(await turnOf(page), 9);
    });
  });

  it("of a finger across the board steps, along it doesn't", async () => {
    await shop.withPage(match, { hash: "#turn=9", clock: true }, async (page) => {
      const swipe = (dx, dy, pointerType = "touch") =>
        page.locator(".stage").evaluate((stage, [dx, dy, pointerType]) => {
          const options = { pointerType, isPrimary: true, bubbles: true };
          stage.dispatchEvent(new PointerEvent("pointerdown", { ...options, clientX: 300, clientY: 300 }));
          stage.dispatchEvent(new PointerEvent("pointerup", { ...options, clientX: 300 + dx, clientY: 300 + dy }));
        }, [dx, dy, pointerType]);
      for (const [dx, dy, pointerType, turn] of [[-90, 10, "touch", 10], [90, 0, "touch", 9], [20, 0, "touch", 9], [60, 90, "touch", 9], [-90, 0, "mouse", 9]]) {
        await swipe(dx, dy, pointerType);
        assert.equal(await turnOf(page), turn, `${dx}, ${dy}, ${pointerType}`);
      }
    });
  });

  it("that holds a button goes on until it is let go", async () => {
    await shop.withPage(match, { hash: "#turn=9", clock: true }, async (page) => {
      await page.locator(".next").hover();
      await page.mouse.down();
      await page.clock.runFor(1000);
      const turn = await turnOf(page);
      assert.ok(turn >= 12 && turn <= 17, `${turn}`);
      await page.mouse.up(); // no click, after so long
      await page.clock.runFor(3000);
      assert.equal(await turnOf(page), turn);
      await page.locator(".next").click();
      assert.equal(await turnOf(page), turn + 1);
    });
  });
});

describe("what is pointed at", () => {
  it("is one stop of Tab, and arrows go between pieces, snakes and ladders", async () => {
    await shop.withPage(match, { hash: "#turn=31", reducedMotion: "reduce" }, async (page) => {
      assert.equal(await page.locator('.picture [tabindex="0"]').count(), 1);
      await page.locator('.picture [tabindex="0"]').focus();
      const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
      const detail = () => page.locator(".detail").textContent();
      assert.equal(await focused(), "Ann on 92, 62.2 %");
      assert.equal(await detail(), "Ann on 92, 62.2 %");
      await page.keyboard.press("ArrowRight");
      assert.equal(await focused(), "Bob on 80, 37.8 %");
      await page.keyboard.press("ArrowDown");
      assert.equal(await focused(), "Ladder 3 → 22");
      assert.equal(await detail(), "Ladder 3 → 22");
      await page.keyboard.press("End");
      assert.equal(await focused(), "Snake 98 → 79");
      assert.equal(await page.locator(".turn-number").inputValue(), "31");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.closest(".picture")), null);
      await page.keyboard.press("Shift+Tab");
      assert.equal(await focused(), "Snake 98 → 79");
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowLeft");
      assert.equal(await focused(), "Ann on 92, 62.2 %");
    });
  });

  it("is told, and all else is dimmed", async () => {
    await shop.withPage(match, { hash: "#turn=31", reducedMotion: "reduce" }, async (page) => {
      const pointed = async (selector) => {
        await page.locator(selector).first().dispatchEvent("pointerover");
        return page.locator(".detail").textContent();
      };
      const opacity = (selector) => page.locator(selector).first().evaluate((element) => Number(getComputedStyle(element).opacity));
      assert.equal(await pointed('.snake[data-from="54"]'), "Snake 54 → 34");
      assert.equal(await opacity('.snake[data-from="54"]'), 1);
      assert.ok((await opacity('.snake[data-from="98"]')) < 0.5 && (await opacity(".piece")) < 0.5);
      assert.equal(await pointed('.ladder[data-from="3"]'), "Ladder 3 → 22");
      assert.equal(await pointed(".piece.p0"), "Ann on 92, 62.2 %");
      assert.equal(await opacity(".line.p0"), 1);
      assert.ok((await opacity(".line.p1")) < 0.5);
      assert.equal(await pointed(".line.p1"), "Bob on 80, 37.8 %");
      assert.equal(await pointed(".turn-list li[aria-current]"), "Ann rolls 6-6-2: 78 → 92");
      assert.equal(await opacity(".piece.p0"), 1);
      assert.equal(await pointed("h1"), "");
      assert.equal(await opacity(".line.p1"), 1);
    });
  });

  it("is a power, with what it does", async () => {
    shop.snl("new", "Ann", "Bob", "--board", "party", "--id", "powers");
    await shop.withPage(shop.exported("powers"), { reducedMotion: "reduce" }, async (page) => {
      const label = await page.locator('.power[data-power="again"]').first().getAttribute("aria-label");
      assert.match(label, /^Cell \d+, again: end here and move again$/);
      await page.locator('.power[data-power="again"]').first().click();
      assert.equal(await page.locator(".detail").textContent(), label);
      assert.equal(await page.locator('.power[tabindex]').count(), await page.locator(".power").count());
      assert.match(await page.locator('.power[data-power="skip"]').first().getAttribute("aria-label"), /end here and miss [12] turns?$/);
      await page.locator(".flip").click();
      assert.match(await page.locator(".power text").first().evaluate((text) => getComputedStyle(text).transform), /^matrix\(1, 0, 0, -1,/);
    });
  });

  it("is called what it is at the turn that is shown", async () => {
    await shop.withPage(match, { reducedMotion: "reduce" }, async (page) => {
      const labels = () => page.locator(".piece").evaluateAll((pieces) => pieces.map((piece) => piece.getAttribute("aria-label")).sort());
      assert.deepEqual(await labels(), ["Ann on 1, 51.3 %", "Bob on 1, 48.7 %"]);
      await page.locator(".piece.p0").dispatchEvent("pointerover");
      await page.keyboard.press("End");
      assert.deepEqual(await labels(), ["Ann on 100, 100.0 %", "Bob on 88, 0.0 %"]);
      assert.equal(await page.locator(".detail").textContent(), "Ann on 100, 100.0 %");
    });
  });

  it("tells nothing of a turn that is still to be told", async () => {
    await shop.withPage(match, { hash: "#turn=36", clock: true }, async (page) => {
      await page.keyboard.press(" ");
      for (const [selector, detail] of [[".piece.p0", "Ann on 96, 65.7 %"], [".turn-list li:last-child", "Bob rolls 5: 83 → 88"], [".line.p0", "Ann on 96, 65.7 %"]]) {
        await page.locator(selector).dispatchEvent("pointerover");
        assert.equal(await page.locator(".detail").textContent(), detail, selector);
      }
    });
  });
});

describe("a large board", () => {
  it("comes nearer by the wheel, two fingers and keys, and moves; a small one doesn't", async () => {
    const board = join(shop.folder, "fifteen.json");
    writeFileSync(board, shop.snl("board", "random", "--size", "15", "--snakes", "5", "--ladders", "5", "--seed", "2"));
    shop.snl("new", "Ann", "Bob", "--board", board, "--id", "fifteen");
    await shop.withPage(shop.exported("fifteen"), {}, async (page) => {
      const view = () => page.locator(".picture").getAttribute("viewBox").then((box) => box.split(" ").map(Number));
      const box = await page.locator(".picture").boundingBox();
      const corner = [box.x + box.width - 20, box.y + 20];
      await page.mouse.move(...corner);
      await page.mouse.wheel(0, -100);
      await page.waitForFunction(() => document.querySelector(".picture").viewBox.baseVal.width < 1300);
      const [x, y, width] = await view();
      assert.ok(Math.abs(width - 1250) < 1 && x > 200 && y < 20, `${x} ${y} ${width}`);
      await page.mouse.move(corner[0] - 200, corner[1]);
      await page.mouse.down();
      await page.mouse.move(corner[0] - 150, corner[1] + 10);
      await page.mouse.up();
      assert.ok((await view())[0] < x - 50, `${await view()}`);
      for (let i = 0; i < 9; ++i) await page.keyboard.press("z");
      assert.equal((await view())[2], 1500 / 8);
      for (let i = 0; i < 9; ++i) await page.keyboard.press("Z");
      assert.deepEqual(await view(), [0, 0, 1500, 1500]);
      await page.locator(".picture").evaluate((picture) => {
        const finger = (type, pointerId, clientX) => picture.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY: 300, bubbles: true }));
        finger("pointerdown", 1, 300);
        finger("pointerdown", 2, 400);
        finger("pointermove", 2, 500);
        finger("pointerup", 1, 300);
        finger("pointerup", 2, 500);
      });
      assert.ok(Math.abs((await view())[2] - 750) < 30, `${await view()}`);
    });
    await shop.withPage(match, {}, async (page) => {
      await page.keyboard.press("z");
      assert.equal(await page.locator(".picture").getAttribute("viewBox"), "0 0 1000 1000");
    });
  });
});

describe("on any screen", () => {
  const inside = async (page, selector, height) => {
    const { y, height: own } = await page.locator(selector).boundingBox();
    return y >= 0 && y + own <= height + 1;
  };
  for (const [width, height, least, phone] of [[1280, 800, 300], [1920, 1080, 600], [844, 390, 50, { hasTouch: true, isMobile: true }]])
    it(`the turns stand beside the board and end on the screen, whatever is shown, on ${width} x ${height}`, async () => {
      const ten = "ten." + width;
      shop.snl("new", ..."abcdefghij", "--board", "class", "--seed", "2", "--id", ten);
      shop.snl("roll", ten, "--all");
      for (const path of [match, shop.exported(ten)])
        await shop.withPage(path, { viewport: { width, height }, clock: true, ...phone }, async (page) => {
          const look = async (when) => {
            const [board, list] = [await page.locator(".picture").boundingBox(), await page.locator(".turn-list").boundingBox()];
            assert.ok(list.x >= board.x + board.width && list.height >= least, `${when}: ${JSON.stringify(list)}`);
            assert.ok((await inside(page, ".turn-list", height)) && (await inside(page, ".turns", height)), `${when}: ${JSON.stringify(list)}`);
            const row = await page.locator(".turn-list [aria-current]").boundingBox();
            assert.ok(row.y >= list.y - 1 && row.y + row.height <= list.y + list.height + 1, `${when}: ${JSON.stringify([row, list])}`);
            for (const part of [".picture", ".playback"]) assert.ok(await inside(page, part, height), `${when}: ${part}`);
          };
          await look("at the start, the result hidden");
          await page.keyboard.press(" ");
          await page.clock.runFor(9000);
          await look("under way");
          await page.keyboard.press("q");
          await page.keyboard.press("r");
          await look("with the result");
          await page.keyboard.press("End");
          await page.clock.runFor(1000);
          await look("at the end");
          assert.equal(await page.evaluate(() => scrollY), 0);
        });
    });

  it("nothing of a player is wider than its card, however long the names are", async () => {
    shop.snl("new", "Wolfgang Wumm Wimmer", "W".repeat(20), "W".repeat(60), "Ann", "--board", "milton-bradley", "--seed", "2", "--id", "widest");
    shop.snl("roll", "widest", "-n", "7");
    const path = shop.exported("widest");
    for (const [width, height] of [[320, 640], [390, 844], [844, 390], [1024, 768], [1280, 800], [1920, 1080]])
      await shop.withPage(path, { viewport: { width, height } }, async (page) => {
        for (const turn of [0, 7]) {
          await page.locator(".slider").fill(String(turn));
          const beyond = await page.locator(".players").evaluate((card) => {
            const { left, right } = card.getBoundingClientRect();
            const { paddingLeft, paddingRight } = getComputedStyle(card);
            return [...card.querySelectorAll("*")]
              .filter((part) => part.getClientRects().length > 0)
              .map((part) => [part.tagName, part.className, part.textContent.slice(0, 20), part.getBoundingClientRect()])
              .filter(([, , , box]) => box.left < left + parseFloat(paddingLeft) - 1 || box.right > right - parseFloat(paddingRight) + 1);
          });
          assert.deepEqual(beyond, [], `${width} x ${height}, turn ${turn}`);
          for (const name of await page.locator(".player-rows bdi").all()) assert.ok((await name.boundingBox()).width > 30, `${width}`);
          const lines = await page.locator(".player-rows .status").evaluateAll((cells) => cells.map((cell) => {
            const words = document.createRange();
            words.selectNodeContents(cell);
            return new Set([...words.getClientRects()].map((box) => box.top)).size;
          }));
          assert.deepEqual([...lines].sort(), [0, 0, 0, 1], `${width} x ${height}: "to move" stands in one line`);
        }
      });
  });

  it("a phone that lies shows the board and the controls", async () => {
    await shop.withPage(match, { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }, async (page) => {
      for (const part of [".picture", ".slider", ".buttons", ".sentence"]) assert.ok(await inside(page, part, 390), part);
      assert.ok((await page.locator(".picture").boundingBox()).height > 300);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });
  });

  it("1920 x 1080 is used", async () => {
    await shop.withPage(match, { viewport: { width: 1920, height: 1080 } }, async (page) => {
      assert.ok((await page.locator(".picture").boundingBox()).width > 880);
      const { x, width } = await page.locator(".turns").boundingBox();
      assert.ok(x + width > 1800);
    });
  });

  it("?embed is as compact as 500 x 400, and larger", async () => {
    for (const [width, height] of [[500, 400], [640, 440], [400, 600]]) {
      const context = await shop.context({ viewport: { width, height } });
      try {
        const page = await context.newPage();
        await page.goto(`${pathToFileURL(match)}?embed#turn=31`);
        for (const part of [".picture", ".slider", ".play", ".sentence"]) assert.ok(await inside(page, part, height), `${part} on ${width}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight));
        assert.equal(await page.locator(".players").isVisible(), false);
        await page.locator(".back").click();
        assert.equal(await turnOf(page), 30);
        assert.deepEqual(context.faults, []);
      } finally {
        await context.close();
      }
    }
  });
});

describe("on a phone", () => {
  it("the players' table is as narrow as the screen, with pieces that are off the board too", async () => {
    shop.snl("new", ..."abcdefghij", "--board", "milton-bradley", "--id", "waiting");
    await shop.withPage(shop.exported("waiting"), { viewport: { width: 320, height: 640 } }, async (page) => {
      const box = await page.locator(".players table").boundingBox();
      assert.ok(box.x + box.width <= 320, `${box.x + box.width}`);
    });
  });

  it("nothing is wider than the screen, and buttons are as large as a finger", async () => {
    writeFileSync(join(shop.folder, "wide.txt"), `[Id "wide"]\n[Player "${"W".repeat(200)}"]\n[Player "Bob"]\n\nBob 3\n`.replace("\nBob 3", ""));
    shop.snl("import", join(shop.folder, "wide.txt"));
    shop.snl("roll", "wide", "-n", "5");
    for (const path of [match, shop.exported("wide")])
      await shop.withPage(path, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }, async (page) => {
        for (const summary of await page.locator("summary").all()) await summary.click();
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 320, `${width}`);
        assert.ok((await page.locator(".picture").boundingBox()).y < 200);
        const rows = page.locator(".player-rows tr");
        for (const row of await rows.all()) assert.ok((await row.boundingBox()).height < 80);
        // Each turn can be read in full, except for a long name.
        await page.locator(".turn-list").scrollIntoViewIfNeeded();
        assert.deepEqual(await page.locator(".turn-list .words").evaluateAll((all) =>
          all.filter((words) => words.scrollHeight > words.clientHeight || words.scrollWidth > words.clientWidth).map((words) => words.textContent)), []);
        for (const button of await page.locator(".buttons button").all()) {
          const { width, height } = await button.boundingBox();
          assert.ok(width >= 32 && height >= 44, `${width} x ${height}`);
        }
      });
  });
});
