/** The tool kit `sql` in user-defined tasks. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Registry } from "#palestra/envs/registry.js";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { scratchDir } from "../../../support/gym.js";
import { file, lines, ownGym, played, sums } from "../../custom/support.js";

const folder = scratchDir();
const database = join(folder, "shop.sqlite");
const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)";

beforeAll(() => {
  const made = openDatabase(database);
  made.exec("CREATE TABLE items (item_id INTEGER PRIMARY KEY, name TEXT, price REAL)");
  made.exec("CREATE VIEW dear AS SELECT name FROM items WHERE price > 5");
  made.exec(`CREATE VIEW slow AS ${endless} SELECT x FROM c`);
  const insert = made.prepare("INSERT INTO items (name, price) VALUES (?, ?)");
  for (let count = 1; count <= 8; count++) insert.run(`item ${count}`, count === 3 ? null : count);
  made.close();
});

const observations = async (actions: readonly string[], settings: object = { database }) => {
  const gym = await ownGym({ tools: [{ sql: settings }] });
  return (await played(gym, actions)).replies.map(({ observation }) => observation);
};

describe("the tool kit sql", () => {
  test("shows tables, one table with its first rows, and the rows of a query", async () => {
    expect(
      await observations([
        "schema",
        "table ITEMS",
        "table nothing",
        "query SELECT name FROM items WHERE price IS NULL OR\nprice > 6",
        "query SELECT colour",
        "submit 4",
      ]),
    ).toEqual([
      `CREATE TABLE items (item_id INTEGER PRIMARY KEY, name TEXT, price REAL);\nCREATE VIEW dear AS SELECT name FROM items WHERE price > 5;\nCREATE VIEW slow AS ${endless} SELECT x FROM c;`,
      "CREATE TABLE items (item_id INTEGER PRIMARY KEY, name TEXT, price REAL);\n\n8 rows. The first of them:\nitem_id | name | price\n1 | item 1 | 1\n2 | item 2 | 2\n3 | item 3 | NULL\n(3 rows)",
      "Error: expected one of the tables items, dear, slow, but received nothing",
      "name\nitem 3\nitem 7\nitem 8\n(3 rows)",
      "Error: no such column: colour",
      "The answer was taken.",
    ]);
  });

  test("shows the configured number of rows", async () => {
    const [text] = await observations(["query SELECT name FROM items"], { database, rows: 2 });
    expect(text).toBe("name\nitem 1\nitem 2\n(8 rows, of which the first 2 are shown)");
  });

  test("marks errors for the agent and for the reward", async () => {
    const reward = file("reward.js", "export default ({ calls }) => ({ reward: 1, info: { calls } });");
    const gym = await ownGym({ tools: [{ sql: { database, queryMs: 300 } }], reward });
    const actions = ["schema", "table x", `query ${endless} SELECT COUNT(*) FROM c`, "table slow", "submit 4"];
    const { replies } = await played(gym, actions);
    const late = "Error: the query took longer than 0.3 seconds, and was ended";
    expect(replies.slice(2, 4).map(({ observation }) => observation)).toEqual([late, late]);
    expect(replies.map(({ info }) => info.isError)).toEqual([false, true, true, true, undefined]);
    const calls = replies[4]?.info.calls as { tool: string; isError: boolean }[];
    expect(calls.map(({ tool, isError }) => [tool, isError])).toEqual([
      ["schema", false],
      ["table", true],
      ["query", true],
      ["table", true],
    ]);
  });

  test("refuses SQL that writes or reads other files", async () => {
    const refused = [
      "DELETE FROM items",
      "INSERT INTO items (name) VALUES ('x') RETURNING name",
      "WITH a AS (SELECT 1) UPDATE items SET name = 'x'",
      "PRAGMA writable_schema = 1",
      "ATTACH '/etc/passwd' AS p",
      "SELECT load_extension('x')",
      "SELECT readfile('/etc/passwd')",
      "SELECT 1; DROP TABLE items",
    ];
    const gym = await ownGym({ tools: [{ sql: { database } }] });
    const { replies } = await played(
      gym,
      [...refused, "SELECT COUNT(*) AS count FROM items"].map((sql) => `query ${sql}`),
    );
    for (const { observation, info } of replies.slice(0, -1)) {
      expect(observation).toMatch(/^Error: /);
      expect(info.isError).toBe(true);
    }
    expect(replies.at(-1)?.observation).toBe("count\n8\n(1 row)");
  });

  test("reads its calls as actions and describes their form", async () => {
    const gym = await ownGym({ tools: [{ sql: { database } }] });
    const { prompt, tools } = await gym.call("getEnvironment", { environment: "own" });
    expect(tools.map(({ action }) => action)).toEqual(["schema", "table {table}", "query {sql}", "submit {answer}"]);
    expect(prompt).toContain("- schema: Shows all tables of the database");
    const { replies } = await played(gym, ["schema items", "table", "query"]);
    expect(replies.map(({ observation }) => observation)).toEqual([
      'Error: expected schema alone, but received "schema items".',
      'Error: expected table {table}, but received "table".',
      'Error: expected query {sql}, but received "query".',
    ]);
  });

  test("other episodes continue during a slow query", async () => {
    const gym = await ownGym({ tools: [{ sql: { database, queryMs: 5_000 } }] });
    await played(gym, ["query SELECT 1"]);
    const order: string[] = [];
    const slow = played(gym, [`query ${endless} SELECT COUNT(*) FROM c`]).then(() => order.push("slow"));
    await Promise.all([1, 2, 3].map(() => played(gym, ["query SELECT 1"]).then(() => order.push("quick"))));
    await slow;
    expect(order).toEqual(["quick", "quick", "quick", "slow"]);
  });

  test("a replay queries no database, and a missing database is an infrastructure failure", async () => {
    const own = join(folder, "own.sqlite");
    openDatabase(own).exec("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)").close();
    const gym = await ownGym({ tools: [{ sql: { database: own } }] });
    const { episodeId } = await played(gym, ["query SELECT a FROM t", "schema"]);
    const before = await gym.text("transcript", { episodeId });
    expect(before).toContain("a\\n1\\n2\\n(2 rows)");
    openDatabase(own).exec("INSERT INTO t VALUES (3)").close();
    const after = await gym.restart();
    expect(await after.text("transcript", { episodeId })).toBe(before);
    renameSync(own, `${own}.gone`);
    const refusal = await after.refusal("step", { episodeId, index: 2, action: "query SELECT a FROM t" });
    expect(refusal).toMatchObject({ code: "SERVICE_FAILED" });
    renameSync(`${own}.gone`, own);
    expect(await after.call("step", { episodeId, index: 2, action: "query SELECT a FROM t" })).toMatchObject({
      observation: "a\n1\n2\n3\n(3 rows)",
    });
  });
});

describe("a database", () => {
  const load = (tools: unknown) =>
    Registry.load([JSON.stringify({ id: "own", tasks: file("tasks.jsonl", sums), tools })]);

  test("has a path relative to the tools file, whose path is relative to the definition", async () => {
    const place = join(folder, "relative");
    mkdirSync(join(place, "tools", "data"), { recursive: true });
    openDatabase(join(place, "tools", "data", "a.sqlite"))
      .exec("CREATE TABLE t (a)")
      .close();
    writeFileSync(join(place, "tasks.jsonl"), lines([{ prompt: "?", answer: 1 }]));
    writeFileSync(join(place, "tools", "tools.json"), JSON.stringify([{ sql: { database: "data/a.sqlite" } }]));
    writeFileSync(join(place, "own.json"), JSON.stringify({ tasks: "tasks.jsonl", tools: "tools/tools.json" }));
    const inline = { tasks: "tasks.jsonl", tools: [{ sql: { database: "tools/data/a.sqlite" } }] };
    writeFileSync(join(place, "inline.json"), JSON.stringify(inline));
    for (const name of ["own", "inline"]) {
      const registry = await Registry.load([join(place, `${name}.json`)]);
      expect(registry.get(name).tools?.map((tool) => tool.name)).toEqual(["schema", "table", "query", "submit"]);
    }
  });

  test.each([
    ["that does not exist", "/nowhere/a.sqlite", /SQLite database at \/nowhere\/a\.sqlite, but received: ENOENT/],
    ["that is a folder", folder, /but received: EISDIR/],
    ["of another format", file("a.sqlite", "a,b\n1,2\n"), /but received: a file that is not a SQLite database/],
    ["that is empty", file("b.sqlite", ""), /but received: a file that is not a SQLite database/],
    ["that is broken", file("c.sqlite", `SQLite format 3\0${"x".repeat(5_000)}`), /but received: .*not a database/],
  ])("%s is refused", async (_, path, reason) => {
    const tools = [{ sql: { database: path } }];
    await expect(Registry.load([JSON.stringify({ id: "own", tasks: file("t.jsonl", sums), tools })])).rejects.toThrow(
      reason,
    );
  });

  test("without tables is refused", async () => {
    const path = join(folder, "bare.sqlite");
    openDatabase(path).exec("CREATE TABLE t (a); DROP TABLE t").close();
    const entry = JSON.stringify({ id: "own", tasks: file("t.jsonl", sums), tools: [{ sql: { database: path } }] });
    await expect(Registry.load([entry])).rejects.toThrow("but received: a database without tables");
  });

  test.each([
    ["no settings", ["sql"], /at tools\.0\.sql\.database/],
    ["an unknown setting", [{ sql: { database, write: true } }], /write/],
    ["no rows", [{ sql: { database, rows: 0 } }], /at tools\.0\.sql\.rows/],
    ["two databases", [{ sql: { database } }, { sql: { database } }], /received schema twice/],
  ])("with %s is refused", async (_, tools, reason) => {
    await expect(load(tools)).rejects.toThrow(reason);
  });
});
