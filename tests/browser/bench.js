// The time that the page of a game of 10,000 turns takes to show another turn, next to that of a game of 100. It is
// measured from the call to the end of the layout, and to the end of the frame on the screen.

import { performance } from "node:perf_hooks";
import { Workshop } from "./workshop.js";

const bar = 50; // milliseconds
const barOfPrinting = 5_000;
const seeks = 200;

/** A game that nobody can win: snakes on each of the last cells that a die could pass. */
function recordLongGame(shop, id, turns) {
  const snakes = [94, 95, 96, 97, 98, 99].flatMap((head) => ["--snake", `${head},${head - 90}`]);
  shop.snl("new", "Ann", "Bob", "--cells", "100", ...snakes, "--ladder", "3,50", "--sixes", "plain", "--seed", "4", "--id", id);
  shop.snl("roll", id, "--all", "--max-turns", String(turns));
}

async function measured(shop, turns) {
  const id = `long.${turns}`;
  recordLongGame(shop, id, turns);
  let began = performance.now();
  const path = shop.exported(id);
  const exporting = performance.now() - began;
  let figures, printing;
  await shop.withPage(path, { reducedMotion: "reduce" }, async (page) => {
    figures = await page.evaluate(
      async ({ turns, seeks }) => {
        const laidOut = [];
        const onScreen = [];
        const slider = document.querySelector(".slider");
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        for (let i = 0; i < seeks; ++i) {
          await frame();
          const began = performance.now();
          slider.value = Math.floor((turns * ((i * 0.6180339887) % 1)));
          slider.dispatchEvent(new Event("input"));
          document.body.getBoundingClientRect();
          laidOut.push(performance.now() - began);
          await frame();
          await new Promise((resolve) => setTimeout(resolve));
          onScreen.push(performance.now() - began);
        }
        const timing = performance.getEntriesByType("navigation")[0];
        return { laidOut, onScreen, loading: timing.loadEventEnd - timing.responseEnd };
      },
      { turns, seeks },
    );
    began = performance.now();
    await page.pdf();
    printing = performance.now() - began;
  });
  return { ...figures, exporting, printing };
}

const at = (part, numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(part * (numbers.length - 1))];
const row = (name, numbers) =>
  `${name.padEnd(44)}${[0.5, 0.95, 1].map((part) => at(part, numbers).toFixed(1).padStart(9)).join("")}`;

const shop = await Workshop.open();
try {
  console.log(`chromium ${shop.browser.version()}, ${seeks} seeks each; milliseconds`);
  console.log(`${"".padEnd(44)}${["median", "95 %", "longest"].map((name) => name.padStart(9)).join("")}`);
  const long = await measured(shop, 10_000);
  const short = await measured(shop, 100);
  console.log(row("a seek in 10,000 turns, laid out", long.laidOut) + `   bar <= ${bar}`);
  console.log(row("  the same in 100", short.laidOut));
  console.log(row("a seek in 10,000 turns, on the screen", long.onScreen) + `   bar <= ${bar}`);
  console.log(row("  the same in 100", short.onScreen));
  console.log(row("opening the page of 10,000 turns", [long.loading]));
  console.log(row("exporting it, chances and all", [long.exporting]));
  console.log(row("printing it", [long.printing]) + `   bar <= ${barOfPrinting}`);
  process.exitCode = at(0.5, long.onScreen) <= bar && long.printing <= barOfPrinting ? 0 : 1;
} finally {
  await shop.close();
}
