/** Imports databases and questions in the formats of Spider and BIRD into a temporary data folder. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { importsFolder } from "#palestra/envs/sql/imported.js";
import { isOrdered, setUpSql } from "#palestra/envs/sql/setup.js";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { openGym, scratchDir, type TestGym } from "../../support/gym.js";
import { root } from "../../support/server-process.js";

process.env.XDG_DATA_HOME = scratchDir();

type Question = Record<string, unknown>;

/** Creates a folder of one database, whose further files have other singers. */
function folderOf(files: Record<string, Question[] | string>, databases = "database"): string {
  const folder = scratchDir();
  const own = join(folder, databases, "concert");
  mkdirSync(own, { recursive: true });
  const singers = [
    ["Ann", 30],
    ["Bob", 25],
    ["Cem", null],
  ] as const;
  for (const [at, name] of ["concert", "concert_test1", "concert_test2"].entries()) {
    const database = openDatabase(join(own, `${name}.sqlite`));
    database.exec("CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)");
    database.exec("CREATE VIEW broken AS SELECT missing FROM gone");
    const insert = database.prepare("INSERT INTO singer (name, age) VALUES (?, ?)");
    for (const [singer, age] of singers)
      insert.run(singer, age === null ? null : age + at * (singer === "Bob" ? 20 : 1));
    database.close();
  }
  writeFileSync(join(own, "schema.sql"), "-- beside it");
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}

const ages = {
  db_id: "concert",
  question: "Who are the singers\nfrom young to old?",
  query: "SELECT name FROM singer WHERE age > 0 ORDER BY age",
};
const count = { db_id: "concert", question: "How many singers are there?", query: "SELECT count(*) FROM singer" };
const young = { db_id: "concert", question: "Who is under 28?", query: "SELECT name FROM singer WHERE age < 28" };
const failing = { db_id: "concert", question: "What is gone?", query: "SELECT x FROM gone" };
const bird = {
  question_id: 0,
  db_id: "concert",
  question: "How old is the oldest performer?",
  evidence: "performer refers to singer; oldest refers to MAX(age)",
  SQL: "SELECT MAX(age) FROM singer",
  difficulty: "simple",
};

let gym: TestGym;
const said: Record<string, string> = {};

beforeAll(async () => {
  const spider = folderOf({ "dev.json": [ages, count, failing], "train_spider.json": [young], "train.json": [count] });
  said.spider = await setUpSql({ from: spider, as: "spider" });
  said.bird = await setUpSql({
    from: folderOf({ "dev.json": [bird, { ...bird, evidence: "" }] }, "dev_databases"),
    as: "bird",
  });
  // The import is a copy.
  rmSync(spider, { recursive: true });
  gym = await openGym();
});

async function started(split: string, index: number) {
  const { episodeId, observation } = await gym.create({ environment: "sql", task: { split, index } });
  let at = 0;
  const act = (action: string) => gym.call("step", { episodeId, index: at++, action });
  return { observation, act };
}

describe("an import", () => {
  test("reports the imported and the omitted questions", () => {
    expect(said.spider).toMatch(
      /^split spider-dev: 2 questions, 1 left out because the gold query fails \(entry 2 \(concert\): no such table: gone\); split spider-train: 2 questions$/,
    );
    expect(said.bird).toBe("split bird-dev: 2 questions");
  });

  test("is listed as splits, with the questions as titles", async () => {
    const { splits } = await gym.call("getEnvironment", { environment: "sql" });
    expect(Object.keys(splits)).toEqual(["train", "test", "easy", "bird-dev", "spider-dev", "spider-train"]);
    const { tasks } = await gym.call("listTasks", { environment: "sql", split: "spider-dev" });
    expect(tasks.map(({ title }) => title)).toEqual([
      "Who are the singers from young to old?",
      "How many singers are there?",
    ]);
  });

  test("is played and judged", async () => {
    const { observation, act } = await started("spider-dev", 1);
    expect(observation).toBe("Database: concert.\nQuestion: How many singers are there?");
    expect((await act("schema singer")).observation).toBe(
      "CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);\n\n3 rows. The first of them:\nid | name | age\n1 | Ann | 30\n2 | Bob | 25\n3 | Cem | NULL\n(3 rows)",
    );
    expect((await act("query SELECT name FROM singer WHERE age IS NULL")).observation).toBe("name\nCem\n(1 row)");
    expect(await act("submit SELECT COUNT(id) FROM singer")).toMatchObject({ reward: 1, terminated: true });
  });

  test("is also judged on the further files of its database", async () => {
    const { act } = await started("spider-train", 0);
    // Bob is 25 in the first file, 45 in the second.
    expect(await act("submit SELECT 'Bob'")).toMatchObject({
      reward: 0,
      observation:
        "The query does not give the right rows: on another database with other rows: expected 0 rows, but received more than 0.",
    });
  });

  test("compares the order of rows if its gold query has one", async () => {
    const right = "SELECT name FROM singer WHERE age IS NOT NULL ORDER BY age";
    expect(await (await started("spider-dev", 0)).act(`submit ${right}`)).toMatchObject({ reward: 1 });
    expect(await (await started("spider-dev", 0)).act(`submit ${right} DESC`)).toMatchObject({ reward: 0 });
  });

  test("shows BIRD's evidence", async () => {
    const { observation, act } = await started("bird-dev", 0);
    expect(observation).toBe(
      "Database: concert.\nQuestion: How old is the oldest performer?\nEvidence: performer refers to singer; oldest refers to MAX(age)",
    );
    expect(await act("submit SELECT age FROM singer ORDER BY age DESC LIMIT 1")).toMatchObject({ reward: 1 });
    expect((await started("bird-dev", 1)).observation).not.toContain("Evidence");
  });

  test("can have a database with a broken view", async () => {
    const { act } = await started("spider-dev", 0);
    expect((await act("schema broken")).observation).toMatch(
      /^CREATE VIEW broken .*;\n\nError: no such table: main\.gone$/,
    );
    expect((await act("schema")).observation).toContain("CREATE TABLE singer");
  });

  test("replaces an earlier import of the same name", async () => {
    const first = folderOf({ "dev.json": [count], "test.json": [young] });
    expect(await setUpSql({ from: first, as: "again" })).toBe(
      "split again-dev: 1 questions; split again-test: 1 questions",
    );
    await setUpSql({ from: folderOf({ "dev.json": [ages] }), as: "again" });
    expect(readdirSync(join(importsFolder(), "again")).sort()).toEqual(["again-dev.tasks.json", "database"]);
  });

  test("has the name of its folder by default", async () => {
    const from = join(scratchDir(), "Spider_2 Lite");
    cpSync(folderOf({ "dev.json": [count] }), from, { recursive: true });
    expect(await setUpSql({ from })).toBe("split spider-2-lite-dev: 1 questions");
  });

  test("runs from the command line", async () => {
    const env = { ...process.env, XDG_DATA_HOME: scratchDir() };
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [join(root, "dist/server/program/cli.js"), "setup", "sql", ...args], {
        env,
      });
    const from = folderOf({ "dev.json": [count] });
    expect((await run(from, "--as", "mine")).stdout).toContain("Getting sql: split mine-dev: 1 questions\n");
    expect(readdirSync(join(importsFolder(env), "mine"))).toEqual(["database", "mine-dev.tasks.json"]);
    await expect(run("/nowhere", "--as", "mine")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^palestra: expected a folder database .*in \/nowhere, but found none\n$/),
    });
  });
});

describe("a folder is refused", () => {
  const bare = () => {
    const folder = scratchDir();
    writeFileSync(join(folder, "dev.json"), JSON.stringify([count]));
    return folder;
  };
  const broken = () => {
    const folder = folderOf({ "dev.json": [count] });
    writeFileSync(join(folder, "database", "concert", "concert.sqlite"), "name,age\nAnn,30\n".repeat(100));
    return folder;
  };
  test.each([
    ["without databases", bare, /expected a folder database or dev_databases or train_databases in .*, but found none/],
    [
      "without questions",
      () => folderOf({}),
      /expected a question file in .* \(dev\.json, train_spider\.json, .*\), but found none$/,
    ],
    [
      "whose questions are no JSON",
      () => folderOf({ "dev.json": "[{]" }),
      /expected JSON in .*dev\.json, but received/,
    ],
    [
      "whose questions are no list",
      () => folderOf({ "dev.json": '{"a": 1}' }),
      /expected a JSON list with at least one question in/,
    ],
    [
      "with no question in its list",
      () => folderOf({ "dev.json": [] }),
      /expected a JSON list with at least one question in .*dev\.json$/,
    ],
    [
      "with an entry of another form",
      () => folderOf({ "dev.json": [count, { db_id: "concert" }] }),
      /expected texts in db_id, question and query of entry 1 in/,
    ],
    ["with an entry that is null", () => folderOf({ "dev.json": "[null]" }), /of entry 0 in .*, but received null/],
    [
      "with a missing database",
      () => folderOf({ "dev.json": [{ ...count, db_id: "opera" }] }),
      /expected a SQLite database at .*opera\.sqlite, but the file does not exist/,
    ],
    [
      "with a database outside of it",
      () => folderOf({ "dev.json": [{ ...count, db_id: "../concert" }] }),
      /of entry 0 in/,
    ],
    [
      "where no gold query runs",
      () => folderOf({ "dev.json": [failing] }),
      /all gold queries failed\. The first error: entry 0 \(concert\): no such table/,
    ],
    [
      "whose gold query writes",
      () => folderOf({ "dev.json": [{ ...count, query: "DELETE FROM singer" }] }),
      /begins with SELECT, .* received DELETE/,
    ],
    ["whose database is none of SQLite's", broken, /file is not a database/],
  ] as const)("%s", async (_, make, reason) => {
    await expect(setUpSql({ from: make(), as: "refused" })).rejects.toThrow(reason);
    expect(readdirSync(importsFolder())).not.toContain("refused");
    expect(readdirSync(join(importsFolder(), "..")).filter((name) => name.includes("next"))).toEqual([]);
  });

  test.each([
    ["no folder", {}, /no folder was named\. Name a folder in the format of Spider or BIRD\./],
    [
      "a name with a slash",
      { from: "/tmp", as: "a/b" },
      /expected a name of .* but received "a\/b"\. Give a name with --as\./,
    ],
    ["a name in upper case", { from: "/tmp", as: "Spider" }, /expected a name of/],
    ["no name, and a folder without one", { from: "/" }, /expected a name of .* but received ""/],
  ])("given %s", async (_, choices, reason) => {
    await expect(setUpSql(choices)).rejects.toThrow(reason);
  });
});

test.each([
  ["SELECT a FROM t ORDER BY a", true],
  ["SELECT a FROM t order\n by a LIMIT 3", true],
  ["SELECT a FROM t UNION SELECT b FROM u ORDER BY 1", true],
  ["SELECT a FROM (SELECT a FROM t ORDER BY a)", false],
  ["SELECT a FROM t WHERE a IN (SELECT b FROM u ORDER BY b LIMIT 3)", false],
  ["SELECT RANK() OVER (ORDER BY a) FROM t", false],
  ["SELECT 'ORDER BY (', a FROM t ORDER BY a", true],
  ["SELECT 'it''s ORDER BY a' FROM t", false],
  ['SELECT "order by" FROM t', false],
  ["SELECT a FROM t -- ORDER BY a", false],
  ["SELECT a FROM t /* ) */ ORDER BY a", true],
])("whether the order of %s matters is %s", (sql, ordered) => {
  expect(isOrdered(sql)).toBe(ordered);
});
