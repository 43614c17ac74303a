// Goal: everybody can use a server's page in every state. axe-core finds no fault in light, dark and forced colours, and
// nothing is wider than a small phone. Method: a real server and one browser reach each state once.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { here } from "./workshop.js";
import { Site } from "./serving.js";
import { states } from "./states.js";

let site;

before(async () => (site = await Site.open("127.0.0.1", ["--limit", "draw=0"]))); // a draw without an end stays
after(() => site.close());

const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");

/** Every fault that axe-core finds in a page that it was evaluated in. */
const faultsOf = (page) =>
  page.evaluate(async () =>
    (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
  );

const looks = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  forced: { colorScheme: "light", forcedColors: "active" },
};

describe("every state", () => {
  for (const [state, { comeTo }] of Object.entries(states))
    it(`“${state}” has no fault that axe-core finds, and fits 320 pixels`, async () => {
      await site.withPeople([{ viewport: { width: 320, height: 640 } }], async (page) => {
        await comeTo(page, site);
        await page.evaluate(axe); // the policy allows no script
        for (const [look, media] of Object.entries(looks)) {
          await page.emulateMedia(media);
          assert.deepEqual(await faultsOf(page), [], look);
          const overflow = await page.evaluate(() => {
            const dialogs = [...document.querySelectorAll("dialog[open]")];
            const ends = dialogs.flatMap((dialog) => [dialog.getBoundingClientRect().right - innerWidth, dialog.scrollWidth - dialog.clientWidth]);
            return Math.max(document.documentElement.scrollWidth - innerWidth, ...ends);
          });
          assert.ok(overflow <= 0, `${look}: it is ${overflow} pixels too wide`);
        }
      });
    });
});
