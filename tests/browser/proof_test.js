// Goal: a page proves its game by the data in it, and says where a game was changed. Method: the parts are compared
// with the examples of storage/format.md, which they were made from. Pages are changed by hand.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runInThisContext } from "node:vm";
import { here, Workshop } from "./workshop.js";

const nacl = createRequire(import.meta.url)("/usr/share/nodejs/tweetnacl/nacl-fast.js");
const source = (name) => readFileSync(join(here, "../../cli", name), "utf8");
const { ownSha256, hexOf, hashedBytes, philox, seededDie, drawnSeed, provenLog, wordsOfDraw, Kept, keptPromises } = runInThisContext(
  ["page/sha256.js", "page/seeded_dice.js", "page/proof.js", "server/pages/kept.js", "server/pages/promises.js"].map(source).join("\n") +
    "\n({ ownSha256, hexOf, hashedBytes, philox, seededDie, drawnSeed, provenLog, wordsOfDraw, Kept, keptPromises })",
);
const specification = readFileSync(join(here, "../../storage/format.md"), "utf8");

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

describe("the commitments that a browser keeps", () => {
  const state = (status, commitment, redraws = 0) => ({ status, draw: { commitment }, redraws });
  const proved = ({ game }, commitment, ...entropy) =>
    keptPromises(game, new Map(), { hashes: [""], draw: [commitment, "", entropy] });
  const withSeat = (game) => {
    const kept = new Kept(game);
    kept.takeSeat({ token: "ann", entropy: "aa" });
    kept.rememberDraw(state("open", "first"));
    return kept;
  };

  it("stay while the draw is the same", () => {
    const kept = withSeat("same");
    kept.rememberDraw(state("drawing", "other"));
    assert.match(proved(kept, "first", "aa").join(), /before any seat showed.*made with this browser’s own/);
    assert.throws(() => proved(kept, "other", "aa"), /isn’t the one that was promised/);
  });

  it("are made anew where the draw begins again", () => {
    const kept = withSeat("again");
    kept.rememberDraw(state("open", "second", 1));
    kept.promiseAnew({ token: "ann", entropy: "bb" });
    kept.rememberDraw(state("in-progress", "second", 1));
    assert.match(proved(kept, "second", "bb").join(), /before any seat showed.*made with this browser’s own/);
    assert.throws(() => proved(kept, "first", "bb"), /isn’t the one that was promised/);
    assert.throws(() => proved(kept, "second", "aa"), /isn’t among those that they were made from/); // the server knew it when it committed
  });

  it("prove nothing where the server commits after a seat could reveal its entropy", () => {
    const late = new Kept("late");
    late.rememberDraw(state("in-progress", "first"));
    assert.deepEqual(proved(late, "first", "cc"), []);
    const kept = withSeat("exchanged");
    kept.rememberDraw(state("drawing", "second", 1));
    assert.deepEqual(proved(kept, "second", "aa"), []);
    kept.rememberDraw(state("open", "third", 2)); // it says that the seat is in already, by what it drew before
    assert.deepEqual(proved(kept, "third", "aa"), ["The secret of the dice is the one that was promised to this browser."]);
  });
});

const linesOf = (file) => readFileSync(join(here, file), "utf8").trimEnd().split("\n");

/** The lines of an export after each commit was changed and hashed again, as a forger would do. */
function rehashed([header, ...lines], change) {
  let previous = "0".repeat(64);
  const commits = lines.map((line, i) => {
    const changed = change(line, i + 1);
    const [, game, time, command, events] = /^\{"game":"(.*?)","version":\d+,"time":"(.*?)","command":(.*?),"events":(\[\{.*\]),"hash"/.exec(changed);
    previous = hexOf(ownSha256(hashedBytes(previous, { game, time, command, events })));
    return changed.replace(/"hash":".*"/, `"hash":"${previous}"`);
  });
  return [header.replace(/"head":".*"/, `"head":"${previous}"`), ...commits];
}

describe("the proof of a draw", () => {
  const drawn = linesOf("drawn.jsonl");

  it("makes the seed of the specification's example", async () => {
    const rows = /```draw\n(.*?)```/s.exec(specification)[1].trimEnd().split("\n").map((line) => line.split(/ +/));
    const { secret, commitment, seed } = Object.fromEntries(rows);
    const entropy = rows.filter(([name]) => name === "entropy").map(([, said]) => (said === "none" ? null : said));
    assert.equal(String(await drawnSeed([commitment, secret, entropy])), seed);
  });

  it("is given by the log alone", async () => {
    const { draw, log, commits } = await provenLog(drawn);
    const [commitment, , entropy] = draw;
    assert.equal(commitment, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
    assert.deepEqual(entropy.map((said) => said?.slice(0, 4) ?? null), ["2021", null, "4041"]);
    assert.equal(commits.length, drawn.length - 1);
    assert.ok(log.dice > 10);
    assert.equal((await provenLog(linesOf("match.jsonl"))).draw, null);
  });

  it("says who had a say, and what nobody can tell", () => {
    const commitment = "c".repeat(64);
    const [some, unknown] = wordsOfDraw([commitment, "", ["aa", null, "bb"]], ["Ann", "Bob", "Cyd"]);
    assert.match(some, /promised as c{64}, and of what Ann, Cyd gave\.$/);
    assert.match(unknown, /^Whether the promise came before/);
    const [alone, chosen] = wordsOfDraw([commitment, "", [null, null]], ["Ann", "Bob"]);
    assert.match(alone, /and of nothing else\.$/);
    assert.match(chosen, /no player gave anything, so the maker of the secret could choose it/);
  });

  it("says which part was changed in a log that was hashed anew", async () => {
    const promised = /^Version 1: the secret isn’t the one that was promised\.$/;
    const made = /^Version 1: the seed is \d+, where the secret and what 3 players gave make \d+\.$/;
    for (const [what, from, to, answer] of [
      ["the commitment", '["630dcd', '["640dcd', promised],
      ["the secret", ',"000102', ',"010102', promised],
      ["entropy", '["202122', '["212122', made],
      ["entropy that wasn't given", ',null,"404142', `,"${"ab".repeat(32)}","404142`, made],
      ["entropy that was", /"404142[0-9a-f]*"/g, "null", made],
      ["entropy of nobody", ',null,"404142', ',null,null,"404142', made],
      ["the seed", '"again"],', '"again"],1', made],
      ["what is no hex", ',"000102', ',"x00102', /^“x001[0-9a-f]*” isn’t hex/],
      ["what is half a byte longer", '1e1f"', '1e1fa"', /isn’t hex/],
    ]) {
      const forged = rehashed(drawn, (line) => line.replaceAll(from, to));
      assert.notDeepEqual(forged, drawn, what);
      await assert.rejects(provenLog(forged), (error) => answer.test(error.message), what);
    }
    const rolled = /"played":\[1,\d+,\d+,\[(\d)\],true/.exec(drawn.slice(2).join());
    const die = (line, version) => (version > 1 ? line.replace(`[${rolled[1]}],true`, `[${(rolled[1] % 5) + 1}],true`) : line);
    await assert.rejects(provenLog(rehashed(drawn, die)), (error) => /turn \d+: die 1 is \d, where the seed makes/.test(error.message));
  });
});

describe("the proof of a log", () => {
  const drawn = linesOf("drawn.jsonl");
  /** An export of these lines, with the numbers and hashes that such a log needs. */
  const logOf = (...lines) =>
    rehashed([drawn[0].replace(/"version":\d+/, `"version":${lines.length}`), ...lines], (line, version) => line.replace(/"game":"\w+","version":\d+/, `"game":"drawn","version":${version}`));

  it("takes one start: no other seed rolls the dice of a draw", async () => {
    const others = linesOf("match.jsonl").slice(1);
    const twice = drawn[1].replace('"events":[', `"events":[${/"events":\[(.*)\],"hash"/.exec(others[0])[1]},`);
    for (const [what, lines, version] of [
      ["another game after the start", logOf(drawn[1], ...others), 2],
      ["another game after all", logOf(...drawn.slice(1), ...others), 20],
      ["a start in the same version", logOf(twice, ...others.slice(1)), 1],
    ])
      await assert.rejects(provenLog(lines), (error) => error.message === `Version ${version} starts the game again.`, what);
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

/** A witness's key, and its line below a checkpoint (C2SP tlog-cosignature), made by a library that snl doesn't use. */
function cosigning(note, name, time) {
  const { publicKey, secretKey } = nacl.sign.keyPair();
  const key = Buffer.concat([Buffer.of(4), publicKey]);
  const id = createHash("sha256").update(`${name}\n`).update(key).digest().subarray(0, 4);
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  const when = Buffer.alloc(8);
  when.writeBigUInt64BE(BigInt(time));
  const signature = nacl.sign.detached(Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), secretKey);
  return { name, vkey: `${name}+${id.toString("hex")}+${key.toString("base64")}`, bytes: Buffer.concat([id, when, signature]) };
}

/** A page's answer to Verify. */
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

/** A page of the same game, with a part changed by hand. */
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
      ["a shown name", /"players":\["Ann","Bob"\]/, '"players":["Ann","Bop"]', /differ in the players\./],
      ["a shown die", /\["4",\[96,100\]/, '["5",[96,100]', /differ in turn 37 \(version 41\)\./],
      ["whose turn it was", /"seats":"01/, '"seats":"11', /differ in turn 1 \(version 2\)\./],
      ["a turn that was taken back", /"undone":\[\[\d+,\d+\],/, '"undone":[', /The page and the log differ in turn \d+ /],
      ["a snake", /class="snake tint-0" data-from="\d+"/, 'class="snake tint-0" data-from="98"', /differ in the snakes\./],
      ["the head", /(\\"head\\":\\")..../, "$1beef", /Version 41 has another hash than the head/],
      ["a commit less", /"\{\\"game\\":\\"match\\",\\"version\\":20,.*?\}",/, "", /Version 20 is missing: 21 stands/],
      ["the last one", /,"\{\\"game\\":\\"match\\",\\"version\\":41,[^]*?\}"\]/, "]", /The log ends at version 40, not at 41/],
      ["what isn't JSON", /class="export">\[/, 'class="export">', /^Not sound. The export can’t be read/],
    ];
    for (const [what, from, to, answer] of forgeries) assert.match(await verdict(forged(what, from, to)), answer, what);
  });

  it("finds what a page says of its game and the log doesn't", async () => {
    shop.snl("new", "Ann", "Bob", "--cells", "30", "--power", "4,shield,3", "--power", "9,again", "--seed", "2", "--id", "powers");
    shop.snl("roll", "powers", "--all");
    const path = shop.exported("powers");
    assert.match(await verdict(path), /^Sound\./);
    const html = readFileSync(path, "utf8");
    const data = /(?<=class="game">).*?(?=<\/script>)/s;
    const withData = (change) => {
      const game = JSON.parse(data.exec(html)[0]);
      change(game);
      return html.replace(data, () => JSON.stringify(game).replaceAll("<", "\\u003c"));
    };
    const turn = /turn \d+ \(version \d+\)/;
    for (const [what, changed, fact] of [
      ["the winner", withData((game) => (game.winner = 1 - game.winner)), /the winner/],
      ["no winner", withData((game) => (game.winner = null)), /the winner/],
      ["the words of turns", withData((game) => game.moves.forEach((move) => (move[3] = ": 1 → 2"))), turn],
      ["a digit more in the words of turns", withData((game) => game.moves.forEach((move) => (move[3] = move[3].replace(/→ \d+/, "$&0")))), turn],
      ["where the pieces started", withData((game) => (game.start = [2, 1])), /the start/],
      ["the words of a win", withData((game) => (game.moves[game.moves.length - 1][4] = "")), turn],
      ["dice as they are written", withData((game) => (game.moves[0][0] += ".0")), turn],
      ["a power", html.replace(/(class="power".*?<text[^>]*>)\w+/, "$1skip"), /the powers/],
      ["a power less", html.replace(/<g class="power".*?<\/g>\n/, ""), /the powers/],
    ]) {
      assert.notEqual(changed, html, what);
      writeFileSync(join(shop.folder, "forged.html"), changed);
      assert.match(await verdict(join(shop.folder, "forged.html")), new RegExp(`^Not sound\\. The page and the log differ in ${fact.source}\\.`), what);
    }
  });

  it("finds dice that don't follow the seed, in a log that was hashed anew", async () => {
    const log = JSON.stringify(rehashed(linesOf("match.jsonl"), (line) => line.replace(/],13,null]/g, "],14,null]")));
    assert.match(await verdict(forged("the seed", /(class="export">).*?(?=<)/s, (_, tag) => tag + log)), /^Not sound. Version \d+, turn \d+: die 1 is \d, where the seed makes \d/);
  });

  it("proves how a seed was drawn, and says where the draw was changed", async () => {
    shop.snl("import", join(here, "drawn.jsonl"));
    const page = shop.exported("drawn");
    assert.match(await verdict(page), /^Sound\.\s+Proved[^]*made of the secret that was promised as 630d[^]*Ann, Cyd gave[^]*Not proved[^]*promise came before/);
    const html = readFileSync(page, "utf8");
    const log = JSON.stringify(rehashed(linesOf("drawn.jsonl"), (line) => line.replaceAll(',"000102', ',"010102')));
    const path = join(shop.folder, "drawn_forged.html");
    writeFileSync(path, html.replace(/(class="export">).*?(?=<)/s, (_, tag) => tag + log));
    assert.match(await verdict(path), /^Not sound. Version 1: the secret isn’t the one that was promised/);
  });

  it("proves that a game is in a log, offline, and says where that was changed", async () => {
    const name = "club.example/log";
    const vkey = shop.snl("key", "new", name, join(shop.folder, "club.key")).trim();
    shop.snl("new", "Ann", "Bob", "--board", "class", "--seed", "1", "--id", "kept");
    shop.snl("roll", "kept", "--all");
    const without = readFileSync(shop.exported("kept"));
    const note = shop.snl("checkpoint", "--log-key", join(shop.folder, "club.key"));
    const keyName = vkey.replace(/\+(\w+)\+.*/, " (key $1)");
    const signed = await verdict(shop.exported("kept"));
    const count = Number(note.split("\n")[1]);
    assert.ok(signed.includes(`\nIn the log ${keyName} of ${count} commits.\n`), signed);
    assert.match(signed, /Not proved:[^]*Whether somebody made all of it anew: only[^]*Since when it has existed: the page has no key of a witness that cosigned\./);
    assert.ok(signed.endsWith(`That these keys are whose they say: compare them with ones that you got elsewhere. ${vkey}`), signed);

    const witness = cosigning(note, "school.example/witness", 1795613000);
    const policy = join(shop.folder, "policy");
    writeFileSync(policy, `log ${vkey}\nwitness school ${witness.vkey}\nquorum school\n`);
    shop.snlReading(`— ${witness.name} ${witness.bytes.toString("base64")}\n`, "checkpoint", "--add", "-", "--policy", policy);
    const path = join(shop.folder, "kept.html");
    shop.snl("export", "kept", "--force", "-o", path, "--policy", policy);
    const words = await verdict(path);
    const seen = `In the log ${keyName} of ${count} commits; cosigned by ${witness.vkey.replace(/\+(\w+)\+.*/, " (key $1)")}: it existed by 2026-11-25T13:23:20Z.`;
    assert.match(words, /^Sound\./);
    assert.ok(words.includes(seen) && words.endsWith(`${vkey}, ${witness.vkey}`), words);
    assert.match(words, /Not proved:[^]*Whether somebody made all of it anew before 2026-11-25T13:23:20Z: only a head/);
    assert.equal(await verdict(path, { without: () => Object.defineProperty(crypto, "subtle", { value: undefined }) }), words);
    const slow = await verdict(path, { without: () => (Date.now = () => 1_577_836_800_000) });
    assert.match(slow, /^Not sound\. .*school\.example\/witness cosigned the checkpoint at 2026-11-25T13:23:20Z, which is later than this device’s clock says: check the clock\.$/);
    const html = readFileSync(path, "utf8");
    assert.ok(html.length - without.length < 45_000, `${html.length - without.length} bytes more than without a proof`);

    const later = Buffer.from(witness.bytes);
    later[11] += 1;
    const other = cosigning(note, "other.example/witness", 1795613000);
    const log = JSON.stringify(rehashed(JSON.parse(/class="export">(.*?)</.exec(html)[1]), (line) => line.replace('"time":"20', '"time":"19')));
    const sibling = /(index \d+\\n)(.{44})/;
    for (const [what, from, to, answer] of [
      ["a hash on the way", sibling, `$1${"A".repeat(43)}=`, /The game isn’t in the log as it was played\.$/],
      ["a hash less", /(index \d+\\n).{44}\\n/, "$1", /The game isn’t in the log as it was played\.$/],
      ["the place", /index \d+/, "index 1", /The game isn’t in the log as it was played\.$/],
      ["the size", `\\n${count}\\n`, `\\n${count + 1}\\n`, /The signature isn’t that of the checkpoint\.$/],
      ["the log's key", vkey.slice(-43), other.vkey.slice(-43), /The key of the log isn’t of its name\.$/],
      ["the label", /extra \S+?\\n/, `extra ${Buffer.from("kept 1").toString("base64")}\\n`, /The proof is of something else\.$/],
      ["the witness's time", witness.bytes.toString("base64"), later.toString("base64"), /school\.example\/witness hasn’t cosigned/],
      ["the witness", witness.vkey, other.vkey, /other\.example\/witness hasn’t cosigned the checkpoint\.$/],
      ["what isn't JSON", '{"proof"', '"proof"', /doesn’t hold\. SyntaxError/],
      ["the game, hashed anew", /(class="export">).*?(?=<)/s, (_, tag) => tag + log, /Turn 1 |in the log as it was played\.$/],
    ]) {
      const forgedHtml = html.replace(from, to);
      assert.notEqual(forgedHtml, html, what);
      writeFileSync(join(shop.folder, "forged.html"), forgedHtml);
      const told = await verdict(join(shop.folder, "forged.html"));
      assert.match(told, /^Not sound\. /, what);
      assert.match(told, answer, what);
    }

    // A cosigner may lie about its time. The last of the times holds if any one of them is honest.
    const liar = cosigning(note, "lying.example/witness", 1);
    writeFileSync(policy, `log ${vkey}\nwitness lying ${liar.vkey}\nwitness school ${witness.vkey}\ngroup both all lying school\nquorum both\n`);
    shop.snlReading(`— ${liar.name} ${liar.bytes.toString("base64")}\n`, "checkpoint", "--add", "-", "--policy", policy);
    shop.snl("export", "kept", "--force", "-o", path, "--policy", policy);
    const both = await verdict(path);
    assert.match(both, /cosigned by lying\.example\/witness [^]*, school\.example\/witness [^]*: it existed by 2026-11-25T13:23:20Z\./);
    assert.match(both, /Not proved:[^]*Whether somebody made all of it anew before 2026-11-25T13:23:20Z: only a head/);
  });

  it("proves any game: branches, names of any kind, typed dice, seeds of 64 bits, 10,000 turns", async () => {
    shop.snl("branch", "match", "--at", "30", "--id", "branch");
    shop.snl("roll", "branch", "-n", "3");
    shop.snl("new", "\u202Ename", '"\\,"events":[{', "</script><!--", "two\u2028or\u2029three", "--seed", "18446744073709551615", "--board", "class", "--id", "odd");
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
    assert.match(await verdict(shop.exported("party")), /^Sound\.\s+Proved/);
    const branch = await verdict(shop.exported("branch"));
    assert.match(branch, /^Sound\.\s+Proved[^]*the 3 turns that you see are theirs/);
    assert.match(branch, /Not proved:[^]*\nWhether game match stood like this at turn 30, where this game begins: the page holds only the branch\./);
    assert.match(await verdict(shop.exported("odd")), /^Sound\.\s+Proved[^]*seed 18446744073709551615/);
    assert.match(await verdict(shop.exported("typed")), /the dice of 1 turn fell: they were typed in/);
    const snakes = [94, 95, 96, 97, 98, 99].flatMap((head) => ["--snake", `${head},${head - 90}`]);
    shop.snl("new", "Ann", "Bob", "--cells", "100", ...snakes, "--sixes", "plain", "--seed", "4", "--id", "long");
    shop.snl("roll", "long", "--all", "--max-turns", "10000");
    const long = shop.exported("long");
    assert.match(await verdict(long), /10000 dice rolled from seed 4/);
  });
});
