// Goal: people play with one another in browsers, even if networks, phones and servers fail. Nobody sees or sends
// anything that isn't theirs. Method: a real server, and a browser for each person.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { turnOf } from "./workshop.js";
import { chooseBoard, loseFirstAnswer, mayRoll, phone, playToTheEnd, roll, says, sentTogether, Site, startOpenGame, takeSeat, whileHidden, words } from "./serving.js";

let site;

before(async () => (site = await Site.open()));
after(() => site.close());

describe("seats", () => {
  it("are taken once, even by two at once", async () => {
    await site.withPeople([{}, {}, {}], async (ann, bob, cyd) => {
      const path = await startOpenGame(ann, site, { name: "Ann" });
      await Promise.all([bob.goto(site.url + path), cyd.goto(site.url + path)]);
      const asked = await sentTogether([bob, cyd], "**/seats");
      await Promise.all([takeSeat(bob, "Bob"), takeSeat(cyd, "Cyd")]);
      const answers = await Promise.all(asked);
      assert.deepEqual(answers.map((answer) => answer.status()).sort(), [201, 409]);
      const [sits, watches] = answers[0].status() === 201 ? [bob, cyd] : [cyd, bob];
      await says(ann, "It is your turn.");
      await says(watches, "You are watching.");
      await roll(sits).waitFor();
      assert.equal(await roll(watches).isHidden(), true);
    });
  });

  it("are told apart by name: a second of the same isn’t let in", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name: "Ann", places: 3 });
      await bob.goto(site.url + path);
      await takeSeat(bob, "Ann");
      await bob.locator(".trouble:not(:empty)").first().waitFor();
      await takeSeat(bob, "Bob");
      await says(bob, "Waiting for one more player");
      await says(ann, "Or start without them.");
      await bob.getByRole("button", { name: "Leave: Bob" }).click();
      await bob.getByRole("button", { name: "Take a seat" }).waitFor();
      await says(ann, "Waiting for 2 more players");
      await takeSeat(bob, "Bob");
      await says(ann, "Or start without them.");
      await ann.getByRole("button", { name: "Start now" }).click();
      await says(ann, "It is your turn.");
      await says(bob, "It is Ann’s turn.");
    });
  });

  it("go to another phone by a new link, and the lost one plays no more", async () => {
    await site.withPeople([{}, phone, phone], async (ann, lost, found) => {
      const path = await startOpenGame(ann, site, { name: "Ann" });
      await lost.goto(site.url + path);
      await takeSeat(lost, "Bob");
      await says(ann, "It is your turn.");
      await ann.getByRole("button", { name: "Seats and links" }).click();
      await ann.getByRole("button", { name: "New link: Bob" }).click();
      await ann.getByRole("button", { name: "Make a new link" }).click();
      const link = await ann.locator(".link-dialog input").inputValue();
      assert.match(link, /\/g\/.*#seat=[\w-]{43}$/);
      const code = join(site.folder, "code.png");
      writeFileSync(code, await ann.locator(".code-picture").screenshot());
      assert.equal(execFileSync("zbarimg", ["--quiet", "--raw", code], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim(), link);
      for (const dialog of [".link-dialog", ".seats-dialog"]) await ann.locator(dialog).getByRole("button", { name: "Close" }).click();
      await says(lost, "Your seat was given a new link");
      await found.goto(link);
      await says(found, "It is Ann’s turn.");
      assert.equal(found.url(), site.url + path, "the address is cleared at once");
      await roll(ann).click();
      await says(found, "It is your turn.");
      assert.equal(await mayRoll(lost), false);
      await roll(found).click();
      await says(ann, "It is your turn.");
      await ann.getByRole("button", { name: "Seats and links" }).click();
      await ann.locator(".seats-dialog", { hasText: "new link made once" }).waitFor();
    });
  });

  it("are looked at in a dialog that Escape closes, the innermost one first", async () => {
    await site.withPeople([{ viewport: { width: 1280, height: 800 } }], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      const open = () => page.locator("dialog[open]").evaluateAll((dialogs) => dialogs.map(({ className }) => className));
      for (const [button, dialog] of [["New link: Ann", "question-dialog"], ["Abandon the game", "question-dialog"]]) {
        await page.getByRole("button", { name: "Seats and links" }).click();
        await page.getByRole("button", { name: button }).click();
        await page.locator(`.${dialog}`).waitFor();
        assert.deepEqual(await open(), ["seats-dialog", dialog]);
        await page.keyboard.press("Escape");
        assert.deepEqual(await open(), ["seats-dialog"]);
        await page.keyboard.press("Escape");
        assert.deepEqual(await open(), []);
      }
      await page.getByRole("button", { name: "Seats and links" }).click();
      for (let i = 0; i < 2; ++i) await page.keyboard.press("Escape");
      assert.deepEqual(await open(), []);
      const { body } = await site.api("GET", `/api/games/${game.id}`);
      assert.deepEqual([body.status, body.seats[0].tokens], ["in-progress", 1], "nothing was done by leaving");
    });
  });

  it("are played on where the host has closed the page", async () => {
    await site.withPeople([{}, {}, {}], async (host, bob, cyd) => {
      const path = await startOpenGame(host, site, { name: "Ann", places: 3 });
      for (const [page, name] of [[bob, "Bob"], [cyd, "Cyd"]]) {
        await page.goto(site.url + path);
        await takeSeat(page, name);
      }
      await roll(host).click();
      await says(bob, "It is your turn.");
      await host.close();
      await roll(bob).click();
      await says(cyd, "It is your turn.");
      const again = await bob.context().newPage();
      await again.goto(site.url + path);
      await again.locator(".turn-words", { hasText: "It is Cyd’s turn." }).waitFor();
    });
  });
});

describe("a game that is started", () => {
  const start = (page) => page.getByRole("button", { name: "Start", exact: true });

  it("on one device has all its seats there, though the answer was lost", async () => {
    await site.withPeople([{}], async (page) => {
      const made = await loseFirstAnswer(page, "**/api/games");
      const given = await loseFirstAnswer(page, "**/seats/*/token");
      await page.goto(site.url);
      await page.getByLabel("All of us on this device").check();
      for (const [i, name] of ["Ann", "Bob"].entries()) await page.getByLabel(`Player ${i + 1}`, { exact: true }).fill(name);
      await start(page).click();
      await says(page, "Ann, it is your turn.");
      assert.deepEqual([made(), given()], [2, 3], "what got no answer is asked again");
      await roll(page).click();
      await says(page, "Bob, it is your turn.");
      await roll(page).click();
      await says(page, "Ann, it is your turn.");
    });
  });

  it("is the one that its host goes on with, where no seat could be taken at once", async () => {
    await site.withPeople([{}], async (page) => {
      const before = await site.openIds();
      const later = { status: 429, headers: { "Retry-After": "60" }, contentType: "application/problem+json", body: '{"detail":"too many writes"}' };
      await page.route("**/seats", (route) => route.fulfill(later), { times: 1 });
      const path = await startOpenGame(page, site, { name: "Ann" });
      await says(page, "Waiting for one more player");
      await page.locator(".seat-list", { hasText: "Ann" }).getByText("you").waitFor();
      assert.deepEqual((await site.openIds()).filter((id) => !before.includes(id)), [path.replace("/g/", "")]);
    });
  });

  it("waits for its host to write another name, where that one can’t be", async () => {
    await site.withPeople([{}], async (page) => {
      const before = await site.openIds();
      const path = await startOpenGame(page, site, { name: "An\u0007n" });
      await page.locator(".trouble", { hasText: "control character" }).waitFor();
      assert.equal(await page.getByLabel("Your name").inputValue(), "An\u0007n", "it is there to be put right");
      await page.reload();
      await says(page, "Waiting for 2 more players");
      assert.equal(await page.locator(".trouble:not(:empty)").count(), 0);
      await takeSeat(page, "Ann");
      await says(page, "Waiting for one more player");
      assert.deepEqual((await site.openIds()).filter((id) => !before.includes(id)), [path.replace("/g/", "")]);
    });
  });

  it("is one, however often the button is pressed", async () => {
    await site.withPeople([{}], async (page) => {
      const before = await site.openIds();
      let letGo;
      const pressed = new Promise((resolve) => (letGo = resolve));
      await page.route("**/api/games", async (route) => {
        await pressed;
        await route.continue();
      });
      await page.goto(site.url);
      await page.getByLabel("Your name").fill("Ann");
      await page.locator("[name=public]").check();
      await start(page).click({ clickCount: 3 });
      await page.getByLabel("Your name").press("Enter");
      letGo();
      await page.waitForURL(/\/g\//);
      await says(page, "Waiting for 3 more players");
      assert.equal((await site.openIds()).filter((id) => !before.includes(id)).length, 1);
    });
  });

  it("is seen to be abandoned, by those who waited for it too", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name: "Ann", places: 3 });
      await bob.goto(site.url + path);
      await says(bob, "Take a seat: write your name.");
      await ann.getByRole("button", { name: "Abandon" }).click();
      await ann.locator(".question-dialog").getByRole("button", { name: "Abandon the game" }).click();
      for (const page of [ann, bob]) {
        await says(page, "This game was abandoned.");
        assert.equal(await page.getByRole("button").count(), 0);
        assert.equal(await page.getByRole("textbox").count(), 0);
      }
    });
  });
});

describe("the first page", () => {
  it("lists games that are being drawn, and those that were abandoned if there are some", async () => {
    const own = await Site.open();
    const others = site;
    site = own;
    try {
      await site.withPeople([{}], async (page) => {
        const listed = (heading) => page.locator(".list", { has: page.getByRole("heading", { name: heading }) });
        await page.goto(site.url);
        assert.equal(await listed("Waiting for players").count(), 1);
        assert.equal(await listed("Abandoned").count(), 0);
        await site.drawingGame(["Ann", "Bob"]);
        const played = await site.game(["Cyd", "Dan"]);
        await site.play(played, 3);
        await site.abandon(played);
        await site.abandon(await site.openGame(4));
        await page.reload();
        await listed("Waiting for players").getByText("the dice are being drawn").waitFor();
        await listed("Abandoned").getByText("Cyd and Dan").waitFor();
        await listed("Abandoned").getByText("after 3 turns").waitFor();
        await listed("Abandoned").getByText("A game for 4").waitFor();
        await listed("Abandoned").getByText("before it began").waitFor();
        await listed("Abandoned").getByText("Cyd and Dan").click();
        await says(page, "This game was abandoned.");
      });
    } finally {
      site = others;
      await own.close();
    }
  });
});

describe("turns that somebody wants back", () => {
  it("stay where that is refused, and go where all agree", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name: "Ann" });
      await bob.goto(site.url + path);
      await takeSeat(bob, "Bob");
      await says(ann, "It is your turn.");
      await roll(ann).click();
      await says(bob, "It is your turn.");
      await ann.getByRole("button", { name: "Ask to take back my turn" }).click();
      await bob.locator(".question", { hasText: "Ann asks to take the last turn back. The dice will fall the same again." }).waitFor();
      await bob.getByRole("button", { name: "Refuse" }).click();
      await ann.locator(".question-words", { hasText: "Ann asked to take turns back. Somebody refused." }).waitFor();
      assert.equal(await turnOf(ann), 1);
      await ann.reload();
      await says(ann, "It is Bob’s turn.");
      assert.equal(await ann.locator(".question").isHidden(), true, "it may be an old one");
      await ann.getByRole("button", { name: "Ask to take back my turn" }).click();
      await bob.getByRole("button", { name: "Agree" }).click();
      await says(ann, "It is your turn.");
      await ann.locator(".question-words", { hasText: "Taken back, as Ann asked." }).waitFor();
      for (const page of [ann, bob]) await page.waitForFunction(() => document.querySelector(".turn-number").value === "0");
      await roll(ann).click();
      await says(bob, "It is your turn.");
      await says(ann, "It is Bob’s turn.");
      for (const page of [ann, bob]) {
        assert.equal(await turnOf(page), 1);
        assert.equal(await page.locator(".question").isHidden(), true, "what was taken back is no news any more");
      }
      await ann.reload();
      await says(ann, "It is Bob’s turn.");
      assert.equal(await ann.locator(".question").isHidden(), true);
    });
  });
});

describe("the focus", () => {
  const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.className);
  const press = async (button) => {
    await button.focus();
    await button.press("Enter");
  };

  it("stays in a game’s page where its element goes, so that no Enter rolls by mistake", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await site.play(game, 1);
      await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
      await says(page, "It is Bob’s turn.");
      await press(page.getByRole("button", { name: "Seats and links" }));
      await press(page.getByRole("button", { name: "Roll for me: Ann" }));
      await page.getByRole("button", { name: "I’m back: Ann" }).waitFor();
      assert.equal(await focused(page), "I’m back: Ann");
      await page.keyboard.press("Escape");
      await press(page.getByRole("button", { name: "I’m back", exact: true }));
      await page.locator(".wake").waitFor({ state: "hidden" });
      assert.equal(await focused(page), "turn-words");
      await site.play(game, 1);
      await says(page, "It is your turn.");
      await site.api("POST", `/api/games/${game.id}/takebacks`, { token: game.seats[1], body: { to: 1 } });
      await press(page.getByRole("button", { name: "Refuse" }));
      await page.locator(".question-words", { hasText: "Somebody refused." }).waitFor();
      assert.equal(await focused(page), "turn-words");
      await page.keyboard.press("Enter");
      assert.equal(await roll(page).textContent(), "Roll");
    });
  });

  it("stays in a lobby, whoever comes", async () => {
    await site.withPeople([{}], async (page) => {
      const { id } = await site.openGame(3);
      await page.goto(`${site.url}/g/${id}`);
      await takeSeat(page, "Ann");
      await says(page, "Waiting for 2 more players");
      assert.match(await focused(page), /turn-words/);
      await page.getByRole("button", { name: "My other device: Ann" }).focus();
      for (const [name, wait] of [["Bob", () => says(page, "Waiting for one more player")], ["Cyd", () => page.locator(".snl.live").waitFor()]]) {
        await site.api("POST", `/api/games/${id}/seats`, { body: { name } });
        await wait();
        assert.match(await focused(page), name === "Bob" ? /^My other device: Ann$/ : /turn-words/);
      }
    });
  });
});

describe("a game that has ended", () => {
  it("is played again by all who played it, the second one first, with new promises", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name: "Ann", wishes: () => chooseBoard(ann, "geeks30") });
      await bob.goto(site.url + path);
      await takeSeat(bob, "Bob");
      await says(ann, "It is your turn.");
      await playToTheEnd([ann, bob]);
      await ann.getByRole("button", { name: "Play again" }).click();
      await says(ann, "Waiting for Bob.");
      assert.notEqual(new URL(ann.url()).pathname, path);
      await bob.getByRole("button", { name: "Come to the next game" }).click();
      await says(bob, "It is your turn.");
      await says(ann, "It is Bob’s turn.");
      const { body } = await site.api("GET", `/api${new URL(bob.url()).pathname.replace("/g/", "/games/")}`);
      assert.ok(body.draw.entropy.every(Boolean), "both have a say in its dice");
    });
  });
});

describe("a game among friends", () => {
  it("is in no list unless that is asked for, and names are there the next time", async () => {
    await site.withPeople([{}], async (page) => {
      await page.goto(site.url);
      await page.getByLabel("All of us on this device").check();
      for (const [i, name] of ["Ann", "Bob"].entries()) await page.getByLabel(`Player ${i + 1}`, { exact: true }).fill(name);
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await says(page, "Ann, it is your turn.");
      const { body } = await site.api("GET", `/api${new URL(page.url()).pathname.replace("/g/", "/games/")}`);
      assert.equal(body.private, true);
      await page.goto(site.url);
      await page.getByLabel("All of us on this device").check();
      assert.equal(await page.getByLabel("Player 2", { exact: true }).inputValue(), "Bob");
    });
  });
});

describe("a game that is on", () => {
  for (const [width, height] of [[360, 640], [390, 844], [844, 390], [1024, 768], [1280, 800]])
    it(`has board, die and Roll on a screen of ${width} by ${height}, and badges beside names`, async () => {
      await site.withPeople([{ viewport: { width, height } }], async (page) => {
        const game = await site.game(["Ann", "Bob"], { board: "milton-bradley" });
        await site.play(game, 2);
        await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
        await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
        await says(page, "It is your turn.");
        const boxOf = (selector) => page.locator(selector).first().boundingBox();
        for (const what of [".picture", ".dice .die", ".roll"]) {
          const box = await boxOf(what);
          assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${what}: ${JSON.stringify(box)}`);
        }
        await page.getByRole("button", { name: "Seats and links" }).click();
        const [badge, name] = [await boxOf(".seat-list .badge"), await boxOf(".seat-list bdi")];
        assert.ok(badge.x + badge.width <= name.x, "a badge lies over a name");
      });
    });
});

describe("a long name", () => {
  it("fits beside the board of a phone that lies on its side", async () => {
    await site.withPeople([{ viewport: { width: 568, height: 320 } }], async (page) => {
      const game = await site.game(["Maximiliane Charlotte von Hohenstein", "Ann"]);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      assert.equal(await page.locator("h1 bdi[title]").count(), 1);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });
  });
});

describe("a machine without a network", () => {
  it("plays with a server of its own", async () => {
    await site.withPeople([{}], async (page) => {
      await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "onLine", { get: () => false }));
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
      await says(page, "It is your turn.");
      await roll(page).click();
      await says(page, "It is Bob’s turn.");
      await site.play(game, 1);
      await says(page, "It is your turn.");
      assert.equal(await page.locator(".connection").textContent(), "");
    });
  });
});

describe("a server that listens at every address", () => {
  it("gives others one of them, even to a host who opened this machine’s own", async () => {
    const open = await Site.open("0.0.0.0");
    const here = site;
    site = open;
    try {
      await site.withPeople([{}], async (page) => {
        await startOpenGame(page, open, { name: "Ann" });
        const link = new URL(await page.locator(".link-card input").inputValue());
        const others = (await page.locator("body").getAttribute("data-others")) || "http://0.0.0.0"; // a machine without a network
        assert.equal(link.hostname, new URL(others).hostname);
        assert.equal(link.port, new URL(open.url).port);
        const note = page.locator(".link-card .note", { hasText: "Only this computer can open this link" });
        assert.equal(await note.count(), link.hostname === "0.0.0.0" ? 1 : 0);
      });
    } finally {
      site = here;
      await open.close();
    }
  });
});

describe("names", () => {
  it("with markup are text everywhere", async () => {
    const name = "<img src=x onerror=alert(1)>&amp;\"'";
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name });
      await bob.goto(site.url + path);
      await bob.locator(".seat-list", { hasText: name }).waitFor();
      await takeSeat(bob, "</script><b>Bob</b>");
      await says(ann, "It is your turn.");
      await says(bob, `It is ${name}’s turn.`);
      await roll(ann).click();
      await says(ann, "It is </script><b>Bob</b>’s turn.");
      await ann.getByRole("button", { name: "Seats and links" }).click();
      await bob.goto(site.url);
      await bob.locator(".games", { hasText: name }).first().waitFor();
      for (const page of [ann, bob]) assert.equal(await page.locator("img, bdi b").count(), 0);
    });
  });
});

describe("names with characters that steer the text", () => {
  it("show these as their numbers, as the server does", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const [shown, other] = ["A\\u202enn", "B\\xadob"];
      const path = await startOpenGame(ann, site, { name: "A\u202enn", places: 3 });
      await bob.goto(site.url + path);
      await bob.locator(".seat-list", { hasText: shown }).waitFor();
      await takeSeat(bob, "B\u00adob");
      await ann.getByRole("button", { name: `Make host: ${other}` }).click();
      await ann.locator(".question-dialog", { hasText: `Make ${other} the host?` }).getByRole("button", { name: "Cancel" }).click();
      await ann.getByRole("button", { name: "Start now" }).click();
      await says(bob, `It is ${shown}’s turn.`);
      await ann.getByRole("button", { name: "Seats and links" }).click();
      await ann.getByRole("button", { name: `New link: ${other}` }).waitFor();
      const later = await ann.context().newPage();
      await later.goto(site.url);
      await later.locator(".own-list", { hasText: shown }).waitFor();
      for (const page of [ann, bob, later]) assert.doesNotMatch(await page.evaluate(() => document.documentElement.outerHTML + document.title), /[\u202e\u00ad]/);
      await ann.getByRole("button", { name: "Abandon the game" }).click();
      await ann.locator(".question-dialog").getByRole("button", { name: "Abandon the game" }).click();
      await bob.getByRole("button", { name: "Verify the dice" }).click();
      await bob.locator(".verdict p", { hasText: /^Sound\./ }).waitFor();
    });
  });
});

describe("dice of one’s own", () => {
  it("are put in, and what can’t be is said and can be put right", async () => {
    await site.withPeople([{}], async (page) => {
      const { id, seats } = await site.game(["Ann", "Bob"], { dice: "own", board: "class" });
      await page.goto(`${site.url}/g/${id}#seat=${seats[0]}`);
      await says(page, "It is your turn.");
      for (const face of [2, 3]) await page.getByRole("button", { name: `Add a ${face}` }).click();
      await roll(page).click();
      await page.locator(".action .trouble:not(:empty)").first().waitFor();
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByRole("button", { name: "Add a 6" }).click();
      await page.getByRole("button", { name: "Add a 2" }).click();
      assert.equal(await roll(page).textContent(), "Play 6-2");
      await roll(page).click();
      await says(page, "It is Bob’s turn.");
      assert.match(await page.locator(".sentence").textContent(), /^1\. Ann rolls 6-2/);
    });
  });
});

describe("a link to a seat", () => {
  it("leaves the address before anything is asked, and is in nobody’s log", async () => {
    await site.withPeople([{}], async (page) => {
      const { id, host, seats } = await site.game(["Ann", "Bob"], { private: true });
      await page.goto(`${site.url}/g/${id}#seat=${seats[0]}`);
      await says(page, "It is your turn.");
      assert.equal(page.url(), `${site.url}/g/${id}`);
      await page.goto(`${site.url}/g/${id}#host=${host}`);
      await page.getByRole("button", { name: "Seats and links" }).click();
      await page.getByRole("button", { name: "Abandon the game" }).click();
      await page.locator(".question-dialog").getByRole("button", { name: "Abandon the game" }).click();
      await says(page, "This game was abandoned.");
      await page.locator(".snl.ended").waitFor();
      for (const token of [host, ...seats]) assert.ok(!site.log.includes(token));
      assert.ok(!site.log.includes(id), "nor is a private game’s ID");
    });
  });

  it("is said to be incomplete where it is, and taken where a full stop stands after it", async () => {
    await site.withPeople([{}], async (page) => {
      const begun = await site.game(["Ann", "Bob"]);
      const open = await site.openGame(2);
      for (const [path, said] of [
        [`${begun.id}#seat=${begun.seats[0].slice(1)}`, "’s turn. The link that you opened is incomplete: copy it whole."],
        [`${open.id}#host=${open.host.slice(1)}&log=x`, "The link that you opened is incomplete: copy it whole. Take a seat"],
        [`${begun.id}#seat=${begun.seats[0]}.`, "It is your turn."],
      ]) {
        await page.goto(`${site.url}/g/${path}`);
        await says(page, said);
        assert.equal(new URL(page.url()).hash, "");
      }
    });
  });
});

describe("without JavaScript", () => {
  it("a game is watched", async () => {
    await site.withPeople([{ javaScriptEnabled: false }], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await site.play(game, 1);
      await page.goto(`${site.url}/g/${game.id}`);
      await page.locator("noscript .told-turns li, .told-turns li").first().waitFor();
      assert.equal(await page.locator(".told-turns li").count(), 1);
      assert.equal(await page.locator(".piece").count(), 2);
      await site.play(game, 1);
      await page.locator(".told-turns li").nth(1).waitFor(); // the page has loaded itself again
    });
  });
});

describe("a server that is killed", () => {
  it("is found again, and the game goes on", async () => {
    const own = await Site.open();
    const others = site;
    site = own;
    try {
      await site.withPeople([{}], async (page) => {
        const game = await own.game(["Ann", "Bob"]);
        await page.goto(`${own.url}/g/${game.id}#seat=${game.seats[0]}`);
        await says(page, "It is your turn.");
        await own.stop("SIGKILL");
        await page.locator(".connection", { hasText: "The connection is lost" }).waitFor();
        await roll(page).click();
        await own.start(own.port);
        await says(page, "It is Bob’s turn.");
        assert.equal(await turnOf(page), 1);
      });
    } finally {
      site = others;
      await own.close();
    }
  });
});

describe("a lost connection", () => {
  it("is told of, however often an attempt fails", async () => {
    await site.withPeople([{}], async (page) => {
      await page.addInitScript(() => {
        globalThis.EventSource = class extends EventSource {
          constructor(...words) {
            super(...words);
            globalThis.fail = () => setInterval(() => this.dispatchEvent(new Event("error")), 100);
          }
        };
      });
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      await page.evaluate(() => globalThis.fail());
      await page.locator(".connection.lost", { hasText: "The connection is lost" }).waitFor();
    });
  });
});

describe("a page that nobody looks at", () => {
  it("closes its stream, and knows all once it is looked at", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      await whileHidden(page, async () => {
        await site.play(game, 5);
        await page.waitForTimeout(500);
        assert.equal(await page.locator(".of-turns").textContent(), "of 0");
      });
      await page.waitForFunction(() => document.querySelector(".turn-number").value === "5");
    });
  });

  /** A page that hears by its stream only late that the game has begun, while its player looks elsewhere. */
  const callsFirstPlayer = (prepare) =>
    site.withPeople([{}], async (page) => {
      await page.addInitScript(() => {
        const add = EventSource.prototype.addEventListener;
        EventSource.prototype.addEventListener = function (type, hear) {
          add.call(this, type, (event) => {
            if (!/in-progress/.test(event.data)) hear(event);
            else setTimeout(() => this.readyState === EventSource.CLOSED || hear(event), 1000);
          });
        };
      });
      await prepare(page);
      const path = await startOpenGame(page, site, { name: "Ann" });
      await whileHidden(page, async () => {
        await site.api("POST", `${path.replace("/g/", "/api/games/")}/seats`, { body: { name: "Bob" } });
        await page.waitForFunction(() => document.title.startsWith("● "), null, { polling: 100 });
      });
      await says(page, "It is your turn.");
    });

  it("calls its player, though the answer to its own entropy is the first to say that the game has begun", () => callsFirstPlayer(() => {}));

  it("calls its player, though it has heard by then of no seat that it plays", () =>
    callsFirstPlayer((page) =>
      page.route("**/api/games/*", async (route) => {
        if (route.request().method() === "GET") await new Promise((resolve) => setTimeout(resolve, 3000));
        await route.continue();
      }),
    ));

  it("still plays: it sends what the dice need, and calls its player", async () => {
    await site.withPeople([{}, {}], async (ann, bob) => {
      const path = await startOpenGame(ann, site, { name: "Ann" });
      await whileHidden(ann, async () => {
        await bob.goto(site.url + path);
        await takeSeat(bob, "Bob"); // the last one: the dice are drawn
        await says(bob, "It is Ann’s turn.");
        await ann.waitForFunction(() => document.title === "● Ann v Bob · Snakes and Ladders", null, { polling: 100 });
      });
      await says(ann, "It is your turn.");
      assert.equal((await site.api("GET", path.replace("/g/", "/api/games/"))).body.redraws, 0);
      await roll(ann).click();
      await says(bob, "It is your turn.");
      await says(ann, "It is Bob’s turn.");
      assert.equal(await ann.title(), "Ann v Bob · Snakes and Ladders");
      await whileHidden(ann, async () => {
        await roll(bob).click();
        await ann.waitForFunction(() => document.title.startsWith("● "), null, { polling: 100 });
        assert.equal(await words(ann).textContent(), "It is Bob’s turn.", "the turn is told once she sees it");
      });
      await says(ann, "It is your turn.");
    });
  });
});

describe("a player’s own turn", () => {
  it("marks the title and the icon, and shakes a phone that was touched", async () => {
    await site.withPeople([phone], async (page) => {
      await page.addInitScript(() => {
        window.called = [];
        const activation = { hasBeenActive: false }; // for the browser's own, whatever a test evaluates is a touch
        Object.defineProperty(Navigator.prototype, "userActivation", { value: activation });
        addEventListener("pointerdown", () => (activation.hasBeenActive = true), true);
        for (const name of ["vibrate", "setAppBadge", "clearAppBadge"])
          Object.defineProperty(Navigator.prototype, name, { value: async (...what) => void window.called.push([name, ...what].join(" ")) });
      });
      const called = () => page.evaluate(() => window.called.splice(0));
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
      await says(page, "It is your turn.");
      assert.equal(await page.title(), "● Ann v Bob · Snakes and Ladders");
      assert.deepEqual(await called(), ["setAppBadge"]);
      await roll(page).click();
      await says(page, "It is Bob’s turn.");
      assert.equal(await page.title(), "Ann v Bob · Snakes and Ladders");
      assert.deepEqual(await called(), ["clearAppBadge"]);
      await site.play(game, 1);
      await says(page, "It is your turn.");
      assert.equal(await page.title(), "● Ann v Bob · Snakes and Ladders");
      assert.deepEqual(await called(), ["vibrate 80", "setAppBadge"]);
    });
  });

  it("isn’t called one while its dice fall, whoever plays it", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
      await says(page, "It is your turn.");
      await page.evaluate(() => {
        window.seen = [];
        const text = (selector) => document.querySelector(selector).textContent;
        new MutationObserver(() => window.seen.push([text(".turn-words"), text(".sentence")])).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      await roll(page).click();
      await says(page, "It is Bob’s turn.");
      await site.play(game, 1);
      await says(page, "It is your turn.");
      await site.play(game, 1); // from another device
      await says(page, "It is Bob’s turn.");
      const seen = await page.evaluate(() => window.seen);
      for (const turn of ["1.", "3."]) {
        const said = seen.filter(([, told]) => told.startsWith(turn)).map(([saying]) => saying);
        assert.ok(said.includes("Rolling…"), `${said}`);
        assert.ok(!said.includes("It is your turn."), `${said}`);
      }
    });
  });
});

describe("a game that is won", () => {
  it("throws confetti over those who see it, and none over those who want no motion", async () => {
    const game = await site.game(["Ann", "Bob"], { dice: "own", board: { cells: 10, width: 5 } });
    await site.throwDice(game, [4, 2]);
    await site.withPeople([{ reducedMotion: "no-preference" }, {}], async (ann, bob) => {
      for (const [seat, page] of [ann, bob].entries()) {
        await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[seat]}`);
        await says(page, seat === 0 ? "It is your turn." : "It is Ann’s turn.");
        await page.evaluate(() => {
          window.most = 0;
          new MutationObserver(() => (window.most = Math.max(window.most, document.querySelector(".joy").childElementCount))).observe(document.body, { subtree: true, childList: true });
        });
      }
      await site.throwDice(game, [5]);
      await says(ann, "You have won!");
      await says(bob, "Ann has won.");
      assert.ok((await ann.evaluate(() => window.most)) > 10);
      assert.equal(await bob.evaluate(() => window.most), 0);
    });
  });
});

describe("the manifest", () => {
  it("is linked, and all that it names is there", async () => {
    await site.withPeople([{}], async (page) => {
      await page.goto(site.url);
      const of = (path) => new URL(path, site.url).href;
      const answer = await page.request.get(of(await page.locator("link[rel=manifest]").getAttribute("href")));
      assert.match(answer.headers()["content-type"], /^application\/manifest\+json/);
      const { icons, start_url: start, scope, display } = await answer.json();
      assert.equal(display, "standalone");
      for (const path of [start, scope]) assert.equal((await page.request.get(of(path))).headers()["content-type"], "text/html; charset=utf-8");
      for (const { src, type } of icons) {
        assert.equal((await page.request.get(of(src))).headers()["content-type"], type);
        await page.evaluate((path) => Object.assign(new Image(), { src: path }).decode(), src);
      }
    });
  });
});

describe("a store that is put back to an older copy", () => {
  const shownHead = (page) => page.evaluate(() => JSON.parse(document.querySelector("script.state").textContent).head);

  it("is shown as it is now, though no turn came since the page was opened", async () => {
    await site.withPeople([{}, {}], async (page, hidden) => {
      const game = await site.game(["Ann", "Bob"]);
      await site.play(game, 3);
      const copy = join(site.folder, "copy.db");
      site.snl("db", "backup", copy);
      await site.play(game, 1);
      for (const one of [page, hidden]) {
        await one.goto(`${site.url}/g/${game.id}`);
        await says(one, "You are watching.");
      }
      await whileHidden(hidden, async () => {
        site.snl("db", "restore", copy, "--force");
        await page.waitForFunction(() => document.querySelector(".of-turns")?.textContent === "of 3");
        await site.play(game, 1); // the same dice, at another time
      });
      const { version, head } = (await site.api("GET", `/api/games/${game.id}`)).body;
      assert.equal(version, 5);
      await hidden.waitForFunction((wanted) => JSON.parse(document.querySelector("script.state")?.textContent ?? "{}").head === wanted, head);
      assert.equal(await shownHead(hidden), head);
    });
  });

  it("is shown as it is now, though it was played on further than the page had seen", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"], { dice: "own" });
      await site.throwDice(game, [1]);
      const copy = join(site.folder, "further.db");
      site.snl("db", "backup", copy);
      await site.throwDice(game, [5, 5]);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      await whileHidden(page, async () => {
        site.snl("db", "restore", copy, "--force");
        await site.throwDice(game, [2, 2, 2]);
      });
      await page.waitForFunction(() => document.querySelector(".turn-number")?.value === "4");
      assert.match(await page.locator(".turn-list").textContent(), /2Bob rolls 2/);
    });
  });
});

describe("a browser’s own EventSource", () => {
  it("tells each version once, comes back with the last one, and is ended by the 204", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"], { board: "geeks30" });
      await site.play(game, 2000);
      const { version } = (await site.api("GET", `/api/games/${game.id}`)).body;
      const answers = [];
      page.on("response", async (response) => response.url().includes("/events") && answers.push(response));
      await page.goto(site.url);
      await page.evaluate((path) => {
        const source = new EventSource(path);
        window.told = { source, versions: [], ends: 0 };
        source.addEventListener("commit", ({ lastEventId }) => window.told.versions.push(Number.parseInt(lastEventId, 10)));
        source.addEventListener("end", () => ++window.told.ends); // a page with a listener for this would close the stream
      }, `/api/games/${game.id}/events`);
      await page.waitForFunction(() => window.told.source.readyState === EventSource.CLOSED);
      while (answers.length < 2) await page.waitForTimeout(10);
      await page.waitForTimeout(3000); // longer than the browser waits before it reconnects
      assert.deepEqual(answers.map((answer) => answer.status()), [200, 204]);
      assert.match((await answers[1].request().allHeaders())["last-event-id"], new RegExp(`^${version}\\.[0-9a-f]{8}$`));
      const { versions, ends } = await page.evaluate(() => ({ versions: window.told.versions, ends: window.told.ends }));
      assert.deepEqual(versions, Array.from({ length: version }, (_, i) => i + 1));
      assert.equal(ends, 1);
    });
  });
});

describe("looking back", () => {
  it("goes by the slider, and Live returns", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await site.game(["Ann", "Bob"]);
      await site.play(game, 6);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      await page.getByRole("button", { name: "Replay" }).click();
      await page.locator(".slider").fill("2");
      await site.play(game, 1);
      await page.waitForFunction(() => document.querySelector(".of-turns").textContent === "of 7");
      assert.equal(await turnOf(page), 2);
      await page.getByRole("button", { name: "Live" }).click();
      await page.waitForFunction(() => document.querySelector(".turn-number").value === "7");
    });
  });
});

describe("a phone’s first sight of a game", () => {
  it("takes few bytes and no second request before it can be seen", async () => {
    const game = await site.game(["Ann", "Bob"]);
    await site.play(game, 30);
    await site.withPeople([phone], async (page) => {
      let bytes = 0;
      page.on("response", async (response) => (bytes += Number(response.headers()["content-length"] ?? 0)));
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
      assert.ok(bytes < 200_000, `${bytes} bytes`);
      const painted = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
      const paint = await painted.jsonValue();
      const { responseEnd, domInteractive } = await page.evaluate(() => performance.getEntriesByType("navigation")[0].toJSON());
      assert.ok(paint > 0 && domInteractive >= responseEnd);
      const needed = await page.evaluate((before) => performance.getEntriesByType("resource").filter(({ startTime, responseEnd: end, renderBlockingStatus: blocks }) => blocks === "blocking" && startTime < before && end > 0).length, paint);
      assert.equal(needed, 1, "the style alone holds it up");
    });
  });
});
