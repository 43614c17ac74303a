// Goal: other programs can read the table of all turns. Method: DuckDB finds the types of the columns by itself. Its
// answers about the games are compared with snl's own.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { Workshop } from "./workshop.js";

describe("the table of all turns of all games, read by DuckDB", () => {
  const workshop = new Workshop();
  after(() => rmSync(workshop.folder, { recursive: true }));
  workshop.snl("new", "Ann", 'Bob "B", jr', "--seed", "8", "--id", "plain");
  workshop.snl("roll", "plain", "--all");
  workshop.snl("new", "Ann", "漢", "=1+1", "--board", "class", "--seed", "4", "--id", "class");
  workshop.snl("roll", "class", "--all");
  workshop.snl("export", "--all", "--chances", "-o", "all.csv");

  async function asked(query) {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(`CREATE TABLE turns AS FROM read_csv('${join(workshop.folder, "all.csv")}')`);
    return (await connection.runAndReadAll(query)).getRowsJson();
  }

  it("has columns of numbers, and of text", async () => {
    const types = Object.fromEntries((await asked("DESCRIBE turns")).map(([name, type]) => [name, type]));
    for (const name of ["turn", "from", "landed", "to"]) assert.equal(types[name], "BIGINT", name);
    for (const name of ["chance_before", "chance_after"]) assert.equal(types[name], "DOUBLE", name);
    for (const name of ["game", "player", "dice", "outcome", "happened"]) assert.equal(types[name], "VARCHAR", name);
    assert.equal(types.rolled, "BOOLEAN");
  });

  it("holds every turn as replay and analyze tell it", async () => {
    for (const game of ["plain", "class"]) {
      const told = (command) => workshop.snl(command, game, "--json").trim().split("\n").map(JSON.parse);
      const rows = await asked(
        `SELECT turn::INTEGER, player, dice, "to"::INTEGER, chance_after - chance_before FROM turns WHERE game = '${game}' ORDER BY turn`);
      const luck = told("analyze").map((turn) => turn.luck);
      const expected = told("replay").map(({ turn, player, dice, to }) =>
        [turn, player === "=1+1" ? "'=1+1" : player, dice.join("-"), to]);
      assert.deepEqual(rows.map((row) => row.slice(0, 4)), expected);
      rows.forEach((row, i) => assert.ok(Math.abs(row[4] - luck[i]) < 1e-9, `turn ${i + 1}`));
    }
  });
});
