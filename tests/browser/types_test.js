// Goal: the page's scripts use one another as the types in their comments require. Method: the TypeScript compiler
// reads them and reports nothing.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync, mkdtempSync, rmSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const sources = join(here, "../../cli/page");

/** The compiler's messages about the project in a file. */
function complaints(project) {
  const { stdout, stderr } = spawnSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "-p", project], { encoding: "utf8" });
  return stdout + stderr;
}

describe("the types of the scripts", () => {
  it("hold", () => {
    assert.equal(complaints(join(here, "tsconfig.json")), "");
  });

  it("are looked at: a wrong one is found", () => {
    const folder = mkdtempSync(join(tmpdir(), "snl-types-"));
    try {
      for (const name of readdirSync(sources).filter((name) => name.endsWith(".js"))) {
        const text = readFileSync(join(sources, name), "utf8");
        writeFileSync(join(folder, name), name === "dice.js" ? text.replace("this.#shown = key;", "this.#shown = dice;") : text);
      }
      const options = JSON.parse(readFileSync(join(here, "tsconfig.json"), "utf8"));
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...options, include: ["*.js"] }));
      assert.match(complaints(join(folder, "tsconfig.json")), /dice\.js.*TS2322/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
