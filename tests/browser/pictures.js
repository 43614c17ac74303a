// Pictures of pages, compared with those in golden, tile by tile: other edges of letters pass, and a missing piece
// doesn't. SNL_UPDATE_GOLDEN=1 replaces the pictures.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { here } from "./workshop.js";

export const goldenOf = (name) => join(here, "golden", `${name}.png`);

const tile = 20; // pixels
const differs = { inTile: 0.15, inAll: 0.01 }; // parts that may differ

/** The difference between two pictures, in words; null if they differ at most at the edges of letters. */
export function difference(one, other) {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  if (a.width !== b.width || a.height !== b.height)
    return `${a.width} × ${a.height}, not ${b.width} × ${b.height}`;
  const marks = new PNG({ width: a.width, height: a.height });
  const all = pixelmatch(a.data, b.data, marks.data, a.width, a.height, { threshold: 0.15, diffMask: true });
  for (let top = 0; top < a.height; top += tile)
    for (let left = 0; left < a.width; left += tile) {
      let marked = 0;
      for (let y = top; y < Math.min(top + tile, a.height); ++y)
        for (let x = left; x < Math.min(left + tile, a.width); ++x)
          if (marks.data[4 * (y * a.width + x) + 3] > 0) ++marked;
      if (marked > differs.inTile * tile * tile) return `another picture at ${left}, ${top}`;
    }
  return all > differs.inAll * a.width * a.height ? `${all} pixels differ` : null;
}

/** A picture of the page at rest, in letters that every machine has. */
export async function pictured(page, options = {}) {
  await page.addStyleTag({ content: "* { font-family: 'DejaVu Sans' !important; }" });
  await page.evaluate(() => document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))));
  return page.screenshot({ animations: "disabled", ...options });
}

/** Compares a picture with the one that was approved. */
export function looksAsApproved(picture, name) {
  const path = goldenOf(name);
  if (process.env.SNL_UPDATE_GOLDEN === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, picture);
  }
  assert.ok(existsSync(path), path);
  const why = difference(picture, readFileSync(path));
  if (why) writeFileSync(join(process.env.SNL_PICTURES ?? tmpdir(), `${name.replaceAll("/", "-")}.png`), picture);
  assert.equal(why, null, `see ${path}; SNL_PICTURES=FOLDER keeps what was seen`);
}
