// Goal: a page proves its game by what it carries, and says where one was changed. Method: the parts are
// held against the examples of storage/README.md, which they were made from; pages are changed by hand.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runInThisContext } from "node:vm";
import { here, Workshop } from "./workshop.js";

const source = (name) => readFileSync(join(here, "../../cli/page", name), "utf8");
const { ownSha256, hexOf, hashedBytes, philox, seededDie } = runInThisContext(
  ["sha256.js", "seeded_dice.js", "proof.js"].map(source).join("\n") + "\n({ ownSha256, hexOf, hashedBytes, philox, seededDie })",
);
const specification = readFileSync(join(here, "../../storage/README.md"), "utf8");

describe("the parts of the proof", () => {
  it("make the SHA-256 of anything", () => {
    for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (7 * i + length) % 256);
      assert.equal(hexOf(ownSha256(bytes)), createHash("sha256").update(bytes).digest("hex"), `${length}`);
    }
  });

  it("make the hashes of the specification's examples", () => {
    const examples = [...specification.matchAll(/```hash\n(.*?)```/gs)].map(([, text]) =>
      Object.fromEntries(text.trimEnd().split("\n").map((line) => /^(\w+) +(.*)$/.exec(line).slice(1))));
    assert.equal(examples.length, 2);
    for (const example of examples) assert.equal(hexOf(ownSha256(hashedBytes(example.previous, example))), example.hash);
  });

  it("roll the dice of the specification's examples", () => {
    const words = philox([0n, 0n, 0n, 0n], [0n, 0n]).map((word) => word.toString(16));
    assert.ok(specification.includes(words.join(" ")), `${words}`);
    const table = /\| seed \| turn \| die \| faces \| value \|\n.*?\n((?:\|.*\n)+)/.exec(specification)[1];
    const rows = table.trimEnd().split("\n").map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
    assert.equal(rows.length, 11);
    for (const [seed, turn, die, faces, value] of rows)
      assert.equal(seededDie(BigInt(seed), Number(turn), Number(die), Number(faces)), Number(value), `${seed} ${turn} ${die}`);
  });
});

let shop;
let match; // 41 commits, 39 turns of which two were taken back

before(async () => {
  shop = await Workshop.open();
  shop.snl("import", join(here, "match.jsonl"));
  match = shop.exported("match");
});
after(() => shop.close());

/** What a page answers to Verify. */
async function verdict(path, { without = null, ...options } = {}) {
  let words;
  await shop.withPage(path, options, async (page) => {
    if (without) {
      await page.addInitScript(without);
      await page.reload();
    }
    await page.locator(".verify").click();
    await page.locator(".verdict", { hasText: /proved|sound|read/i }).waitFor();
    words = await page.locator(".verdict").innerText();
  });
  return words;
}

/** A page of the same game, of which something was changed by hand. */
function forged(what, from, to) {
  const html = readFileSync(match, "utf8");
  assert.ok(html.search(from) >= 0, what);
  const path = join(shop.folder, "forged.html");
  writeFileSync(path, html.replace(from, to));
  return path;
}

describe("Verify", () => {
  it("says what it proved, and what it can't", async () => {
    const words = await verdict(match);
    const { head } = JSON.parse(shop.snl("show", "match", "--json"));
    assert.match(words, new RegExp(`41 commits are whole, in order, and lead to the head ${head}`));
    assert.match(words, /39 turns that you see are theirs/);
    assert.match(words, /49 dice rolled from seed 13, rolled again, fell the same/);
    assert.match(words, /Not proved:[^]*a head that you kept[^]*snl audit decides/);
    assert.equal(await verdict(match, { without: () => Object.defineProperty(crypto, "subtle", { value: undefined }) }), words);
  });

  it("says where a page was changed", async () => {
    const forgeries = [
      ["a time", /(\\"version\\":5,\\"time\\":\\"20)\d\d/, "$199", /^Not sound. Version 5 isn’t what was hashed/],
      ["a player's name everywhere", /Bob/g, "Bop", /^Not sound. Version 1 isn’t what was hashed/],
      ["a shown name", /"players":\["Ann","Bob"\]/, '"players":["Ann","Bop"]', /The players whom the page shows/],
      ["a shown die", /\["4",\[96,100\]/, '["5",[96,100]', /Turn 37 \(version 41\) as the page shows/],
      ["whose turn it was", /"seats":"01/, '"seats":"11', /Turn 1 \(version 2\) as the page shows/],
      ["a turn that was taken back", /"undone":\[\[\d+,\d+\],/, '"undone":[', /as the page shows/],
      ["a snake", /class="snake tint-0" data-from="\d+"/, 'class="snake tint-0" data-from="98"', /The snakes that the page shows/],
      ["the head", /(\\"head\\":\\")..../, "$1beef", /Version 41 has another hash than the head/],
      ["a commit less", /"\{\\"game\\":\\"match\\",\\"version\\":20,.*?\}",/, "", /Version 20 is missing: 21 stands/],
      ["the last one", /,"\{\\"game\\":\\"match\\",\\"version\\":41,[^]*?\}"\]/, "]", /The log ends at version 40, not at 41/],
      ["what isn't JSON", /class="export">\[/, 'class="export">', /^Not sound. The export can’t be read/],
    ];
    for (const [what, from, to, answer] of forgeries) assert.match(await verdict(forged(what, from, to)), answer, what);
  });

  it("finds dice that don't follow the seed, in a log that was hashed anew", async () => {
    const lines = readFileSync(join(here, "match.jsonl"), "utf8").trimEnd().split("\n");
    let previous = "0".repeat(64);
    const commits = lines.slice(1).map((line, i) => {
      const changed = i === 0 ? line.replaceAll('],13,null]', '],14,null]') : line;
      const [, game, time, command, events] = /^\{"game":"(.*?)","version":\d+,"time":"(.*?)","command":(.*?),"events":(\[\{.*\]),"hash"/.exec(changed);
      const hash = hexOf(ownSha256(hashedBytes(previous, { game, time, command, events })));
      previous = hash;
      return changed.replace(/"hash":".*"/, `"hash":"${hash}"`);
    });
    const log = JSON.stringify([lines[0].replace(/"head":".*"/, `"head":"${previous}"`), ...commits]);
    assert.match(await verdict(forged("the seed", /(class="export">).*?(?=<)/s, (_, tag) => tag + log)), /^Not sound. Version \d+, turn \d+: die 1 is \d, where the seed makes \d/);
  });

  it("proves any game: branches, names of any kind, typed dice, seeds of 64 bits, 10,000 turns", async () => {
    shop.snl("branch", "match", "--at", "30", "--id", "branch");
    shop.snl("roll", "branch", "-n", "3");
    shop.snl("new", "\u202Ename", '"\\,"events":[{', "</script><!--", "--seed", "18446744073709551615", "--board", "class", "--id", "odd");
    shop.snl("roll", "odd", "-n", "9");
    shop.snl("undo", "odd", "-n", "4");
    shop.snl("redo", "odd", "-n", "3");
    shop.snl("undo", "odd", "--to", "2");
    shop.snl("redo", "odd", "-n", "1");
    shop.snl("roll", "odd", "-n", "2");
    shop.snl("new", "Ann", "Bob", "--id", "typed");
    shop.snl("play", "typed", "Ann", "3");
    shop.snl("new", "Ann", "Bob", "Cyd", "--board", "party", "--meet", "capture", "--seed", "5", "--id", "party");
    shop.snl("roll", "party", "-n", "30");
    shop.snl("undo", "party", "-n", "2");
    shop.snl("redo", "party");
    assert.match(await verdict(shop.exported("party")), /^Proved/);
    assert.match(await verdict(shop.exported("branch")), /^Proved/);
    assert.match(await verdict(shop.exported("odd")), /^Proved[^]*seed 18446744073709551615/);
    assert.match(await verdict(shop.exported("typed")), /the dice of 1 turn fell: they were typed in/);
    const snakes = [94, 95, 96, 97, 98, 99].flatMap((head) => ["--snake", `${head},${head - 90}`]);
    shop.snl("new", "Ann", "Bob", "--cells", "100", ...snakes, "--sixes", "plain", "--seed", "4", "--id", "long");
    shop.snl("roll", "long", "--all", "--max-turns", "10000");
    const long = shop.exported("long");
    const began = performance.now();
    assert.match(await verdict(long), /10000 dice rolled from seed 4/);
    assert.ok(performance.now() - began < 15_000);
  });
});
