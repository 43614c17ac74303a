// Goal: a browser that saw a server's log notices a store that was changed, replaced or put back, says so in words, and
// raises no other alarm. Method: the worked example of C2SP's formats, trees made here, and a real server whose store and
// keys are replaced.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { here } from "./workshop.js";
import { says, Site } from "./serving.js";

const nacl = createRequire(import.meta.url)("/usr/share/nodejs/tweetnacl/nacl-fast.js");
const isSigned = nacl.sign.detached.verify;

/** The pages' own functions, from their sources. */
const pages = (() => {
  const sources = ["page/sha256.js", "page/proof.js", "page/log_proof.js"].map((name) => readFileSync(join(here, "../../cli", name), "utf8"));
  return new Function(`${sources.join("\n")}\nreturn { NotProven, readCheckpoint, readCosignature, proveConsistency, proveInclusion };`)();
})();

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const node = (left, right) => sha256(Buffer.of(1), left, right);

/** MTH, PATH and PROOF of RFC 6962, 2.1. */
const half = (size) => 2 ** Math.ceil(Math.log2(size) - 1);
const rootOf = (leaves) => (leaves.length === 1 ? leaves[0] : node(rootOf(leaves.slice(0, half(leaves.length))), rootOf(leaves.slice(half(leaves.length)))));
function pathOf(at, leaves) {
  if (leaves.length === 1) return [];
  const middle = half(leaves.length);
  return at < middle ? [...pathOf(at, leaves.slice(0, middle)), rootOf(leaves.slice(middle))] : [...pathOf(at - middle, leaves.slice(middle)), rootOf(leaves.slice(0, middle))];
}
function consistencyOf(old, leaves, isWhole = true) {
  if (old === leaves.length) return isWhole ? [] : [rootOf(leaves)];
  const middle = half(leaves.length);
  return old <= middle ? [...consistencyOf(old, leaves.slice(0, middle), isWhole), rootOf(leaves.slice(middle))] : [...consistencyOf(old - middle, leaves.slice(middle), false), rootOf(leaves.slice(0, middle))];
}

const vkey = "example.org/log+98af023b+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
const proof = `c2sp.org/tlog-proof@v1
extra d29uLmJyYW5jaCAx
index 2
vIgL92pIOKtNbh+vcWK1DTBFsRh75LY6g92mmMZCevI=
914t20QxKpamNeLO5Kg7tvJjqOGgM8LE0+Hu6vKECWE=
6wvGng9el4qm+36COYooEFfK1wixTcJDd7JEE1OgD+E=

example.org/log
5
iqpGmdqJS1MsxWw5CrgN0DoLr3yNpYQAhgG5fpMFxkA=

— example.org/log mK8CO+nFGfIr1g/9hRVyCLp6GU2In1MNCTkXoXLH0JFn+8gCe9WMgnSQPmSNzOAs6PlFcph1vhvsv2gqUJBigjDGag4=
— school.example/witness WiF+hgAAAABrBuFIjR7pm2BZRbsVlg3CGTViIMq7/O2nHaXFbKowBhlYZ9s4C8/AAyQR5NbP2jvKmLSvf7jtJL0fcK+9IyuofrgDCw==
`;
const commit = { extra: "won.branch 1", hash: "d603aa4230804cb6a74d6c3c41668e6562048153154360f06bd2fdd55cfffb3b" };

describe("what the page verifies", () => {
  it("is the worked example, and no letter of it may be another", async () => {
    const { index, checkpoint } = await pages.proveInclusion(proof, commit, vkey, isSigned);
    assert.deepEqual([index, checkpoint.origin, checkpoint.size], [2, "example.org/log", 5]);
    const signed = proof.indexOf("— school");
    for (let at = 0; at < signed - 1; ++at) {
      const other = proof[at] === "A" ? "B" : "A";
      const forged = proof.slice(0, at) + other + proof.slice(at + 1);
      await assert.rejects(pages.proveInclusion(forged, commit, vkey, isSigned), pages.NotProven, `${at}: ${forged}`);
    }
    await assert.rejects(pages.proveInclusion(proof, { ...commit, hash: commit.hash.replace("d6", "d7") }, vkey, isSigned), pages.NotProven);
    await assert.rejects(pages.proveInclusion(proof, { ...commit, extra: "won.branch 2" }, vkey, isSigned), pages.NotProven);
  });

  it("is a witness's cosignature, by its key alone", async () => {
    const seed = Uint8Array.from({ length: 32 }, (_, i) => 0x20 + i); // of the worked example
    const vkeyOf = (seed, type = 4, name = "school.example/witness") => {
      const key = Buffer.concat([Buffer.of(type), nacl.sign.keyPair.fromSeed(seed).publicKey]);
      return `${name}+${sha256(Buffer.from(`${name}\n`), key).toString("hex").slice(0, 8)}+${key.toString("base64")}`;
    };
    const note = proof.slice(proof.indexOf("\n\n") + 2);
    assert.equal(await pages.readCosignature(note, vkeyOf(seed), isSigned), 1795613000);
    const rejects = (note, vkey) => assert.rejects(pages.readCosignature(note, vkey, isSigned), pages.NotProven, `${note} ${vkey}`);
    for (let at = 0; at < note.length - 1; ++at) {
      if (note.slice(at).startsWith("— example.org/log ")) at = note.indexOf("— school"); // another's line
      await rejects(note.slice(0, at) + (note[at] === "A" ? "B" : "A") + note.slice(at + 1), vkeyOf(seed));
    }
    await rejects(note, vkeyOf(seed.map((byte) => byte ^ 1)));
    const signedAt = (time) => {
      const text = note.slice(0, note.indexOf("\n\n") + 1);
      const signature = nacl.sign.detached(Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), nacl.sign.keyPair.fromSeed(seed).secretKey);
      const when = Buffer.alloc(8);
      when.writeBigUInt64BE(BigInt(time));
      return `${text}\n— school.example/witness ${Buffer.concat([Buffer.from("5a217e86", "hex"), when, signature]).toString("base64")}\n`;
    };
    const now = Math.floor(Date.now() / 1000);
    assert.equal(await pages.readCosignature(signedAt(now + 200), vkeyOf(seed), isSigned), now + 200);
    for (const [time, words] of [[now + 400, new Date(1000 * (now + 400)).toISOString().replace(".000", "")], [9e15, "second 9000000000000000"]])
      await assert.rejects(pages.readCosignature(signedAt(time), vkeyOf(seed), isSigned), (error) =>
        error instanceof pages.NotProven && error.message === `school.example/witness cosigned the checkpoint at ${words}, which is later than this device’s clock says: check the clock.`);
    await assert.rejects(pages.readCosignature(signedAt(0), vkeyOf(seed), isSigned), /hasn’t cosigned/);
    await rejects(note, vkeyOf(seed, 1));
    await rejects(note, vkeyOf(seed, 4, "other.example/witness"));
    await rejects(note, vkeyOf(seed).replace("+5a217e86+", "+5a217e87+"));
  });

  it("is consistency of every two sizes up to 40, and of no other tree", async () => {
    const leaves = Array.from({ length: 40 }, () => sha256(Buffer.of(0), randomBytes(32)));
    const at = (size) => ({ origin: "x", size, root: new Uint8Array(rootOf(leaves.slice(0, size))), note: "" });
    for (let now = 1; now <= leaves.length; ++now)
      for (let then = 1; then <= now; ++then) {
        const path = consistencyOf(then, leaves.slice(0, now)).map((hash) => hash.toString("base64"));
        await pages.proveConsistency(at(then), at(now), path);
        if (then === now) continue;
        const changed = { ...at(then), root: new Uint8Array(sha256(at(then).root)) };
        await assert.rejects(pages.proveConsistency(changed, at(now), path), pages.NotProven);
        await assert.rejects(pages.proveConsistency(at(then), { ...at(now), root: new Uint8Array(sha256(at(now).root)) }, path), pages.NotProven);
        await assert.rejects(pages.proveConsistency(at(then), at(now), path.slice(1)), pages.NotProven);
        await assert.rejects(pages.proveConsistency(at(then), at(now), [...path, path[0]]), pages.NotProven);
        await assert.rejects(pages.proveConsistency(at(now), at(then), path), pages.NotProven);
      }
  });
});

describe("a browser that saw a log", () => {
  let site;
  let key;

  before(async () => {
    site = await Site.open();
    await site.stop();
    key = join(site.folder, "club.key");
    site.snl("key", "new", "club.example/log", key);
    copyFileSync(`${key}.signed`, `${key}.of-nothing`);
    site.more = ["--log-key", key, "--checkpoint-every", "1"];
    await site.start();
  });
  after(() => site.close());

  const log = (page) => page.locator(".store-log");
  const alarm = (page) => page.locator(".log-alarm:not([hidden])");

  const answerOf = (path) => fetch(site.url + path);
  const sizeOfLog = async () => {
    const answer = await answerOf("/api/log");
    return answer.status === 200 ? (await answer.json()).size : 0;
  };
  const until = async (isSo) => {
    while (!(await isSo())) await new Promise((done) => setTimeout(done, 100));
  };

  /** Makes a game and plays so many turns. Waits until the log has signed its beginning or, after turns, its end. */
  async function signedGame(turns = 0) {
    const before = await sizeOfLog();
    const game = await site.game(["Ann", "Bob"], { board: "geeks30" });
    await site.play(game, turns);
    await until(async () => (turns === 0 ? (await sizeOfLog()) > before : (await answerOf(`/api/games/${game.id}/proof`)).status === 200));
    return game;
  }

  /** Runs `change` while the server is down; its address stays. */
  async function whileDown(change) {
    const { port } = site;
    await site.stop();
    await change();
    await site.start(port);
  }

  it("is told that the log goes on, and that the game is in it, and hands the key on with its links", async () => {
    await site.withPeople([{}, {}], async (page, friend) => {
      const first = await signedGame();
      await page.goto(`${site.url}/g/${first.id}#host=${first.host}`);
      await log(page).locator("summary").click();
      await log(page).getByText(/^This browser sees this log for the first time: \d+ commits?\.$/).waitFor();
      await page.reload();
      await log(page).locator("summary").click();
      await log(page).getByText(/^This log is as this browser saw it: \d+ commits?\.$/).waitFor();
      await page.getByRole("button", { name: "Seats and links" }).click();
      await page.getByRole("button", { name: "New link: Bob" }).click();
      await page.getByRole("button", { name: "Make a new link" }).click();
      const link = await page.locator(".link-dialog input").inputValue();
      assert.match(link, /#seat=[\w-]{43}&log=club\.example/);
      await friend.goto(link);
      assert.equal(friend.url().includes("#"), false);
      await log(friend).waitFor();
      assert.equal(await friend.evaluate(() => JSON.parse(localStorage.getItem("snl.log")).vkey), site.snl("key", "show", key).trim());

      const won = await signedGame(2000);
      await page.goto(`${site.url}/g/${won.id}`);
      await log(page).locator("summary").click();
      await log(page).getByText(/goes on from what this browser saw: \d+ commits? then, \d+ now\. This game is in it: its end is commit \d+ of \d+\.$/).waitFor();
      assert.equal(await alarm(page).count(), 0);
    });
  });

  it("is alarmed by a store that was swapped, until somebody has read it, and keeps the evidence", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await signedGame(2000);
      await page.goto(`${site.url}/g/${game.id}`);
      await log(page).waitFor();
      const saved = join(site.folder, "saved");
      await whileDown(() => {
        copyFileSync(join(site.folder, ".local/share/snl/snl.db"), saved);
        for (const ending of ["", "-wal", "-shm"]) rmSync(join(site.folder, `.local/share/snl/snl.db${ending}`), { force: true });
        copyFileSync(`${key}.signed`, `${key}.saved`);
        copyFileSync(`${key}.of-nothing`, `${key}.signed`);
        site.snl("new", "Ann", "Bob", "--id", "forged", "--seed", "1");
      });
      const forged = await signedGame();
      await page.goto(`${site.url}/g/${forged.id}`);
      await alarm(page).getByText(/^This is not the log that this browser saw on .*\d+ commits\)\. What was recorded then was changed or taken away\./).waitFor();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save the evidence" }).click();
      const evidence = readFileSync(await (await download).path(), "utf8");
      assert.equal(evidence.match(/^— club\.example\/log /gm).length, 2, evidence);
      await page.reload();
      await alarm(page).waitFor();

      // The true store comes back.
      await whileDown(() => {
        copyFileSync(saved, join(site.folder, ".local/share/snl/snl.db"));
        for (const ending of ["-wal", "-shm"]) rmSync(join(site.folder, `.local/share/snl/snl.db${ending}`), { force: true });
        copyFileSync(`${key}.saved`, `${key}.signed`);
      });
      await page.goto(`${site.url}/g/${game.id}`);
      await log(page).locator("summary").click();
      await log(page).getByText(/^This log is as this browser saw it|^This log goes on/).waitFor();
      await alarm(page).waitFor(); // the alarm stays
      await page.getByRole("button", { name: "I have read it" }).click();
      assert.equal(await alarm(page).count(), 0);
      await page.reload();
      await log(page).waitFor();
      assert.equal(await alarm(page).count(), 0);
    });
  });

  it("is told of another key, and that all it saw is in its log", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await signedGame();
      await page.goto(`${site.url}/g/${game.id}`);
      await log(page).waitFor();
      await whileDown(() => {
        const other = join(site.folder, "other.key");
        site.snl("key", "new", "club.example/log-2", other);
        site.more = ["--log-key", other, "--checkpoint-every", "1"];
      });
      await signedGame();
      await page.reload();
      await alarm(page).getByText(/^This server signs with another key than before\. All \d+ commits that this browser saw are in its log\.$/).waitFor();
      await page.getByRole("button", { name: "I have read it" }).click();
      await page.reload();
      await log(page).locator("summary").click();
      await log(page).getByText(/^This log is as|^This log goes on/).waitFor(); // it uses the other key from now on
      assert.equal(await alarm(page).count(), 0);
    });
  });

  it("is alarmed by another key whose server gives no proof, and told of one that comes later", async () => {
    await site.withPeople([{}, {}, {}], async (...people) => {
      const game = await signedGame();
      for (const page of people) {
        await page.goto(`${site.url}/g/${game.id}`);
        await log(page).waitFor();
      }
      const saw = await sizeOfLog();
      await whileDown(() => {
        const other = join(site.folder, "silent.key");
        site.snl("key", "new", "club.example/log-3", other);
        site.more = ["--log-key", other, "--checkpoint-every", "1"];
      });
      await site.game(["Ann", "Bob"], { board: "geeks30" });
      await until(async () => (await sizeOfLog()) > saw); // so a proof is needed
      const faults = [
        (route) => route.fulfill({ status: 500, body: "{}" }),
        (route) => route.fulfill({ status: 200, body: "<p>Log in to this network</p>" }),
        (route) => route.abort(),
      ];
      for (const [i, page] of people.entries()) {
        await page.route("**/api/log/consistency*", faults[i]);
        await page.reload();
        await alarm(page).getByText(/^This server signs with another key than before\. It gives no proof that its log holds the \d+ commits? that this browser saw\.$/).waitFor();
        await page.getByRole("button", { name: "I have read it" }).click();
        await page.reload();
        await log(page).waitFor();
        assert.equal(await alarm(page).count(), 0, "one has read of it");
        await page.unroute("**/api/log/consistency*");
        await page.reload();
        await alarm(page).getByText(/^This server signs with another key than before\. All \d+ commits? that this browser saw are in its log\.$/).waitFor();
      }
    });
  });

  it("holds the server to the key that a link names", async () => {
    await site.withPeople([{}, {}], async (page, other) => {
      const game = await signedGame();
      await page.goto(`${site.url}/g/${game.id}#log=${encodeURIComponent(vkey)}`);
      await alarm(page).getByText("This server doesn’t sign with the key that the link names.").waitFor();
      assert.equal(page.url(), `${site.url}/g/${game.id}`, "the address is cleared");
      for (const noKey of ["%zz", encodeURIComponent(vkey.slice(0, -1)), `${encodeURIComponent(vkey)}.`]) {
        await other.goto(`${site.url}/g/${game.id}#log=${noKey}`);
        await log(other).waitFor();
        assert.equal(await alarm(other).count(), 0, noKey);
        assert.equal(other.url(), `${site.url}/g/${game.id}`);
      }

      // From now on this browser keeps the true key. A link that names another is no reason to forget it.
      await other.goto(`${site.url}/g/${game.id}#log=${encodeURIComponent(vkey)}`);
      await alarm(other).getByText("This server doesn’t sign with the key that the link names.").waitFor();
      await other.getByRole("button", { name: "I have read it" }).click();
      await other.reload();
      await log(other).locator("summary").click();
      await log(other).getByText(/^This log is as/).waitFor();
      assert.equal(await alarm(other).count(), 0);
    });
  });

  it("is alarmed by another log, though it has dismissed the alarm of a link", async () => {
    await site.withPeople([{}], async (page) => {
      const game = await signedGame();
      await page.goto(`${site.url}/g/${game.id}`);
      await log(page).waitFor();
      await page.goto(`${site.url}/g/${game.id}#log=${encodeURIComponent(vkey)}`);
      await page.getByRole("button", { name: "I have read it" }).click();
      // Two roots of one size: what was kept is another log's checkpoint.
      const fork = async (route) => {
        const shown = await (await route.fetch()).json();
        const seed = Buffer.from(readFileSync(site.more[1], "utf8").trim().split("+").slice(4).join("+"), "base64").subarray(1);
        const text = shown.checkpoint.split("\n\n")[0].replace(/\n[^\n]+$/, `\n${randomBytes(32).toString("base64")}\n`);
        const signature = nacl.sign.detached(Buffer.from(text), nacl.sign.keyPair.fromSeed(seed).secretKey);
        const id = Buffer.from(shown.vkey.split("+")[1], "hex");
        const line = `— ${shown.origin} ${Buffer.concat([id, signature]).toString("base64")}\n`;
        await route.fulfill({ json: { ...shown, checkpoint: `${text}\n${line}` } });
      };
      await page.route("**/api/log", fork);
      await page.reload();
      await alarm(page).getByText(/^This is not the log that this browser saw on/).waitFor();
      await page.getByRole("button", { name: "I have read it" }).click();
      await page.reload();
      await log(page).waitFor();
      assert.equal(await alarm(page).count(), 0, "one has read of it");
      await page.unroute("**/api/log", fork);
      await page.reload();
      await log(page).locator("summary").click();
      await log(page).getByText(/^This log is as/).waitFor();
      await page.route("**/api/log", fork);
      await page.reload();
      await alarm(page).waitFor(); // the log was proven in between
    });
  });

  it("is not alarmed by a server that doesn’t answer for its log, or shows none", async () => {
    await site.withPeople([{}], async (page) => {
      await page.clock.install();
      const game = await signedGame();
      await page.goto(`${site.url}/g/${game.id}`);
      await log(page).waitFor();
      const silent = "The server doesn’t answer for its log just now.";
      for (const [status, body, words] of [[503, "{}", silent], [429, "{}", silent], [200, "<p>Log in to this network</p>", silent], [404, "{}", "This server shows no log now; this browser saw one."]]) {
        await page.route("**/api/log", (route) => route.fulfill({ status, body }));
        await page.reload();
        await log(page).locator("summary").click();
        await log(page).getByText(words).waitFor();
        await page.unroute("**/api/log");
      }
      await page.clock.fastForward(61_000); // the page asks each minute, after a 404 too
      await log(page).getByText(/^This log is as this browser saw it/).waitFor();
      await signedGame();
      await page.route("**/api/log/consistency*", (route) => route.fulfill({ status: 500, body: "{}" }));
      await page.clock.fastForward(61_000);
      await log(page).getByText(/^The server gives no proof now that its log goes on from what this browser saw: \d+ commits? then, \d+ now\./).waitFor();
      assert.equal(await alarm(page).count(), 0);
      await says(page, "You are watching.");
    });
  });
});

describe("a server that has signed nothing yet", () => {
  it("is asked again, and its first checkpoint is kept", async () => {
    const site = await Site.open();
    try {
      await site.stop();
      const key = join(site.folder, "club.key");
      site.snl("key", "new", "club.example/log", key);
      site.more = ["--log-key", key, "--checkpoint-every", "600"];
      await site.start();
      await site.withPeople([{}], async (page) => {
        await page.clock.install();
        const game = await site.game(["Ann", "Bob"]);
        const asked = page.waitForResponse("**/api/log");
        await page.goto(`${site.url}/g/${game.id}`);
        assert.equal((await asked).status(), 404);
        await says(page, "You are watching.");
        assert.equal(await page.locator(".store-log").isVisible(), false);
        site.snl("checkpoint", "--log-key", key);
        for (let looks = 0; looks < 100 && !(await page.locator(".store-log").isVisible()); ++looks) {
          await page.clock.fastForward(13_000);
          await new Promise((done) => setTimeout(done, 100)); // until the answer has come
        }
        await page.locator(".store-log summary").click();
        await page.getByText("This browser sees this log for the first time: 1 commit.").waitFor();
      });
    } finally {
      await site.close();
    }
  });
});

describe("a server without a log", () => {
  it("says nothing of one", async () => {
    const site = await Site.open();
    try {
      await site.withPeople([{}], async (page) => {
        const game = await site.game(["Ann", "Bob"]);
        const asked = page.waitForResponse("**/api/log");
        await page.goto(`${site.url}/g/${game.id}`, { waitUntil: "load" });
        assert.equal((await asked).status(), 404);
        await page.waitForTimeout(500); // time for the page to raise an alarm, if it wrongly did
        assert.equal(await page.locator(".store-log").isVisible(), false);
        await page.goto(`${site.url}/g/${game.id}#log=${encodeURIComponent(vkey)}`);
        await page.locator(".store-log summary").click();
        await page.getByText("The link names a log’s key, but this server shows no log.").waitFor();
      });
    } finally {
      await site.close();
    }
  });
});
