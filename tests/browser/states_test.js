// Goal: every state that a page of the server's can be in serves everybody: no fault that axe-core finds, in light,
// dark and forced colours, and nothing wider than a small phone. Method: a real server, and a browser for each state.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { here } from "./workshop.js";
import { says, Site, startOpenGame } from "./serving.js";

let site;

before(async () => (site = await Site.open()));
after(() => site.close());

const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");

/** Every fault that axe-core finds. The policy lets no script in: it is put there by the test's own hand. */
async function faultsOf(page) {
  await page.evaluate(axe);
  return page.evaluate(async () =>
    (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
  );
}

const looks = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, forced: { forcedColors: "active" } };

/** The states that a page can be in, each as a way to come there. */
const states = {
  home: async (page) => page.goto(site.url),
  "home with choices": async (page) => {
    await page.goto(site.url);
    await page.getByLabel("All of us on this device").check();
    await page.locator(".choices-of-game summary").click();
  },
  lobby: async (page) => startOpenGame(page, site, { name: "Ann", places: 3 }).then(() => page.locator(".code-picture").waitFor()),
  drawing: async (page) => {
    const game = await site.drawingGame(["Ann", "Bob"]);
    await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
    await says(page, "The dice are being drawn");
  },
  "abandoned before it began": async (page) => {
    const game = await site.openGame(3);
    await site.api("POST", `/api/games/${game.id}/seats`, { body: { name: "Ann" } });
    await site.abandon(game);
    await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
    await says(page, "This game was abandoned.");
  },
  "home with all lists": async (page) => {
    await site.drawingGame(["Ann", "Bob"]);
    await site.abandon(await site.game(["A".repeat(80), "Bob"]));
    await page.goto(site.url);
    await page.getByRole("heading", { name: "Abandoned" }).waitFor();
  },
  watching: async (page) => {
    const game = await site.game(["Ann", "Bob"]);
    await site.play(game, 6);
    await page.goto(`${site.url}/g/${game.id}`);
    await says(page, "You are watching.");
  },
  "own turn": async (page) => {
    const game = await site.game(["Ann", "Bob", "Cyd"]);
    await site.play(game, 6);
    await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
    await says(page, "It is your turn.");
  },
  "own dice": async (page) => {
    const game = await site.game(["Ann", "Bob"], { dice: "own" });
    await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
    await says(page, "It is your turn.");
    await page.getByRole("button", { name: "Add a 5" }).click();
  },
  "a question": async (page) => {
    const game = await site.game(["Ann", "Bob"]);
    await site.play(game, 1);
    await site.api("POST", `/api/games/${game.id}/takebacks`, { token: game.seats[0], body: { to: 0 } });
    await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[1]}`);
    await page.getByRole("button", { name: "Agree" }).waitFor();
  },
  seats: async (page) => {
    const game = await site.game(["Ann", "Bob"]);
    await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
    await page.getByRole("button", { name: "Seats and links" }).click();
  },
  "a question before it is done": async (page) => {
    await states.seats(page);
    await page.getByRole("button", { name: "Abandon the game" }).click();
    await page.locator(".question-dialog").waitFor();
  },
  "a question in the lobby": async (page) => {
    await states.lobby(page);
    await page.getByRole("button", { name: "Abandon" }).click();
    await page.locator(".question-dialog").waitFor();
  },
  "connection lost": async (page) => {
    await states["own turn"](page);
    await page.context().setOffline(true);
    await page.locator(".connection", { hasText: "The connection is lost" }).waitFor();
  },
  "a link": async (page) => {
    const game = await site.game(["Ann", "Bob"]);
    await page.goto(`${site.url}/g/${game.id}#seat=${game.seats[0]}`);
    await page.getByRole("button", { name: "Seats and links" }).click();
    await page.getByRole("button", { name: "Link: Ann" }).click();
    await page.locator(".code-picture").waitFor();
  },
  ended: async (page) => {
    const game = await site.game(["Ann", "Bob"], { board: "geeks30" });
    await site.play(game, 2000);
    await page.goto(`${site.url}/g/${game.id}`);
    await page.getByRole("button", { name: "Verify the dice" }).click();
    await page.locator(".verdict", { hasText: "Proved:" }).waitFor();
  },
  abandoned: async (page) => {
    const game = await site.game(["Ann", "Bob"]);
    await site.play(game, 6);
    await site.abandon(game);
    await page.goto(`${site.url}/g/${game.id}#host=${game.host}`);
    await says(page, "This game was abandoned.");
    await page.getByRole("button", { name: "Verify the dice" }).waitFor();
  },
  missing: async (page) => page.goto(`${site.url}/g/none`),
};

describe("every state", () => {
  for (const [state, comeTo] of Object.entries(states))
    it(`“${state}” has no fault that axe-core finds, and fits 320 pixels`, async () => {
      for (const options of Object.values(looks))
        await site.withPeople([{ ...options, viewport: { width: 320, height: 640 } }], async (page) => {
          await comeTo(page);
          assert.deepEqual(await faultsOf(page), []);
          const overflow = await page.evaluate(() => {
            const dialogs = [...document.querySelectorAll("dialog[open]")];
            const ends = dialogs.flatMap((dialog) => [dialog.getBoundingClientRect().right - innerWidth, dialog.scrollWidth - dialog.clientWidth]);
            return Math.max(document.documentElement.scrollWidth - innerWidth, ...ends);
          });
          assert.ok(overflow <= 0, `it is ${overflow} pixels too wide`);
        });
    });
});
