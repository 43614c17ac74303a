// Goal: cli/server/openapi.json is OpenAPI 3.1, so that others' tools can read it. Method: Redocly's linter, with its
// strictest rules; and once with a fault, to see that the linter reports it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import redocly from "@redocly/openapi-core";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const source = readFileSync(join(here, "../../cli/server/openapi.json"), "utf8");

// Rules that the description can't satisfy: no licence has been chosen yet.
const excused = ["info-license #/info"];

/** The linter's findings about a description: a rule and a place each. */
async function complaints(source) {
  const config = await redocly.createConfig({ extends: ["recommended-strict"] });
  const problems = await redocly.lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map((problem) => `${problem.ruleId} ${problem.location[0].pointer}`).sort();
}

describe("the description of the server's API", () => {
  it("is valid OpenAPI 3.1", async () => {
    assert.equal(JSON.parse(source).openapi.slice(0, 4), "3.1.");
    assert.deepEqual(await complaints(source), excused);
  });

  it("is looked at: a reference to nothing and a wrong type are found", async () => {
    const wrong = JSON.parse(source);
    wrong.components.schemas.CommitEvent.type = "objekt";
    wrong.paths["/api/games"].get.responses["200"] = { $ref: "#/components/responses/Nothing" };
    const said = (await complaints(JSON.stringify(wrong))).filter((complaint) => !excused.includes(complaint));
    assert.ok(said.includes("no-unresolved-refs #/paths/~1api~1games/get/responses/200"), said);
    assert.ok(said.includes("struct #/components/schemas/CommitEvent/type"), said);
  });
});
