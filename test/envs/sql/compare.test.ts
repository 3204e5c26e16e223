/** Comparison of rows, with hundreds of pairs of queries whose equality is known by construction. */
import { afterAll, describe, expect, test } from "vitest";
import { databaseOf } from "#palestra/envs/sql/engine/databases.js";
import { makeProblem } from "#palestra/envs/sql/questions/problem.js";
import { schemaNames, schemaOf } from "#palestra/envs/sql/schemas/index.js";
import type { Schema } from "#palestra/envs/sql/schemas/schema.js";
import { planOf, type TaskPlan } from "#palestra/envs/sql/tasks.js";
import { type Case, casesOf, goldOf } from "./comparison-cases.js";
import { structuralCases } from "./structural-cases.js";
import { signal, smallPool } from "./support.js";

const pool = smallPool(10_000);
afterAll(() => pool.close());

/** Kinds of questions that together cover reals, NULLs, texts, ordered rows and duplicate rows. */
const families = ["filter", "missing", "top", "group", "share", "years", "join"];

function casesOfSchema(schema: Schema): Case[] {
  const { seeds } = planOf("test", schemaNames.indexOf(schema.name)) as TaskPlan;
  const databases = seeds.map((seed) => databaseOf({ schema: schema.name, seed }));
  const [database] = databases as [(typeof databases)[0]];
  const problems = families.map((family) => makeProblem(schema, databases, family, 7));
  const [child] = schema.tables.filter(({ columns }) => columns.some(({ nulls }) => nulls > 0));
  const nullable = child?.columns.find(({ nulls }) => nulls > 0)?.name;
  const golds = [
    ...problems.map(({ gold, ordered }) => goldOf(database, gold, ordered)),
    goldOf(database, `SELECT ${nullable} FROM ${child?.name} WHERE rowid <= 40`, false),
  ];
  return [...golds.flatMap(casesOf), ...structuralCases(schema, database)];
}

const byHand: [gold: string, sql: string, equal: boolean, ordered?: boolean][] = [
  ["SELECT NULL", "SELECT NULL", true],
  ["SELECT NULL", "SELECT 0", false],
  ["SELECT NULL", "SELECT ''", false],
  ["SELECT NULL", "SELECT 'NULL'", false],
  ["SELECT 0", "SELECT ''", false],
  ["SELECT 0", "SELECT 0.0", true],
  ["SELECT 0", "SELECT -0.0", true],
  ["SELECT 0", "SELECT FALSE", true],
  ["SELECT 1", "SELECT TRUE", true],
  ["SELECT 1", "SELECT '1'", false],
  ["SELECT 1", "SELECT 1.0", true],
  ["SELECT 1", "SELECT 1.5", false],
  ["SELECT 1", "SELECT -1", false],
  ["SELECT 1.0", "SELECT '1.0'", false],
  ["SELECT 0.3", "SELECT 0.1 + 0.2", true],
  ["SELECT 0.0", "SELECT 0.1 + 0.2 - 0.3", true],
  ["SELECT 0.0", "SELECT 0.000001", false],
  ["SELECT 1000.0", "SELECT 1000.0000000001", true],
  ["SELECT 1000.0", "SELECT 1000.001", false],
  ["SELECT 100.0 / 3", "SELECT 33.333333333333", true],
  ["SELECT 100.0 / 3", "SELECT 33.33", false],
  ["SELECT 100 / 3", "SELECT 100.0 / 3", false],
  ["SELECT 1700000000001", "SELECT 1700000000002", false],
  ["SELECT 491761234567", "SELECT 491761234568", false],
  ["SELECT 9007199254740992", "SELECT 9007199254740993", false],
  ["SELECT 9223372036854775807", "SELECT 9223372036854775806", false],
  ["SELECT 9223372036854775807", "SELECT 9223372036854775807", true],
  ["SELECT 1700000000001", "SELECT 1700000000001.0", true],
  ["SELECT 1700000000001", "SELECT 1700000000002.0", false],
  ["SELECT 1700000000001.0", "SELECT 1700000000002", false],
  ["SELECT 1700000000001.0", "SELECT 1700000000002.0", false],
  ["SELECT 1700000000001", "SELECT 1700000000001.0001", true],
  ["SELECT 9007199254740992", "SELECT 9007199254740992.0", true],
  ["SELECT 9007199254740993", "SELECT 9007199254740992.0", false],
  ["SELECT 9007199254740992.0", "SELECT 9007199254740993", false],
  ["SELECT 9223372036854775807", "SELECT 9223372036854775807.0", false],
  ["SELECT 1e300", "SELECT 1e300 * 3 / 3.0000000000001", true],
  ["VALUES (9007199254740993, 1), (2, 2)", "VALUES (2.0, 2), (9007199254740992.0, 1)", false],
  ["SELECT 9e999", "SELECT 9e999", true],
  ["SELECT 9e999", "SELECT -9e999", false],
  ["SELECT 9e999", "SELECT 1e308", false],
  ["SELECT 'a'", "SELECT 'A'", false],
  ["SELECT 'a'", "SELECT 'a '", false],
  ["SELECT 'a'", "SELECT 'a' || ''", true],
  ["SELECT 'a'", "SELECT x'61'", false],
  ["SELECT x'6162'", "SELECT CAST('ab' AS BLOB)", true],
  ["SELECT x'6162'", "SELECT x'6163'", false],
  ["SELECT '2024-01-05'", "SELECT '2024-1-5'", false],
  ["SELECT '2024-01-05'", "SELECT date('2024-01-04', '+1 day')", true],
  ["SELECT '2024'", "SELECT 2024", false],
  ["SELECT 'é'", "SELECT char(233)", true],
  ["SELECT 'Ann'", 'SELECT "Ann"', true],
  ['SELECT "Ann"', "SELECT 'Ben'", false],
  [`SELECT 'Ann''s "best"'`, 'SELECT "Ann\'s ""best"""', true],
  ["SELECT 'a`b'", 'SELECT "a`b"', true],
  ["SELECT '', '1'", 'SELECT "", "1"', true],
  ["SELECT 1", 'SELECT "1"', false],
  ["SELECT 'true'", 'SELECT "true"', true],
  ["SELECT '--', '/*'", 'SELECT "--", "/*" -- "Ann"', true],
  [`SELECT '"Ann"', 'Ann'`, `SELECT '"Ann"', "Ann" /* "Ann" */`, true],
  // A name that is a column in one part of the query and a text in the other.
  ["VALUES (1, 'a'), (2, 'a')", 'SELECT "a", "x" FROM (SELECT 1 AS a, \'a\' AS x) UNION SELECT 2, "a"', true],
  ["VALUES (1), ('a')", 'SELECT "a" UNION SELECT "a" FROM (SELECT 1 AS a)', true],
  ["VALUES ('a', 1, 'a')", 'SELECT "a", (SELECT "a" FROM (SELECT 1 AS "a")), "a"', true],
  ["SELECT 'b'", 'SELECT "b" AS "a" WHERE "a" = "b" AND "c" = "c" ORDER BY "a"', true],
  [
    "VALUES ('x'), ('y')",
    'WITH "t"("a") AS (VALUES ("x"), ("y")) SELECT t."a" FROM "t" WHERE "t"."a" IN ("x", "y")',
    true,
  ],
  ["VALUES (1), (2)", "VALUES (2), (1)", true],
  ["VALUES (1), (2)", "VALUES (2), (1)", false, true],
  ["VALUES (1), (1), (2)", "VALUES (1), (2), (2)", false],
  ["VALUES (1), (1), (2)", "VALUES (1), (2), (1)", true],
  ["VALUES (1, 2)", "VALUES (2, 1)", false],
  ["VALUES (1, 'a'), (2, 'b')", "VALUES (1, 'b'), (2, 'a')", false],
  ["VALUES (1, 'a'), (2, 'b')", "VALUES (2, 'b'), (1, 'a')", true],
  ["VALUES (1, NULL), (1, 2)", "VALUES (1, 2), (1, NULL)", true],
  ["VALUES (NULL, 1)", "VALUES (1, NULL)", false],
  ["VALUES (1, 'a,b')", "VALUES ('1,a', 'b')", false],
  ["VALUES ('a\",\"b', 'c')", "VALUES ('a', 'b\",\"c')", false],
  ["VALUES ('null')", "VALUES (NULL)", false],
  ["VALUES ('0')", "VALUES (0)", false],
  ["VALUES (0.1, 2.0), (0.1000000000001, 1.0)", "VALUES (0.1, 1.0), (0.1000000000001, 2.0)", true],
  ["VALUES (1.0, 2.0), (2.0, 1.0)", "VALUES (1.0, 1.0), (2.0, 2.0)", false],
  ["SELECT 1 WHERE 0", "SELECT 2 WHERE 0", true],
  ["SELECT 1 WHERE 0", "SELECT 1, 2 WHERE 0", false],
  ["SELECT 1 WHERE 0", "SELECT NULL", false],
  ["SELECT 1", "SELECT 1 AS other", true],
  ["SELECT 1", "SELECT 1; ", true],
  ["SELECT 1", "SELECT 1; SELECT 1", false],
];

const handMade: Case[] = byHand.map(([gold, sql, equal, ordered = false]) => ({
  change: "by hand",
  gold,
  sql,
  ordered,
  equal,
}));

const sets: [string, Schema, Case[]][] = [
  ...schemaNames.map(schemaOf).map((schema): [string, Schema, Case[]] => [schema.name, schema, casesOfSchema(schema)]),
  ["rows made by hand", schemaOf("shop"), handMade],
];

describe("the comparison accepts queries with the same rows and refuses queries with different rows", () => {
  test.each(sets)("over %s", async (_, schema, cases) => {
    const { seeds } = planOf("test", schemaNames.indexOf(schema.name)) as TaskPlan;
    const database = { schema: schema.name, seed: seeds[0] as number };
    const wrong: string[] = [];
    for (const { change, gold, sql, ordered, equal } of cases) {
      const judged = await pool.ask({ op: "compare", database, gold, sql, ordered }, signal);
      // A failing query would be unequal for another reason than its rows.
      const isBroken = !judged.equal && /query that runs|statement that reads/.test(judged.why);
      if (judged.equal !== equal || (isBroken && change !== "by hand"))
        wrong.push(`${change}: ${gold} | ${sql.slice(0, 300)}: ${JSON.stringify(judged)}`);
    }
    expect(wrong).toEqual([]);
  });

  test("the cases have hundreds of each kind", () => {
    const all = sets.flatMap(([, , cases]) => cases);
    const distinct = new Set(
      sets.flatMap(([name, , cases]) => cases.map(({ gold, sql, ordered }) => [name, gold, sql, ordered].join("\n"))),
    );
    expect(distinct.size).toBe(all.length);
    expect(all.filter(({ equal }) => equal).length).toBeGreaterThanOrEqual(300);
    expect(all.filter(({ equal }) => !equal).length).toBeGreaterThanOrEqual(300);
    expect(new Set(all.map(({ change }) => change.replace(/ becomes .*/s, ""))).size).toBeGreaterThanOrEqual(40);
  });
});
