// Goal: everybody can use a server's page in every state. axe-core finds no fault in light, dark and forced colours, and
// nothing is wider than a small phone. Method: a real server, and a browser for each state.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { here } from "./workshop.js";
import { Site } from "./serving.js";
import { states } from "./states.js";

let site;

before(async () => (site = await Site.open()));
after(() => site.close());

const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");

/** Every fault that axe-core finds. The policy allows no script, so the test evaluates axe-core in the page. */
async function faultsOf(page) {
  await page.evaluate(axe);
  return page.evaluate(async () =>
    (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
  );
}

const looks = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, forced: { forcedColors: "active" } };

describe("every state", () => {
  for (const [state, { comeTo }] of Object.entries(states))
    it(`“${state}” has no fault that axe-core finds, and fits 320 pixels`, async () => {
      for (const options of Object.values(looks))
        await site.withPeople([{ ...options, viewport: { width: 320, height: 640 } }], async (page) => {
          await comeTo(page, site);
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
