// The states of a server's page, each with the steps that lead there. `steady`: it looks the same each time, except for
// the elements that `passing` names. `pictured`: the part that its picture shows, if that isn’t the top.

import { says, startOpenGame, takeSeat } from "./serving.js";

/** IDs, links and clocks, which differ from run to run. */
export const passing = "header p, .link-card input, .code-picture, .clock, .facts dd, .games";

const small = { cells: 10, width: 5, snakes: [[8, 2]], ladders: [[3, 7]] };

/** A game of the command line, whose dice fall the same each time. */
function sameGame(site) {
  const id = `same-${sameGames++}`;
  site.snl("new", "Ann", "Bob", "--board", "geeks30", "--seed", "13", "--id", id);
  site.snl("roll", id, "--all");
  return id;
}
let sameGames = 0;

/** Hashes depend on the time: their width would change the lines. */
const evenHashes = (page) =>
  page.locator(".verdict li").evaluateAll((items) => {
    for (const item of items) item.textContent = item.textContent.replace(/[0-9a-f]{64}/g, "0".repeat(64));
  });

/** A game that was won in three turns: Bob climbs, Ann comes first. */
async function wonGame(site) {
  const game = await site.game(["Ann", "Bob"], { dice: "own", board: small });
  await site.throwDice(game, [4, 2, 5]);
  return game;
}

/** A game that is on, with three pieces on the board that most people play on. */
async function runningGame(site, wishes = {}) {
  const game = await site.game(["Ann", "Bob", "Cyd"], { dice: "own", board: "milton-bradley", ...wishes });
  await site.throwDice(game, [4, 5, 3, 2]);
  return game;
}

const seatOf = (site, game, seat) => `${site.url}/g/${game.id}#seat=${game.seats[seat]}`;

export const states = {
  home: { steady: true, comeTo: async (page, site) => page.goto(site.url) },
  "home with choices": {
    steady: true,
    comeTo: async (page, site) => {
      await page.goto(site.url);
      await page.getByLabel("All of us on this device").check();
      await page.locator(".choices-of-game summary").click();
    },
  },
  "home with all lists": {
    comeTo: async (page, site) => {
      await site.drawingGame(["Ann", "Bob"]);
      await site.abandon(await site.game(["A".repeat(80), "Bob"]));
      await page.goto(site.url);
      await page.getByRole("heading", { name: "Abandoned" }).waitFor();
    },
  },
  "lobby as host": {
    steady: true,
    comeTo: async (page, site) => {
      await startOpenGame(page, site, { name: "Ann", places: 3 });
      await page.getByRole("button", { name: "Add a computer" }).click();
      await page.locator(".seat-list small", { hasText: "computer" }).waitFor();
      await page.locator(".code-picture").waitFor();
    },
  },
  "lobby as guest": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await site.openGame(3);
      await page.goto(`${site.url}/g/${game.id}`);
      await takeSeat(page, "Bob");
      await says(page, "Waiting for 2 more players");
    },
  },
  "lobby as a stranger": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await site.openGame(3);
      await site.api("POST", `/api/games/${game.id}/seats`, { body: { name: "Ann" } });
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "Take a seat: write your name.");
      await page.locator(".code-picture").waitFor();
    },
  },
  drawing: {
    steady: true,
    comeTo: async (page, site) => {
      const game = await site.drawingGame(["Ann", "Bob"]);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      await says(page, "The dice are being drawn");
    },
  },
  "abandoned before it began": {
    comeTo: async (page, site) => {
      const game = await site.openGame(3);
      await site.api("POST", `/api/games/${game.id}/seats`, { body: { name: "Ann" } });
      await site.abandon(game);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      await says(page, "This game was abandoned.");
    },
  },
  watching: {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await page.goto(`${site.url}/g/${game.id}`);
      await says(page, "You are watching.");
    },
  },
  "own turn": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await site.game(["Ann", "Bob", "Cyd"], { board: "party", pace: 300 });
      await page.goto(seatOf(site, game, 0));
      await says(page, "It is your turn.");
    },
  },
  "other’s turn": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await page.goto(seatOf(site, game, 0));
      await says(page, "It is Bob’s turn.");
    },
  },
  rolling: {
    steady: true,
    comeTo: async (page, site) => {
      await states["own turn"].comeTo(page, site);
      await page.route("**/turns", () => {}); // the server doesn't respond yet
      await page.locator(".roll").click();
      await page.locator(".roll", { hasText: "…" }).waitFor();
    },
  },
  rolled: {
    comeTo: async (page, site) => {
      const game = await site.game(["Ann", "Bob"], { board: "milton-bradley" });
      await page.goto(seatOf(site, game, 0));
      await says(page, "It is your turn.");
      await page.locator(".roll").click();
      await says(page, "It is Bob’s turn.");
    },
  },
  "own dice": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await page.goto(seatOf(site, game, 1));
      await says(page, "It is your turn.");
      await page.getByRole("button", { name: "Add a 5" }).click();
    },
  },
  "rolled for": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await site.game(["Ann", "Bob"], { board: "milton-bradley" });
      await site.api("PUT", `/api/games/${game.id}/seats/1/auto`, { token: game.seats[1], body: { on: true } });
      await page.goto(seatOf(site, game, 1));
      await page.getByRole("button", { name: "I’m back" }).waitFor();
    },
  },
  "a question": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await site.api("POST", `/api/games/${game.id}/takebacks`, { token: game.seats[0], body: { to: 3 } });
      await page.goto(seatOf(site, game, 2));
      await page.getByRole("button", { name: "Agree" }).waitFor();
    },
  },
  "taken back": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await site.api("POST", `/api/games/${game.id}/takebacks`, { token: game.seats[0], body: { to: 3 } });
      for (const seat of [1, 2]) await site.api("POST", `/api/games/${game.id}/takebacks/1`, { token: game.seats[seat], body: { agree: true } });
      await page.goto(seatOf(site, game, 2));
      await page.getByText("Taken back, as Ann asked.").waitFor();
    },
  },
  seats: {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      await page.getByRole("button", { name: "Seats and links" }).click();
      await page.getByRole("button", { name: "New link: Bob" }).waitFor();
    },
  },
  "a question before it is done": {
    comeTo: async (page, site) => {
      await states.seats.comeTo(page, site);
      await page.getByRole("button", { name: "Abandon the game" }).click();
      await page.locator(".question-dialog").waitFor();
    },
  },
  "a question in the lobby": {
    comeTo: async (page, site) => {
      await states["lobby as host"].comeTo(page, site);
      await page.getByRole("button", { name: "Abandon" }).click();
      await page.locator(".question-dialog").waitFor();
    },
  },
  "a link": {
    comeTo: async (page, site) => {
      const game = await site.game(["Ann", "Bob"]);
      await page.goto(seatOf(site, game, 0));
      await page.getByRole("button", { name: "Seats and links" }).click();
      await page.getByRole("button", { name: "My other device: Ann", exact: true }).click();
      await page.locator(".code-picture").waitFor();
    },
  },
  "connection lost": {
    steady: true,
    comeTo: async (page, site) => {
      await states["other’s turn"].comeTo(page, site);
      await page.context().setOffline(true);
      await page.locator(".connection", { hasText: "The connection is lost" }).waitFor();
    },
  },
  "server down": {
    steady: true,
    comeTo: async (page, site) => {
      await states["own turn"].comeTo(page, site);
      await page.context().setOffline(true);
      await page.locator(".connection", { hasText: "The connection is lost" }).waitFor();
      await page.locator(".roll").click();
      await page.locator(".roll", { hasText: "…" }).waitFor();
    },
  },
  "ended as winner": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await wonGame(site);
      await page.goto(seatOf(site, game, 0));
      await page.getByRole("button", { name: "Play again" }).waitFor();
    },
  },
  "ended as loser": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await wonGame(site);
      await page.goto(seatOf(site, game, 1));
      await page.getByRole("button", { name: "Play again" }).waitFor();
    },
  },
  verified: {
    steady: true,
    pictured: ".verdict",
    comeTo: async (page, site) => {
      await page.goto(`${site.url}/g/${sameGame(site)}`);
      await page.getByRole("button", { name: "Verify the dice" }).click();
      await page.locator(".verdict p", { hasText: /^Sound\./ }).waitFor();
      await evenHashes(page);
    },
  },
  "verified, and wrong": {
    steady: true,
    pictured: ".verdict",
    comeTo: async (page, site) => {
      await page.route("**/g/*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace(/\],true,\d+,/, "],true,1000,") }); // the time when the turn began
      });
      await page.goto(`${site.url}/g/${sameGame(site)}`);
      await page.getByRole("button", { name: "Verify the dice" }).click();
      await page.locator(".verdict p", { hasText: /^Not sound\./ }).waitFor();
    },
  },
  abandoned: {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await site.abandon(game);
      await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
      await says(page, "This game was abandoned.");
      await page.getByRole("button", { name: "Verify the dice" }).waitFor();
    },
  },
  "for a room": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await runningGame(site);
      await page.goto(`${site.url}/g/${game.id}?watch`);
      await says(page, "It is Bob’s turn.");
    },
  },
  "for a room, before the start": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await site.openGame(3);
      await site.api("POST", `/api/games/${game.id}/seats`, { body: { name: "Ann" } });
      await page.goto(`${site.url}/g/${game.id}?watch`);
      await page.locator(".code-picture").waitFor();
    },
  },
  "for a room, at the end": {
    steady: true,
    comeTo: async (page, site) => {
      const game = await wonGame(site);
      await page.goto(`${site.url}/g/${game.id}?watch`);
      await says(page, "Ann has won.");
    },
  },
  "an alarm of the log": {
    steady: true,
    comeTo: async (page, site) => {
      await page.goto(site.url);
      const words = "This is not the log that this browser saw on 25 November 2026 (41 commits). What was recorded then was changed or taken away.";
      await page.evaluate((alarm) => localStorage.setItem("snl.log.alarm", alarm), JSON.stringify({ words, evidence: "" }));
      await states["own turn"].comeTo(page, site);
      await page.locator(".log-alarm:not([hidden])").waitFor();
    },
  },
  missing: { steady: true, comeTo: async (page, site) => page.goto(`${site.url}/g/none`) },
};
