// Goal: a page recovers from mishaps: connections that die or are slow, responses that are lost, several windows and
// devices, browsers that keep nothing, and turns that come at any moment. Method: a real server, a browser for each
// person, and each mishap made on purpose.

import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { after, before, describe, it } from "node:test";
import { turnOf } from "./workshop.js";
import { loseFirstAnswer, roll, says, sentTogether, Site, startOpenGame, takeSeat, whileHidden, words } from "./serving.js";

let site;

before(async () => (site = await Site.open()));
after(() => site.close());

const stateOf = async ({ id }) => (await site.api("GET", `/api/games/${id}`)).body;
const reaches = (page, turn) => page.waitForFunction((wanted) => document.querySelector(".turn-number")?.value === String(wanted), turn);
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** From now on keeps in `seen` the page's words about the player to move, and its words about the turns. */
const watchWords = (page) =>
  page.evaluate(() => {
    window.seen = [];
    const look = () => {
      const text = (selector) => document.querySelector(selector)?.textContent ?? "";
      window.seen.push([text(".turn-words"), text(".sentence"), text(".turn-list li:last-child")]);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });

/** Opens the page of a game of Ann and Bob as the player of a seat. */
async function openSeat(page, game, seat) {
  await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[seat]}`);
  await page.locator(".snl.live").waitFor();
}

describe("who comes back to a page", () => {
  it("finds the question that was asked meanwhile, and can answer it", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await openSeat(page, game, 1);
      await says(page, "It is Ann’s turn.");
      await whileHidden(page, async () => {
        await site.play(game, 1);
        const { status } = await site.api("POST", `/api/games/${game.id}/takebacks`, { token: game.seats[0], body: { to: 0 } });
        assert.equal(status, 200);
      });
      await page.getByRole("button", { name: "Agree" }).click();
      await reaches(page, 0);
      assert.equal((await stateOf(game)).turn, 0);
    });
  });

  it("is told the turns before who has won", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"], { board: "geeks30" });
      await openSeat(page, game, 1);
      await says(page, "It is Ann’s turn.");
      await whileHidden(page, async () => {
        await site.play(game, 2000);
        await watchWords(page);
      });
      const { turn } = await stateOf(game);
      await page.waitForFunction(() => window.seen.some(([said]) => / ha(s|ve) won/.test(said)));
      const early = (await page.evaluate(() => window.seen)).filter(([said, told]) => / ha(s|ve) won/.test(said) && !told.startsWith(`${turn}.`));
      assert.deepEqual(early, []);
    });
  });

  it("sees only the last of the missed turns played, and may roll after it", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob", "Cyd", "Dan"], { dice: "own" });
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await whileHidden(page, async () => {
        await site.throwDice(game, [1, 2, 3, 4, 5, 1, 2, 3]);
        await watchWords(page);
      });
      await page.waitForFunction(() => document.querySelector(".turn-number").value === "8");
      await says(page, "It is your turn.");
      const seen = await page.evaluate(() => window.seen);
      const thrown = new Set(seen.flatMap(([, told]) => /^(\d+)\. .* rolls …$/.exec(told)?.[1] ?? []));
      assert.deepEqual([...thrown], ["8"]);
      assert.match(await page.locator(".turn-list").textContent(), /4Dan rolls 4/);
      const said = new Set(seen.map(([words]) => words));
      assert.ok(said.has("It is Dan’s turn.") && !said.has("Playing…"), [...said].join(" | "));
    });
  });
});

describe("a roll", () => {
  it("that waits for a network isn’t played once somebody has played that turn elsewhere", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await page.context().setOffline(true);
      await page.locator(".connection.lost").waitFor();
      await roll(page).click();
      do await site.play(game, 1);
      while ((await stateOf(game)).next !== "Ann");
      const { turn } = await stateOf(game);
      const answer = page.waitForResponse("**/turns");
      await page.context().setOffline(false);
      assert.equal((await answer).status(), 412);
      await reaches(page, turn);
      await page.locator(".action .trouble", { hasText: "That turn was played elsewhere meanwhile." }).first().waitFor();
      assert.equal((await stateOf(game)).turn, turn);
      await roll(page).click();
      await reaches(page, turn + 1);
    });
  });

  it("that is late is told as late, where the time was up during the click", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"], { pace: 20 });
      let hear = () => {};
      const mayHear = new Promise((done) => (hear = done));
      await page.route("**/events*", async (route) => {
        await mayHear; // until then, Roll can be clicked however late it is
        await route.continue();
      });
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await page.route("**/turns", async (route) => {
        while ((await stateOf(game)).turn === 0) await pause(100);
        await route.continue();
      });
      await roll(page).click();
      hear();
      await page.locator(".action .trouble", { hasText: "The time was up, so the server rolled for you." }).waitFor();
      assert.equal((await stateOf(game)).turn, 1);
    });
  });

  it("goes on where a connection is dead and says nothing of it", async () => {
    const pairs = [];
    const proxy = createServer((client) => {
      const server = connect(site.port, "127.0.0.1");
      const pair = { isStream: false, isDead: false };
      pairs.push(pair);
      client.on("data", (data) => {
        pair.isStream ||= /^GET \S+\/events/.test(data.toString("latin1"));
        if (!pair.isDead) server.write(data);
      });
      server.on("data", (data) => pair.isDead || client.write(data));
      for (const [one, other] of [[client, server], [server, client]]) {
        one.on("error", () => {});
        one.on("close", () => other.destroy());
      }
    });
    await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${proxy.address().port}`;
    const context = await site.newContext({ reducedMotion: "reduce" });
    try {
      for (const streamsAlone of [true, false]) {
        const page = await context.newPage();
        const game = await site.game(["Ann", "Bob"]);
        await page.goto(`${url}/g/${game.id}#seat=${game.seats[0]}`);
        await says(page, "It is your turn.");
        while (!pairs.some(({ isStream, isDead }) => isStream && !isDead)) await pause(10);
        for (const pair of pairs) pair.isDead ||= pair.isStream || !streamsAlone;
        await roll(page).click();
        await page.waitForFunction(() => document.querySelector(".turn-number").value === "1");
        await says(page, "It is Bob’s turn.");
        await page.close();
      }
    } finally {
      await context.close();
      proxy.close();
    }
  });

  it("isn’t asked for again and again where the server says by a date when to", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      const asked = [];
      await page.route("**/turns", (route) => (asked.push(performance.now()), route.fulfill({ status: 503, headers: { "Retry-After": "Wed, 25 Nov 2026 12:00:00 GMT" }, body: "" })));
      await roll(page).click();
      while (asked.length < 4) await pause(10);
      assert.ok(asked[3] - asked[0] > 2000, `${asked}`); // after half a second, one, and two, give or take a quarter
    });
  });
});

describe("a seat", () => {
  it("that is being taken in one window isn’t thrown away by another", async () => {
    const context = await site.newContext();
    try {
      const [one, other] = [await context.newPage(), await context.newPage()];
      const game = await site.openGame(3);
      for (const page of [one, other]) {
        await page.goto(`${site.url}/g/${game.id}`);
        await says(page, "Take a seat");
      }
      let letGo;
      const held = new Promise((resolve) => (letGo = resolve));
      await one.route("**/seats", async (route) => {
        await held;
        await route.continue();
      });
      await takeSeat(one, "Ann");
      const refused = other.waitForResponse((response) => response.url().endsWith(game.id) && response.status() === 403);
      await site.api("POST", `/api/games/${game.id}/seats`, { body: { name: "Cyd" } });
      await refused;
      await other.locator(".seat-list", { hasText: "Cyd" }).waitFor();
      letGo();
      await one.getByRole("button", { name: "Leave: Ann" }).waitFor();
      await other.getByRole("button", { name: "Leave: Ann" }).waitFor();
    } finally {
      await context.close();
    }
  });

  it("is the one that was told last, though an older answer comes later", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(4);
      const seats = [];
      for (const name of ["Ann", "Bob", "Cyd"]) seats.push((await site.api("POST", `/api/games/${game.id}/seats`, { body: { name } })).body.token);
      await site.api("DELETE", `/api/games/${game.id}/seats/0`, { token: game.host });
      let letGo;
      const held = new Promise((resolve) => (letGo = resolve));
      let asked = 0;
      await page.route(`**/api/games/${game.id}`, async (route) => {
        const response = await route.fetch();
        if (++asked === 1) await held;
        await route.fulfill({ response });
      });
      await page.goto(`${site.url}/g/${game.id}#seat=${seats[1]}`);
      while (asked === 0) await pause(10);
      await site.api("POST", `/api/games/${game.id}/start`, { token: game.host });
      await says(page, "It is your turn."); // Bob's seat is the first one now
      const late = page.waitForResponse((response) => response.url().endsWith(`/api/games/${game.id}`));
      letGo();
      await (await late).finished();
      await page.waitForTimeout(500); // until the page has processed it
      assert.equal(await words(page).textContent(), "It is your turn.");
      await site.play({ id: game.id, seats: [seats[1], seats[2]] }, 1);
      await reaches(page, 1);
      await says(page, "It is Cyd’s turn.");
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  it("that is given up is, though the answer was lost", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(3);
      await page.goto(`${site.url}/g/${game.id}`);
      await takeSeat(page, "Ann");
      await says(page, "Waiting for 2 more players");
      const asked = await loseFirstAnswer(page, "**/seats/0", "DELETE");
      await page.getByRole("button", { name: "Leave: Ann" }).click();
      await page.getByRole("button", { name: "Take a seat" }).waitFor();
      assert.equal(asked(), 2);
      assert.equal(await page.locator(".trouble:not(:empty)").count(), 0);
    });
  });

  it("is taken once, by a double click too", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(3);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "Take a seat");
      await page.getByLabel("Your name").fill("Ann");
      await page.getByRole("button", { name: "Take a seat" }).dblclick();
      await says(page, "Waiting for 2 more players");
      await page.getByRole("button", { name: "Leave: Ann" }).waitFor();
      assert.equal(await page.locator(".trouble:not(:empty)").count(), 0);
    });
  });
});

describe("a seat whose link was made anew", () => {
  it("isn’t called lost in the browser that has the new link", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await page.close();
      const { token } = (await site.api("POST", `/api/games/${game.id}/seats/0/token`, { token: game.host })).body;
      const again = await page.context().newPage();
      await openSeat(again, { ...game, seats: [token] }, 0);
      await again.waitForFunction((key) => JSON.parse(localStorage.getItem(key)).seats.length === 1, `snl.game.${game.id}`);
      await says(again, "It is your turn.");
      await roll(again).click();
      await says(again, "Bob");
      assert.equal(await words(again).textContent(), "It is Bob’s turn.");
    });
  });

  it("has a say in the dice again, by the new link", async () => {
    await site.withPeople([{}, {}], async (old, page) => {
      const game = await site.openGame(2);
      await old.goto(`${site.url}/g/${game.id}`);
      await takeSeat(old, "Ann");
      await says(old, "Waiting for one more player");
      const { token } = (await site.api("POST", `/api/games/${game.id}/seats/0/token`, { token: game.host })).body;
      const committed = page.waitForResponse("**/seats");
      await page.goto(`${site.url}/g/${game.id}#seat=${token}`);
      assert.equal((await committed).status(), 200);
      await site.api("POST", `/api/games/${game.id}/seats`, { body: { name: "Bob" } });
      await says(page, "It is your turn.");
      const { redraws, draw } = await stateOf(game);
      assert.deepEqual([redraws, draw.entropy.map((given) => given !== null)], [0, [true, false]]);
    });
  });
});

describe("a seat that has no say in the dice", () => {
  it("gives Verify no reason for an alarm where its page was too late for one", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(2);
      const sit = async (name) => (await site.api("POST", `/api/games/${game.id}/seats`, { body: { name } })).body.token;
      const ann = await sit("Ann");
      let letGo = () => {};
      const held = new Promise((resolve) => (letGo = resolve));
      let asked = 0;
      await page.route("**/seats", async (route) => {
        ++asked;
        await held;
        await route.continue();
      });
      await page.goto(`${site.url}/g/${game.id}#seat=${ann}`);
      while (asked === 0) await pause(10);
      const bob = await sit("Bob");
      const late = page.waitForResponse("**/seats");
      letGo();
      assert.equal((await late).status(), 409);
      await says(page, "It is your turn.");
      await site.play({ id: game.id, seats: [ann, bob] }, 2000);
      await page.getByRole("button", { name: "Verify the dice" }).click();
      await page.locator(".verdict", { hasText: /ound\./ }).waitFor();
      assert.match(await page.locator(".verdict").textContent(), /^Sound\./);
    });
  });
});

describe("a seat on two devices", () => {
  it("that come to a rematch at once has one promise, and Verify alarms neither", async () => {
    await site.withPeople([{}, {}], async (...devices) => {
      const game = await site.game(["Ann", "Bob"], { board: "geeks30" });
      await site.play(game, 2000);
      const [ann, bob] = game.seats;
      const { id } = (await site.api("POST", `/api/games/${game.id}/rematch`, { token: bob })).body;
      const asked = await sentTogether(devices, "**/seats");
      await Promise.all(devices.map((page) => page.goto(`${site.url}/g/${id}#seat=${ann}`)));
      const statuses = (await Promise.all(asked)).map((answer) => answer.status());
      assert.deepEqual([...statuses].sort(), [200, 422]);
      for (const page of devices) await page.locator(".seat-list small", { hasText: "you" }).waitFor();
      await site.api("POST", `/api/games/${id}/seats`, { body: { name: "Bob", token: bob } });
      for (const page of devices) await page.locator(".snl.live").waitFor();
      await site.play({ id, seats: [bob, ann] }, 2000);
      for (const [i, page] of devices.entries()) {
        await page.reload();
        await page.getByRole("button", { name: "Verify the dice" }).click();
        await page.locator(".verdict", { hasText: /ound\./ }).waitFor();
        const verdict = await page.locator(".verdict").textContent();
        assert.match(verdict, /^Sound\./);
        assert.equal(verdict.includes("with this browser’s own random number"), statuses[i] === 200, verdict);
      }
    });
  });
});

describe("a seat that the draw gave up", () => {
  const ask = async (game, method, path, more) => {
    const { status, body } = await site.api(method, `/api/games/${game.id}${path}`, more);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const comes = async (game, wanted) => {
    while (!wanted(await stateOf(game))) await pause(20);
  };

  /** Runs `work` where a draw waits a second, in a game in which Ann's page never sends its entropy. Bob and Cyd promise none. */
  async function drawnWithoutAnn(work) {
    const others = site;
    site = await Site.open("127.0.0.1", ["--limit", "draw=1"]);
    try {
      await site.withPeople([{}], async (ann) => {
        const game = await site.openGame(3);
        // With zeros a page only asks whether its seat was given up.
        await ann.route("**/entropy", (route) => (route.request().postDataJSON().entropy === "00".repeat(32) ? route.continue() : route.abort()));
        await ann.goto(`${site.url}/g/${game.id}`);
        await takeSeat(ann, "Ann");
        await says(ann, "Waiting for 2 more players");
        const bob = (await ask(game, "POST", "/seats", { body: { name: "Bob" } })).token;
        const sitLast = () => ask(game, "POST", "/seats", { body: { name: "Cyd" } });
        await work(ann, game, { bob, sitLast });
      });
    } finally {
      await site.close();
      site = others;
    }
  }

  it("is taken again by its page, which says so", async () => {
    await drawnWithoutAnn(async (ann, game, { sitLast }) => {
      await sitLast();
      await says(ann, "Your seat was given up, since this page didn’t answer when the dice were drawn. It is yours again. Waiting for Bob and Cyd.");
      await ann.locator(".redraws", { hasText: "The draw began again once." }).waitFor();
      assert.ok((await stateOf(game)).seats.some(({ name, in: isIn }) => name === "Ann" && isIn));
    });
  });

  it("is said to be taken where somebody has it, before the start and after it", async () => {
    await drawnWithoutAnn(async (ann, game, { bob, sitLast }) => {
      await ann.close();
      const cyd = (await sitLast()).token;
      await comes(game, ({ redraws }) => redraws === 1);
      await ask(game, "POST", "/seats", { body: { name: "Dan" } });
      const again = await ann.context().newPage();
      await again.goto(`${site.url}/g/${game.id}`);
      await says(again, "Your seat was given up, since this page didn’t answer when the dice were drawn. All seats are taken.");
      await ask(game, "POST", "/seats", { body: { name: "Bob", token: bob } });
      await ask(game, "POST", "/seats", { body: { name: "Cyd", token: cyd } });
      await again.locator(".turn-words", { hasText: /^It is .*’s turn\. Your seat was given up, since/ }).waitFor();
      await site.abandon(game);
      await again.locator(".snl.ended .facts dd", { hasText: "The draw began again once." }).waitFor();
    });
  });

  it("is not one that the host has freed", async () => {
    await site.withPeople([{}], async (ann) => {
      const game = await site.openGame(3);
      await ann.goto(`${site.url}/g/${game.id}`);
      await takeSeat(ann, "Ann");
      await says(ann, "Waiting for 2 more players");
      // Keeps the seat as a page does that has heard that the draw began again, and was closed then.
      await ann.evaluate((key) => {
        const kept = JSON.parse(localStorage.getItem(key));
        kept.seats[0].entropy = null;
        localStorage.setItem(key, JSON.stringify(kept));
      }, `snl.game.${game.id}`);
      await ann.close();
      await ask(game, "DELETE", "/seats/0", { token: game.host });
      const again = await ann.context().newPage();
      const asked = again.waitForResponse("**/entropy");
      await again.goto(`${site.url}/g/${game.id}`);
      assert.equal((await asked).status(), 403);
      await says(again, "Take a seat");
      assert.doesNotMatch(await words(again).textContent(), /given up/);
      assert.deepEqual((await stateOf(game)).seats, []);
    });
  });
});

describe("what can’t be asked twice", () => {
  it("is one computer, though the answer was lost", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(4);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      const asked = await loseFirstAnswer(page, "**/seats");
      await page.getByRole("button", { name: "Add a computer" }).click();
      await says(page, "Waiting for 3 more players");
      await page.locator(".add-computer:not([aria-disabled=true])").waitFor();
      await pause(1500); // longer than until a repetition
      assert.deepEqual([asked(), (await stateOf(game)).seats.length], [1, 1]);
      assert.equal(await page.locator(".trouble:not(:empty)").count(), 0);
      await page.unroute("**/seats");
      await page.route("**/seats", (route) => route.abort());
      await page.getByRole("button", { name: "Add a computer" }).click();
      await page.locator(".trouble", { hasText: "Try again." }).first().waitFor();
    });
  });

  it("is one computer beside the friends of a new game", async () => {
    await site.withPeople([{}], async (page) => {
      const asked = await loseFirstAnswer(page, "**/seats", "POST", "computer");
      await startOpenGame(page, site, { name: "Ann", places: 3, wishes: () => page.locator("[name=computers]").selectOption("1") });
      await says(page, "Waiting for one more player");
      assert.equal(asked(), 1);
    });
  });

  it("is to make somebody the host", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(3);
      await site.api("POST", `/api/games/${game.id}/seats`, { body: { name: "Bob" } });
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      const asked = await loseFirstAnswer(page, "**/host");
      const refused = page.waitForResponse((response) => response.url().endsWith("/host") && response.status() === 403);
      await page.getByRole("button", { name: "Make host: Bob" }).click();
      await page.locator(".question-dialog").getByRole("button", { name: "Make host" }).click();
      await (await refused).finished();
      await page.getByRole("button", { name: "Start now" }).waitFor({ state: "hidden" });
      await page.waitForTimeout(500); // until the page has processed it
      assert.equal(asked(), 2);
      assert.equal(await page.locator(".trouble:not(:empty)").count(), 0);
    });
  });
});

describe("a browser that keeps nothing", () => {
  const full = () => (Storage.prototype.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  });

  it("plays by a link for as long as the page is open", async () => {
    await site.withPeople([{}], async (page) => {
      await page.addInitScript(full);
      const game = await site.game(["Ann", "Bob"]);
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await roll(page).click();
      await says(page, "It is Bob’s turn.");
    });
  });

  it("is said to lose the seat, and takes it along to a rematch", async () => {
    await site.withPeople([{}, {}], async (page, other) => {
      await page.addInitScript(full);
      const open = await site.openGame(2);
      for (const one of [page, other]) {
        await one.goto(`${site.url}/g/${open.id}`);
        await takeSeat(one, one === page ? "Ann" : "Bob");
        if (one === page) await says(page, "This browser stores nothing for this site, so your seat is lost");
      }
      await page.locator(".order", { hasText: "stores nothing" }).waitFor();
      await other.locator(".order", { hasText: "You are" }).waitFor();
      assert.doesNotMatch(await other.locator(".order").textContent(), /stores nothing/);
      const game = await site.game(["Ann", "Bob"], { dice: "own", board: { cells: 10, width: 5 } });
      await site.throwDice(game, [4, 2, 5]);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}&seat=${game.seats[0]}`);
      await page.getByRole("button", { name: "Play again" }).click();
      await page.waitForURL((url) => url.pathname !== `/g/${game.id}` && url.hash === "");
      await says(page, "Waiting for Bob.");
      await page.locator(".seat-list li", { hasText: "Ann" }).getByText("you").waitFor();
      await page.getByRole("button", { name: "Abandon" }).waitFor(); // which is the host's
    });
  });

  it("takes the seats of a new game along, where it has room for an empty text alone", async () => {
    await site.withPeople([{}], async (page) => {
      await page.addInitScript(() => {
        const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, text) {
          if (text !== "") throw new DOMException("full", "QuotaExceededError");
          set.call(this, key, text);
        };
      });
      await startOpenGame(page, site, { name: "Ann" });
      await page.locator(".seat-list li", { hasText: "Ann" }).getByText("you").waitFor();
      await page.getByRole("button", { name: "Abandon" }).waitFor(); // which is the host's
      await site.api("POST", `/api/games/${page.url().split("/").pop()}/seats`, { body: { name: "Bob" } });
      await says(page, "It is your turn.");
      await page.goto(site.url);
      await page.getByLabel("All of us on this device").check();
      for (const [i, name] of ["Ann", "Bob"].entries()) await page.getByLabel(`Player ${i + 1}`, { exact: true }).fill(name);
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await says(page, "Ann, it is your turn.");
    });
  });

  it("makes no game that nobody could play", async () => {
    await site.withPeople([{}], async (page) => {
      const before = await site.openIds();
      await page.addInitScript(full);
      await page.goto(site.url);
      await page.getByLabel("Your name").fill("Ann");
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await page.locator(".new-game .trouble", { hasText: "stores nothing" }).waitFor();
      assert.deepEqual(await site.openIds(), before);
    });
  });
});

describe("a live page", () => {
  it("can be played and paused, and followed again", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      do await site.play(game, 1);
      while ((await stateOf(game)).next !== "Ann" || (await stateOf(game)).turn < 12);
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await page.getByRole("button", { name: "Replay" }).click();
      await page.locator(".speed").selectOption("0.25"); // so that the test can pause the turn before its end
      const play = page.locator("button.play");
      await play.click();
      await page.locator(".play", { hasText: "Pause" }).waitFor();
      await play.click();
      await page.getByRole("button", { name: "Live" }).click();
      const { turn } = await stateOf(game);
      await reaches(page, turn);
      await roll(page).click();
      await reaches(page, turn + 1);
    });
  });

  it("can be stepped while turns are told, and says that it is behind", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await site.play(game, 12);
      await page.waitForFunction(() => document.querySelector(".of-turns").textContent === "of 12");
      await page.keyboard.press("ArrowRight");
      await page.getByRole("button", { name: "Live" }).click();
      await reaches(page, 12);
    });
  });

  it("tells no turn before its dice, that comes while the one before still rests", async () => {
    await site.withPeople([{ reducedMotion: "no-preference" }], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      await watchWords(page);
      // The second turn is played at the moment when the first one appears in the list.
      const listed = page.waitForFunction(() => window.seen.some(([, , row]) => row.startsWith("1")), null, { polling: "raf" });
      await site.play(game, 1);
      await listed;
      await site.play(game, 1);
      await page.waitForFunction(() => window.seen.some(([, , row]) => row.startsWith("2")));
      const seen = await page.evaluate(() => window.seen);
      const row = seen.findIndex(([, , last]) => last.startsWith("2"));
      const dice = seen.findIndex(([, told]) => /^2\. .* rolls …$/.test(told));
      assert.ok(dice >= 0 && dice < row, JSON.stringify(seen.slice(0, row + 1)));
    });
  });

  it("asks for itself at leisure where that fails, and once when it no longer does", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(2);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "Take a seat");
      const asked = [];
      await page.route(`**/g/${game.id}`, (route) => (asked.push(performance.now()), route.fulfill({ status: 503, contentType: "application/json", body: "{}" })));
      for (const name of ["Ann", "Bob"]) await site.api("POST", `/api/games/${game.id}/seats`, { body: { name } });
      while (asked.length < 5) await pause(10);
      assert.ok(asked[4] - asked[0] > 4000, `${asked}`); // changes of the seats may cause two more requests at once
      await page.unroute(`**/g/${game.id}`);
      let answered = 0;
      page.on("response", (response) => response.ok() && response.url().endsWith(`/g/${game.id}`) && ++answered);
      await page.locator(".snl.live").waitFor();
      while (answered === 0) await pause(10);
      await page.waitForTimeout(3500);
      assert.equal(answered, 1);
    });
  });

  it("asks once each ten seconds for its player’s turn, where it is hidden and the server is away", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await page.clock.install({ time: 0 });
      await openSeat(page, game, 0);
      await page.clock.pauseAt(3_600_000);
      await says(page, "It is your turn.");
      await whileHidden(page, async () => {
        let asked = 0;
        await page.route(`**/api/games/${game.id}`, (route) => (++asked, route.abort()));
        for (let tick = 1; tick <= 5; ++tick) {
          const failed = page.waitForEvent("requestfailed");
          await page.clock.runFor(10_000);
          await failed;
          assert.equal(asked, tick);
        }
        await page.unroute(`**/api/games/${game.id}`);
      });
    });
  });

  it("has the last version in its record, and compares the first one if it saw the game go on", async () => {
    await site.withPeople([{}, {}], async (early, late) => {
      const game = await site.game(["Ann", "Bob"], { board: "geeks30" });
      await site.play(game, 1);
      await early.goto(`${site.url}/g/${game.id}`);
      await says(early, "You are watching.");
      const recorded = (page, { version, head }) =>
        page.locator(".facts", { hasText: new RegExp(`Version\\s*${version}\\s*Head\\s*${head}\\s*To verify\\s*snl audit ${game.id} --expect ${head}`) }).waitFor({ state: "attached" });
      await recorded(early, await stateOf(game));
      await site.play(game, 1);
      await recorded(early, await stateOf(game));
      await site.play(game, 2000);
      const { head } = await stateOf(game);
      await late.goto(`${site.url}/g/${game.id}`);
      for (const page of [early, late]) {
        await page.locator(".snl.ended").waitFor();
        assert.ok((await page.locator(".facts").textContent()).includes(`--expect ${head}`));
        await page.getByRole("button", { name: "Verify the dice" }).click();
        await page.locator(".verdict", { hasText: /^Sound\./ }).waitFor();
        const verdict = await page.locator(".verdict").textContent();
        assert.equal(verdict.includes("Version 1 is the one whose hash this browser was told when it first opened the game."), page === early, verdict);
      }
    });
  });

  it("of a game that was won, and undone at the command line, calls nobody the winner", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"], { dice: "own", board: { cells: 10, width: 5 } });
      await site.throwDice(game, [4, 2, 5]);
      site.snl("undo", game.id);
      while ((await stateOf(game)).winner !== null) await pause(20);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "This game is over.");
    });
  });

  it("isn’t set back by an older one that comes later", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(2);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "Take a seat");
      let letGo;
      const held = new Promise((resolve) => (letGo = resolve));
      let asked = 0;
      await page.route(`**/g/${game.id}`, async (route) => {
        const response = await route.fetch();
        if (++asked === 1) await held;
        await route.fulfill({ response });
      });
      for (const name of ["Ann", "Bob"]) await site.api("POST", `/api/games/${game.id}/seats`, { body: { name } });
      while (asked === 0) await pause(10);
      await site.abandon(game);
      await says(page, "This game was abandoned.");
      letGo();
      await page.locator(".snl.ended").waitFor();
      assert.equal(await words(page).textContent(), "This game was abandoned.");
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  it("stays where one looks, when the game ends", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await site.play(game, 4);
      await page.goto(`${site.url}/g/${game.id}#turn=2`);
      await reaches(page, 2);
      await page.getByRole("button", { name: "Live" }).click();
      await site.play(game, 1);
      await reaches(page, 5);
      for (const turn of [4, 3]) {
        await page.keyboard.press("h");
        assert.equal(await turnOf(page), turn);
      }
      await site.abandon(game);
      await page.locator(".snl.ended").waitFor();
      assert.equal(await turnOf(page), 3);
    });
  });

  it("that is shown anew shows its end, whatever turn its address asked for once", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await site.play(game, 4);
      await page.goto(`${site.url}/g/${game.id}#turn=2`);
      await reaches(page, 2);
      await page.getByRole("button", { name: "Live" }).click();
      await site.abandon(game);
      await page.locator(".snl.ended").waitFor();
      assert.equal(await turnOf(page), 4);
    });
  });

  it("of a game that is gone says so", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.openGame(2);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "Take a seat");
      await page.route("**/*", (route) => (new URL(route.request().url()).pathname.includes(game.id) ? route.fulfill({ status: 404, contentType: "application/json", body: "{}" }) : route.continue()));
      const gone = page.waitForResponse((response) => response.url().endsWith(`/g/${game.id}`) && response.status() === 404);
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      await gone;
    });
  });

  it("does by keys what it did before a button was held", async () => {
    await site.withPeople([{ viewport: { width: 1280, height: 900 } }], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await site.play(game, 20);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      await page.getByRole("button", { name: "Replay" }).click();
      await page.locator("button.back").hover();
      await page.mouse.down();
      await page.waitForFunction(() => Number(document.querySelector(".turn-number").value) < 20);
      await page.mouse.move(10, 10);
      await page.mouse.up();
      const turn = await turnOf(page);
      await page.locator("button.back").focus();
      await page.keyboard.press("Enter");
      assert.equal(await turnOf(page), Math.max(0, turn - 1)); // on a slow machine it may have gone all the way back
    });
  });
});

describe("the first page", () => {
  it("joins a game by the link to a turn, as it is shared, and by the link to a seat", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      for (const [fragment, said] of [["#turn=0", "You are watching."], [`#seat=${game.seats[0]}`, "It is your turn."]]) {
        await page.goto(site.url);
        await page.locator(".code").fill(`${site.url}/g/${game.id}${fragment}`);
        await page.getByRole("button", { name: "Go", exact: true }).click();
        await page.waitForURL((url) => url.pathname.startsWith("/g/") && url.hash === "");
        await says(page, said);
      }
    });
  });

  it("lists the games that one plays, however many are over, and not those that one watched", async () => {
    await site.withPeople([{}], async (page) => {
      const [over, played, watched] = [await site.game(["Ann", "Bob"]), await site.game(["Cyd", "Dan"]), await site.game(["Eve", "Fay"])];
      await site.abandon(over);
      await page.goto(`${site.url}/g/${watched.id}`);
      await says(page, "You are watching.");
      await openSeat(page, played, 0);
      await says(page, "It is your turn.");
      await page.evaluate(({ id, host }) => {
        for (let i = 0; i < 60; ++i) localStorage.setItem(`snl.game.${id}${i}`, JSON.stringify({ host, over: true }));
        localStorage.setItem(`snl.game.${id}`, JSON.stringify({ host }));
      }, over);
      await page.goto(site.url);
      await page.locator(`.own-list a[href="/g/${played.id}"]`).waitFor();
      assert.equal(await page.locator(".own-list li").count(), 1);
      await page.waitForFunction((id) => JSON.parse(localStorage.getItem(`snl.game.${id}`)).over === true, over.id);
    });
  });

  it("keeps the tokens of a game that the server doesn’t know: it may serve another store today", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await openSeat(page, game, 0);
      await says(page, "It is your turn.");
      await page.evaluate((host) => localStorage.setItem("snl.game.elsewhere", JSON.stringify({ host })), game.host);
      const unknown = page.waitForResponse("**/api/games/elsewhere");
      await page.goto(site.url);
      assert.equal((await unknown).status(), 404);
      await page.locator(`.own-list a[href="/g/${game.id}"]`).waitFor(); // all were asked for by now
      assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("snl.game.elsewhere"))?.host), game.host);
    });
  });

  it("says that no answer comes, and goes on once one does", async () => {
    await site.withPeople([{}], async (page) => {
      await page.goto(site.url);
      await page.getByLabel("Your name").fill("Ann");
      await page.context().setOffline(true);
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await page.locator(".new-game .trouble", { hasText: "Trying again" }).waitFor();
      await page.context().setOffline(false);
      await page.waitForURL(/\/g\//);
      await says(page, "Waiting for");
    });
  });
});
