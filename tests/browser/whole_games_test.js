// Goal: people can play whole games in browsers, and prove them: across a lost network, over plain http, and by
// keyboard alone. Method: a real server, and a browser for each person. The games are played at the same time, since
// their pages mostly wait for dice to fall.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { mayRoll, ownAddress, phone, playToTheEnd, roll, says, Site, startOpenGame, takeSeat, whileHidden, words } from "./serving.js";

let site;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Kills the server of a site at any moment, and starts it again. */
async function killed(of, test) {
  const after = Math.round(500 + 4000 * Math.random());
  test.diagnostic(`the server is killed after ${after} ms`);
  await pause(after);
  await of.stop("SIGKILL");
  await pause(500);
  await of.start(of.port);
}

/** Verifies an ended game, in whose dice this browser had a say. */
async function proveDice(page) {
  await page.locator(".snl.ended").waitFor();
  await page.getByRole("button", { name: "Verify the dice" }).click();
  await page.locator(".verdict", { hasText: "The dice were made with this browser’s own random number" }).waitFor();
}

before(async () => (site = await Site.open()));
after(() => site.close());

describe("whole games", { concurrency: true }, () => {
  describe("three browsers in one game", () => {
    it("play it on two phones and watch it, one of them ten seconds without a network", async () => {
      await site.withPeople([phone, phone, {}], async (ann, bob, cyd) => {
        const path = await startOpenGame(ann, site, { name: "Ann" });
        await says(ann, "Waiting for one more player");
        await Promise.all([bob.goto(site.url + path), cyd.goto(site.url + path)]);
        await takeSeat(bob, "Bob");
        for (const page of [ann, bob, cyd]) await page.locator(".snl.live").waitFor();
        await says(ann, "It is your turn.");
        await says(bob, "It is Ann’s turn.");
        await says(cyd, "You are watching.");
        await roll(ann).click();
        await says(bob, "It is your turn.");
        await bob.context().setOffline(true);
        await bob.locator(".connection", { hasText: "The connection is lost" }).waitFor();
        await roll(bob).click(); // the page sends it once there is a network again
        await bob.waitForTimeout(10_000);
        assert.equal(await words(ann).textContent(), "It is Bob’s turn.");
        const isTold = bob.locator(".connection", { hasText: "Connected again" }).waitFor(); // it is shown for some seconds
        await bob.context().setOffline(false);
        await says(ann, "It is your turn.");
        await isTold;
        const state = (await site.api("GET", `/api${path.replace("/g/", "/games/")}`)).body;
        assert.equal(state.turn, 2, "the click counts once");
        await playToTheEnd([ann, bob]);
        for (const page of [ann, bob, cyd]) await page.locator(".snl.ended").waitFor();
        const shown = await Promise.all([ann, bob, cyd].map((page) => page.locator(".turn-list").evaluate((list) => list.textContent)));
        assert.equal(shown[1].slice(-40), shown[0].slice(-40));
        for (const page of [ann, bob]) {
          await page.getByRole("button", { name: "Verify the dice" }).click();
          await page.locator(".verdict", { hasText: "Proved:" }).waitFor();
          const verdict = await page.locator(".verdict").textContent();
          assert.match(verdict, /Version 1 is the one whose hash this browser was told/);
          assert.match(verdict, /promised to this browser before any seat showed/);
          assert.match(verdict, /The dice were made with this browser’s own random number/);
          assert.match(verdict, /versions that this browser saw being played are still the same/);
        }
      });
    });
  });

  describe("a page over plain http from another address", () => {
    it("plays a game and proves it, without what browsers keep from it", async () => {
      const open = await Site.open(ownAddress());
      try {
        await open.withPeople([phone, {}], async (ann, bob) => {
          const path = await startOpenGame(ann, open, { name: "Ann" });
          assert.equal(await ann.evaluate(() => isSecureContext), false);
          await bob.goto(open.url + path);
          await takeSeat(bob, "Bob");
          await says(ann, "It is your turn.");
          await playToTheEnd([ann, bob]);
          await ann.getByRole("button", { name: "Verify the dice" }).click();
          await ann.locator(".verdict", { hasText: "The dice were made with this browser’s own random number" }).waitFor();
        });
      } finally {
        await open.close();
      }
    });
  });

  describe("three people and two computers", () => {
    it("play a game to its end and prove it, though one leaves for good and the server is killed at any moment", async (test) => {
      const open = await Site.open("127.0.0.1", ["--limit", "auto=300"]);
      const kill = () => killed(open, test);
      try {
        await open.withPeople([phone, phone, {}], async (ann, bob, cyd) => {
          const { body } = await open.api("POST", "/api/games", { body: { open: 5, board: "geeks30", pace: 5 } });
          const address = `${open.url}/g/${body.id}`;
          await Promise.all([ann.goto(`${address}#host=${body.token}`), bob.goto(address), cyd.goto(address)]);
          await takeSeat(ann, "Ann");
          await takeSeat(bob, "Bob");
          await takeSeat(cyd, "Cyd");
          await says(ann, "Waiting for 2 more players");
          await ann.locator(".add-computer").click();
          await says(ann, "Waiting for one more player");
          await whileHidden(cyd, async () => {
            await ann.locator(".add-computer").click(); // the last seat: Cyd's tab is hidden while the dice are drawn
            await says(ann, "It is your turn.");
          });
          assert.equal((await open.api("GET", `/api/games/${body.id}`)).body.redraws, 0);
          await Promise.all([playToTheEnd([ann, bob]), cyd.close(), kill().then(kill)]);
          await Promise.all([ann, bob].map(proveDice));
          const commits = open.snl("log", body.id, "--json").trim().split("\n").map((line) => JSON.parse(line));
          const by = new Set(commits.map(({ command }) => JSON.stringify(command).replace(/^.*\[2,"(\w+)"\].*$/, "$1")));
          for (const who of ["computer", "pace"]) assert.ok(by.has(who), `${[...by].slice(0, 5)}`);
          open.snl("audit", body.id);
        });
      } finally {
        await open.close();
      }
    });
  });

  describe("people who come and go", () => {
    it("leave, are away and come back, though the server is killed meanwhile", async (test) => {
      const open = await Site.open();
      const whileKilled = (act) => Promise.all([killed(open, test), pause(4000 * Math.random()).then(act)]);
      try {
        await open.withPeople([phone, {}, {}], async (ann, bob, cyd) => {
          const { body } = await open.api("POST", "/api/games", { body: { open: 3, board: "milton-bradley", pace: 5 } });
          const address = `${open.url}/g/${body.id}`;
          const autoOf = async (name) => (await open.api("GET", `/api/games/${body.id}`)).body.seats.find((seat) => seat.name === name).auto;
          await ann.goto(`${address}#host=${body.token}`);
          await takeSeat(ann, "Ann");
          await bob.goto(address);
          await takeSeat(bob, "Bob");
          await says(ann, "Waiting for one more player");
          await whileKilled(() => bob.getByRole("button", { name: "Leave: Bob" }).click());
          await says(ann, "Waiting for 2 more players");
          await takeSeat(bob, "Bob");
          await says(ann, "Waiting for one more player");
          await cyd.goto(address);
          await whileHidden(bob, async () => {
            await whileKilled(() => takeSeat(cyd, "Cyd")); // the last seat: Bob's tab is hidden while the dice are drawn
            await says(ann, "It is your turn.");
          });
          assert.equal((await open.api("GET", `/api/games/${body.id}`)).body.redraws, 0);
          await cyd.close();
          const rollUntil = async (isOver) => {
            while (!(await isOver())) {
              for (const page of [ann, bob]) if (await mayRoll(page)) await roll(page).click();
              await pause(100);
            }
          };
          await killed(open, test);
          await rollUntil(async () => (await autoOf("Cyd")) === "away");
          const again = await cyd.context().newPage();
          await again.goto(address);
          await whileKilled(() => again.getByRole("button", { name: "I’m back" }).click());
          await rollUntil(async () => (await autoOf("Cyd")) === null);
          await rollUntil(() => mayRoll(again));
        });
      } finally {
        await open.close();
      }
    });
  });

  describe("two friends", () => {
    it("play three games, though a third never sends its entropy, the host hands on and the server is killed again and again", async (test) => {
      const open = await Site.open("127.0.0.1", ["--limit", "draw=3"]);
      const players = async (page) => (await open.api("GET", new URL(page.url()).pathname.replace("/g/", "/api/games/"))).body.players.map(({ name }) => name);
      try {
        await open.withPeople([phone, {}], async (ann, bob) => {
          const { body } = await open.api("POST", "/api/games", { body: { open: 3, board: "geeks30" } });
          await ann.goto(`${open.url}/g/${body.id}#host=${body.token}`);
          await bob.goto(`${open.url}/g/${body.id}`);
          await takeSeat(ann, "Ann");
          await says(ann, "Waiting for 2 more players");
          await takeSeat(bob, "Bob");
          await says(ann, "Waiting for one more player");
          await open.api("POST", `/api/games/${body.id}/seats`, { body: { name: "Cyd", entropy_hash: "ab".repeat(32) } });
          await says(ann, "The dice are being drawn");
          await killed(open, test); // before or after Cyd's seat is given up
          await says(ann, "Waiting for one more player");
          await ann.getByRole("button", { name: "Make host: Bob" }).click();
          await ann.locator(".question-dialog").getByRole("button", { name: "Make host" }).click();
          await bob.getByRole("button", { name: "Start now" }).click();
          await says(ann, "It is your turn.");
          for (const [order, first, second] of [
            [["Ann", "Bob"], ann, bob],
            [["Bob", "Ann"], bob, ann],
            [["Ann", "Bob"], null, null],
          ]) {
            await Promise.all([playToTheEnd([ann, bob]), killed(open, test)]);
            await Promise.all([ann, bob].map(proveDice));
            assert.deepEqual(await players(ann), order);
            if (!first) break;
            await first.getByRole("button", { name: "Play again" }).click();
            await second.getByRole("button", { name: "Come to the next game" }).click();
            await says(second, "It is your turn.");
          }
          assert.equal(open.snl("list", "--json").trim().split("\n").length, 3);
          open.snl("audit");
        });
      } finally {
        await open.close();
      }
    });
  });

  describe("by keyboard alone", () => {
    it("a game is started, played to its end and proved", async () => {
      await site.withPeople([{ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" }], async (page) => {
        await page.goto(site.url);
        const reach = async (find) => {
          for (let i = 0; i < 80; ++i) {
            if (await find()) return;
            await page.keyboard.press("Tab");
          }
          assert.fail("Tab doesn’t lead there");
        };
        const focused = (selector) => () => page.evaluate((sought) => document.activeElement?.matches(sought), selector);
        await reach(focused("[name=who]"));
        await page.keyboard.press("ArrowDown");
        for (const name of ["Ann", "Bob"]) {
          await page.keyboard.press("Tab");
          await page.keyboard.type(name);
        }
        await reach(focused(".go"));
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/g\//);
        await says(page, "Ann, it is your turn.");
        await reach(focused(".roll"));
        while (!(await page.locator(".snl.ended").count())) {
          if (await mayRoll(page)) await page.keyboard.press("Enter");
          await page.waitForTimeout(10);
        }
        await reach(focused(".to-proof"));
        await page.keyboard.press("Enter");
        await page.locator(".verdict", { hasText: "Proved:" }).waitFor();
      });
    });
  });
});
