// Goal: nobody has to wait for anybody. Computers fill the table. The host and the projector move on to the next game.
// The page is right about the time that is left, and about seats that the server rolls for. Method: a real server, and a
// browser for each person.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { mayRoll, phone, roll, says, Site, startOpenGame, takeSeat } from "./serving.js";

let site;

before(async () => (site = await Site.open()));
after(() => site.close());

const start = (page) => page.getByRole("button", { name: "Start", exact: true }).click();
const stateOf = async (page) => (await site.api("GET", `/api${new URL(page.url()).pathname.replace("/g/", "/games/")}`)).body;

describe("computers", () => {
  it("fill the table of one player, who plays a whole game with them and verifies the dice", async () => {
    await site.withPeople([phone], async (page) => {
      await page.goto(site.url);
      await page.getByLabel("Your name").fill("Ann");
      await page.locator("[name=places]").selectOption("3");
      await page.locator("[name=computers]").selectOption("2");
      await page.locator("[name=board][value=geeks30]").check();
      await start(page);
      await page.waitForURL(/\/g\//);
      await says(page, "It is your turn.");
      assert.deepEqual((await stateOf(page)).seats.map(({ auto }) => auto), [null, "computer", "computer"]);
      while (!/ha(s|ve) won/.test(await page.locator(".turn-words").first().textContent())) {
        if (await mayRoll(page)) await roll(page).click();
        await page.waitForTimeout(50);
      }
      await page.getByRole("button", { name: "Verify the dice" }).click();
      await page.locator(".verdict", { hasText: "The dice were made with this browser’s own random number." }).waitFor();
      const { y, height } = await page.locator(".verdict p", { hasText: /^Sound\./ }).boundingBox();
      assert.ok(y > 0 && y + height < phone.viewport.height, `the verdict’s first line is in sight, at ${y} with a height of ${height}`);
    });
  });

  it("play with all who are on one device", async () => {
    await site.withPeople([{}], async (page) => {
      await page.goto(site.url);
      await page.getByLabel("All of us on this device").check();
      for (const [i, name] of ["Ann", "Bob"].entries()) await page.getByLabel(`Player ${i + 1}`, { exact: true }).fill(name);
      await page.locator("[name=computers]").selectOption("1");
      await start(page);
      await says(page, "Ann, it is your turn.");
      await roll(page).click();
      await says(page, "Bob, it is your turn.");
      const { seats } = await stateOf(page);
      assert.deepEqual(seats.map(({ auto, sent }) => [auto, sent]), [[null, true], [null, true], ["computer", false]]);
    });
  });

  it("are no more than there are seats, and none where dice are one’s own", async () => {
    await site.withPeople([{}], async (page) => {
      await page.goto(site.url);
      await page.getByLabel("Your name").fill("Ann");
      await page.locator("[name=places]").selectOption("2");
      await page.locator("[name=computers]").selectOption("3");
      await start(page);
      await page.getByText("A game for 2 has room for 1 computer beside you.").waitFor();
      await page.locator(".choices-of-game summary").click();
      await page.locator("[name=dice]").selectOption("own");
      assert.equal(await page.locator("[name=computers]").isVisible(), false);
      assert.equal(await page.locator("[name=pace]").isVisible(), false);
      await start(page);
      await page.waitForURL(/\/g\//);
      const { pace, seats } = await stateOf(page);
      assert.deepEqual([pace, seats.length], [null, 1]);
    });
  });

  it("are added in the lobby by the host alone, and leave again", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name: "Ann", places: 4 });
      await bob.goto(site.url + path);
      await takeSeat(bob, "Bob");
      await says(bob, "Waiting for 2 more players");
      assert.equal(await bob.locator(".add-computer").isVisible(), false);
      await ann.locator(".add-computer").click();
      await says(bob, "Waiting for one more player");
      const added = bob.locator(".seat-list li", { hasText: "computer" });
      const name = await added.locator("bdi").textContent();
      await ann.getByRole("button", { name: `Remove: ${name}` }).click();
      await says(bob, "Waiting for 2 more players");
      for (let i = 0; i < 2; ++i) {
        await ann.locator(".add-computer").click();
        await says(bob, i === 0 ? "Waiting for one more player" : "It is Ann’s turn.");
      }
      await says(ann, "It is your turn.");
    });
  });
});

describe("the time for a turn", () => {
  it("is shown, and when it is over the turn is rolled; after three the player is away, and comes back by a button", async () => {
    await site.withPeople([phone, {}], async (ann, bob) => {
      const game = await site.game(["Ann", "Bob"], { pace: 5, board: "milton-bradley" });
      await ann.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
      await bob.goto(`${site.url}/g/${game.id}#seat=${game.seats[1]}`);
      await says(ann, "It is your turn.");
      assert.match(await ann.locator(".clock").textContent(), /^0:0[0-5]$/);
      await ann.close(); // she doesn't come back
      for (let turn = 0; turn < 3; ++turn) {
        await says(bob, "It is your turn.");
        await bob.locator(".clock", { hasText: /^0:0[1-5]$/ }).waitFor(); // it starts again with each turn
        await roll(bob).click();
      }
      await bob.locator(".player-rows").waitFor();
      await says(bob, "It is your turn.");
      const again = await ann.context().newPage();
      await again.goto(`${site.url}/g/${game.id}`);
      await again.getByRole("button", { name: "I’m back" }).click();
      await roll(again).waitFor();
      const { body } = await site.api("GET", `/api/games/${game.id}`);
      assert.equal(body.seats[0].auto, null);
    });
  });

  for (const wrong of [60_000, -60_000])
    it(`is the server’s, where the browser’s clock is wrong by ${wrong / 1000} seconds`, async () => {
      await site.withPeople([{}], async (page) => {
        await page.addInitScript((lead) => {
          const now = Date.now.bind(Date);
          Date.now = () => now() + lead;
        }, wrong);
        const game = await site.game(["Ann", "Bob"], { pace: 60 });
        await page.goto(`${site.url}/g/${game.id}`);
        await says(page, "You are watching.");
        const shown = await page.waitForFunction(() => {
          const [clock, turn] = [document.querySelector(".clock").textContent, document.querySelector(".turn-number").value];
          return turn === "0" && /^0:(0[1-9]|[1-4]\d|5[0-8])$/.test(clock) ? "counts" : turn !== "0" ? "the time was up" : null;
        });
        assert.equal(await shown.jsonValue(), "counts");
      });
    });

  it("isn’t asked of a player who wants to be rolled for", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"], { pace: 300, board: "milton-bradley" });
      await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[1]}`);
      await says(page, "It is Ann’s turn.");
      await page.getByRole("button", { name: "Seats and links" }).click();
      await page.getByRole("button", { name: "Roll for me: Bob" }).click();
      await page.locator(".seats-dialog small", { hasText: "rolled for" }).waitFor();
      await page.locator(".seats-dialog").getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "I’m back" }).waitFor();
      await site.play(game, 1);
      await says(page, "It is Ann’s turn."); // the server has rolled for Bob meanwhile
      await page.locator(".sentence", { hasText: "Bob rolls" }).waitFor();
    });
  });
});

describe("the host’s part", () => {
  it("is handed on to a seat, which can then do what the host could", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name: "Ann", places: 3 });
      await bob.goto(site.url + path);
      await takeSeat(bob, "Bob");
      await ann.getByRole("button", { name: "Make host: Bob" }).click();
      await ann.locator(".question-dialog").getByRole("button", { name: "Make host" }).click();
      await bob.getByRole("button", { name: "Start now" }).waitFor();
      await ann.getByRole("button", { name: "Start now" }).waitFor({ state: "hidden" });
      await ann.reload();
      await says(ann, "Waiting for one more player");
      assert.equal(await ann.getByRole("button", { name: "Start now" }).isVisible(), false);
      await bob.getByRole("button", { name: "Start now" }).click();
      await says(ann, "It is your turn.");
    });
  });

  it("goes on where the one who had it is gone, and stays with the new host who leaves the seat", async () => {
    await site.withPeople([{}, {}, {}], async (ann, bob, cyd) => {
      const path = await startOpenGame(ann, site, { name: "Ann", places: 4 });
      for (const [page, name] of [[bob, "Bob"], [cyd, "Cyd"]]) {
        await page.goto(site.url + path);
        await takeSeat(page, name);
      }
      await says(ann, "Waiting for one more player");
      await ann.getByRole("button", { name: "Make host: Bob" }).click();
      await ann.locator(".question-dialog").getByRole("button", { name: "Make host" }).click();
      await ann.getByRole("button", { name: "Start now" }).waitFor({ state: "hidden" });
      await ann.close();
      await bob.getByRole("button", { name: "Remove: Ann" }).click();
      await says(cyd, "Waiting for 2 more players");
      await bob.locator(".add-computer").click();
      await says(cyd, "Waiting for one more player");
      await bob.getByRole("button", { name: "Leave: Bob" }).click();
      await says(cyd, "Waiting for 2 more players");
      await bob.getByRole("button", { name: "Start now" }).click();
      await cyd.locator(".snl.live").waitFor();
      await bob.locator(".snl.live").waitFor();
      assert.deepEqual((await stateOf(cyd)).seats.map(({ auto }) => auto).sort(), ["computer", null]);
    });
  });
});

describe("a next game that is abandoned before it begins", () => {
  it("can be asked for again", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"], { dice: "own", board: { cells: 10, width: 5 } });
      await site.throwDice(game, [4, 2, 5]);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      const paths = [new URL(page.url()).pathname];
      const playAgain = async () => {
        await page.getByRole("button", { name: "Play again" }).click();
        await page.waitForURL((url) => !paths.includes(url.pathname));
        paths.push(new URL(page.url()).pathname);
        await says(page, "Waiting for");
      };
      await playAgain();
      await page.getByRole("button", { name: "Abandon" }).click();
      await page.locator(".question-dialog").getByRole("button", { name: "Abandon the game" }).click();
      await playAgain();
    });
  });
});

describe("the view for a room", () => {
  it("shows a game with nothing to press, and follows the next one", async () => {
    await site.withPeople([{ viewport: { width: 1280, height: 800 } }, {}, {}], async (wall, ann, spectator) => {
      const game = await site.game(["Ann", "Bob"], { dice: "own", board: { cells: 10, width: 5 } });
      await ann.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
      const second = await ann.context().newPage(); // the teacher plays, and shows it from the same browser
      await second.goto(`${site.url}/g/${game.id}?watch`);
      await says(second, "It is Ann’s turn.");
      assert.equal((await second.title()).startsWith("●"), false);
      await second.close();
      await wall.goto(`${site.url}/g/${game.id}?watch`);
      await says(wall, "It is Ann’s turn.");
      const pressed = await wall.locator("button, a, input, select, summary").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map(({ className }) => className));
      assert.deepEqual(pressed, []);
      await site.throwDice(game, [4, 2, 5]);
      await says(wall, "Ann has won.");
      await says(ann, "You have won!");
      await spectator.goto(`${site.url}/g/${game.id}`); // comes when it is over, and stays
      await says(spectator, "Ann has won.");
      const unchanged = spectator.waitForResponse((answer) => answer.url().endsWith(`/api/games/${game.id}`) && answer.status() === 304);
      await unchanged;
      await ann.getByRole("button", { name: "Play again" }).click();
      await ann.waitForURL((url) => !url.pathname.endsWith(game.id));
      await wall.waitForURL((url) => url.pathname === new URL(ann.url()).pathname && url.search === "?watch");
      await says(wall, "Waiting for Bob.");
      await spectator.getByRole("button", { name: "Come to the next game" }).click();
      await spectator.waitForURL((url) => url.pathname === new URL(ann.url()).pathname);
    });
  });
});

describe("what is loaded", () => {
  /** The bytes over the wire of a page, with all that it loads. */
  async function weightOf(page, path) {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(site.url + path, { waitUntil: "networkidle" });
    return bytes;
  }

  it("is at most 60 KB for the first page, 120 KB for a game’s", async (test) => {
    await site.withPeople([{}], async (page) => {
      const first = await weightOf(page, "/");
      test.diagnostic(`the first page: ${first} bytes`);
      assert.ok(first > 5_000 && first <= 60_000, `${first} bytes`);
    });
    const game = await site.game(["Ann", "Bob", "Cyd"], { board: "milton-bradley" });
    await site.play(game, 500);
    await site.withPeople([{}], async (page) => {
      const played = await weightOf(page, `/g/${game.id}`);
      test.diagnostic(`a game’s page, of 500 turns at most: ${played} bytes`);
      assert.ok(played > 20_000 && played <= 120_000, `${played} bytes`);
    });
  });
});
