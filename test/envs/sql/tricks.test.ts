/** SQL that tries to win without an answer, to write, or to crash the gym. */
import { afterAll, describe, expect, test } from "vitest";
import { LimitReached } from "#palestra/envs/shared/sqlite/program.js";
import { judge } from "#palestra/envs/sql/judge.js";
import { planOf, type SqlTask, type TaskPlan } from "#palestra/envs/sql/tasks.js";
import { eventually } from "../../support/gym.js";
import { signal, smallPool, started } from "./support.js";

const pool = smallPool(700);
afterAll(() => pool.close());

const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)";
const deep = (count: number) => `SELECT ${"(".repeat(count)}1${")".repeat(count)}`;

/** SQL that is refused, wrong or fails at once. */
const quick: readonly string[] = [
  "",
  " ",
  "\n\t",
  ";",
  ";;",
  "--",
  "-- only a comment",
  "/* open",
  "/* closed */",
  "\0",
  "SELECT 1\0",
  "SELECT\0 1",
  "SELECT 1; SELECT 2",
  "SELECT 1; DROP TABLE orders",
  "SELECT 1;;",
  "/**/ATTACH 'x' AS y",
  "-- a\nDELETE FROM orders",
  "ATTACH DATABASE '/etc/passwd' AS p",
  "ATTACH ':memory:' AS m",
  "DETACH main",
  "PRAGMA query_only = 0",
  "PRAGMA writable_schema = 1",
  "PRAGMA hard_heap_limit = 0",
  "PRAGMA table_info(orders)",
  "SELECT * FROM pragma_database_list",
  "SELECT * FROM pragma_table_info('orders')",
  "SELECT * FROM pragma_compile_options",
  "VACUUM",
  "VACUUM INTO '/tmp/stolen.sqlite'",
  "REINDEX",
  "ANALYZE",
  "BEGIN",
  "COMMIT",
  "ROLLBACK",
  "SAVEPOINT a",
  "RELEASE a",
  "DROP TABLE orders",
  "CREATE TABLE t (a)",
  "CREATE TEMP TABLE t AS SELECT 1",
  "CREATE VIEW v AS SELECT 1",
  "INSERT INTO orders DEFAULT VALUES",
  "INSERT INTO orders DEFAULT VALUES RETURNING 1",
  "UPDATE orders SET status = 'x' RETURNING *",
  "DELETE FROM orders RETURNING order_id",
  "REPLACE INTO orders VALUES (1)",
  "ALTER TABLE orders RENAME TO o",
  "WITH a AS (SELECT 1) DELETE FROM orders",
  "WITH a AS (SELECT 1) INSERT INTO orders SELECT * FROM a",
  "WITH a AS (SELECT 1) UPDATE orders SET status = 1 RETURNING 1",
  "SELECT load_extension('x')",
  "SELECT load_extension('/lib/x86_64-linux-gnu/libc.so.6')",
  "SELECT writefile('/tmp/x', 'y')",
  "SELECT readfile('/etc/passwd')",
  "SELECT edit('x')",
  "SELECT fts3_tokenizer('simple')",
  "SELECT * FROM fsdir('/')",
  "EXPLAIN SELECT 1",
  "EXPLAIN QUERY PLAN SELECT 1",
  "EXPLAIN DROP TABLE orders",
  "VALUES (1)",
  "VALUES (1, 2, 3)",
  "SELECT 0",
  "SELECT 1",
  "SELECT NULL",
  "SELECT ''",
  "SELECT 42",
  "SELECT COUNT(*) FROM orders",
  "SELECT * FROM orders",
  "SELECT * FROM customers",
  "SELECT * FROM sqlite_schema",
  "SELECT * FROM sqlite_master",
  "SELECT * FROM sqlite_temp_schema",
  "SELECT * FROM dbstat",
  "SELECT random()",
  "SELECT randomblob(16)",
  "SELECT 9e999",
  "SELECT -9e999",
  "SELECT 0.0 / 0",
  "SELECT 1 / 0",
  "SELECT zeroblob(10)",
  "SELECT x'00ff'",
  "SELECT char(0, 1, 65536, 1114111)",
  "SELECT '\ud800'",
  "SELECT '💥', '\u202e', 'é'",
  "ＳＥＬＥＣＴ 1",
  "SELECT 1 WHERE 0",
  "SELECT * FROM nothing",
  "SELECT nothing",
  "SELEC 1",
  "SELECT",
  "SELECT (",
  "SELECT '",
  'SELECT "',
  "SELECT ?",
  "SELECT :a",
  "SELECT ?1, ?2",
  deep(50),
  deep(5_000),
  `SELECT ${"1,".repeat(3_000)}1`,
  `SELECT 1${" UNION ALL SELECT 1".repeat(600)}`,
  `SELECT ${"-".repeat(5_001)}1`,
  "x".repeat(30_000),
  `SELECT '${"x".repeat(30_000)}'`,
  "SELECT 1 -- gold",
  "RIGHT",
  "true",
  "```sql\nSELECT 1\n```",
  "SELECT abs(-9223372036854775808)",
  "SELECT 9223372036854775807 + 1",
  "SELECT total_changes(), changes()",
  "SELECT 'a' LIKE 'b' ESCAPE 'cd'",
  "SELECT json('{')",
  "SELECT * FROM json_each('[1,2,3]')",
  "SELECT date('now')",
  "SELECT group_concat(name) FROM products",
  "SELECT value FROM generate_series(1, 10)",
  "SELECT * FROM generate_series(1, 1e18)",
  "SELECT * FROM completion('sel')",
  "SELECT * FROM sqlite_dbpage",
  "SELECT * FROM sqlite_stmt",
  "SELECT * FROM bytecode('SELECT 1')",
  "SELECT * FROM zipfile('/tmp/a.zip')",
  "SELECT * FROM csv('/etc/passwd')",
  "SELECT * FROM pragma_function_list",
  "SELECT * FROM pragma_module_list",
  "SELECT * FROM pragma_query_only",
  "SELECT * FROM Pragma_Database_List",
  "SELECT * FROM pragma_database_list()",
  'SELECT * FROM "pragma_database_list"',
  "PRAGMA journal_mode = DELETE",
  "PRAGMA temp_store_directory = '/tmp'",
  "PRAGMA query_only(0)",
  "CREATE TRIGGER t AFTER INSERT ON orders BEGIN SELECT 1; END",
  "CREATE VIRTUAL TABLE t USING fts5(a)",
  "CREATE INDEX i ON orders (status)",
  "INSERT INTO sqlite_schema VALUES (1, 2, 3, 4, 5)",
  "UPDATE sqlite_schema SET sql = 'x'",
  "SELECT set_authorizer()",
  "SELECT system('id')",
  "SELECT exec('id')",
  "SELECT regexp('(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')",
  "SELECT sqlite_source_id(), sqlite_version()",
  "SELECT sqlite_compileoption_get(1)",
  "SELECT gold FROM problem",
  "SELECT * FROM gold",
  "SELECT 1 /* ; SELECT 2 */",
  "SELECT 1 -- ; SELECT 2",
  "SELECT 1 /* open",
  "\u00a0SELECT 1",
  "\ufeffSELECT 1",
  `SELECT * FROM ${"(SELECT * FROM ".repeat(200)}orders${")".repeat(200)}`,
  `SELECT ${"NOT ".repeat(900)}1`,
  `SELECT ${"CASE WHEN 1 THEN ".repeat(900)}1${" END".repeat(900)}`,
  `SELECT json('${"[".repeat(9_000)}${"]".repeat(9_000)}')`,
  `SELECT COUNT(*) FROM ${Array.from({ length: 70 }, (_, at) => `orders o${at}`).join(", ")}`,
  `SELECT max(${Array.from({ length: 200 }, () => "1").join(", ")})`,
  `WITH ${Array.from({ length: 200 }, (_, at) => `a${at} AS (SELECT 1)`).join(", ")} SELECT 1`,
];

/** SQL that exhausts its time or memory. */
const heavy: readonly string[] = [
  `${endless} SELECT x FROM c`,
  `${endless} SELECT COUNT(*) FROM c`,
  `${endless} SELECT DISTINCT x FROM c ORDER BY -x`,
  `${endless} SELECT group_concat(x) FROM c`,
  `${endless} SELECT json_group_array(x) FROM c`,
  "SELECT COUNT(*) FROM order_items a, order_items b, order_items c",
  "SELECT * FROM order_items a, order_items b, order_items c ORDER BY a.quantity",
  "SELECT zeroblob(400000000), zeroblob(400000000), zeroblob(400000000)",
  "SELECT hex(zeroblob(400000000))",
  "SELECT length(randomblob(400000000)) + length(hex(randomblob(200000000)))",
  "SELECT printf('%.*c', 500000000, 'x') || printf('%.*c', 500000000, 'x')",
  "SELECT replace(hex(zeroblob(20000)), '00', hex(zeroblob(20000)))",
  `WITH RECURSIVE c(x) AS (SELECT 'aaaaaaaaaa' UNION ALL SELECT x || x FROM c) SELECT x FROM c`,
  `${endless} SELECT x'00' || zeroblob(1000000) FROM c ORDER BY 1`,
  "SELECT '%%%' LIKE printf('%.*c', 40000, '%') || 'x'",
  `SELECT printf('%.*c', 40000, 'a') LIKE '${"%a".repeat(40)}%b'`,
  `SELECT printf('%.*c', 40000, 'a') GLOB '${"*a".repeat(40)}*b'`,
  "SELECT SUM(a.quantity) OVER (ORDER BY b.quantity) FROM order_items a, order_items b, order_items c",
  "SELECT COUNT(DISTINCT a.quantity || b.rowid || c.rowid) FROM order_items a, order_items b, order_items c",
  `${endless} SELECT COUNT(*) FROM c a, c b LIMIT 1`,
  `SELECT ${"hex(".repeat(25)}'a'${")".repeat(25)}`,
  `SELECT COUNT(*) FROM (${Array.from({ length: 400 }, () => "SELECT * FROM order_items a, order_items b").join(" UNION ALL ")})`,
];

const plan = planOf("test", 0) as TaskPlan;
const problem = await pool.ask(plan, signal);
const task: SqlTask = {
  problem,
  schema: plan.schema,
  databases: plan.seeds.map((seed) => ({ schema: plan.schema, seed })),
};
const database = { schema: plan.schema, seed: plan.seeds[0] as number };

async function outcome(sql: string): Promise<string> {
  return pool.ask({ op: "query", database, sql }, signal).then(
    ({ kind, text }) => `${kind} ${text}`,
    (error: unknown) => (error instanceof LimitReached ? `limit ${error.message}` : `failed ${error}`),
  );
}

test("the file has more than a hundred tricks, of every kind", () => {
  expect(new Set([...quick, ...heavy]).size).toBe(quick.length + heavy.length);
  expect(quick.length + heavy.length).toBeGreaterThan(100);
});

describe("a trick gets a reply and no reward", () => {
  test.each(quick)("%j", async (sql) => {
    expect(await outcome(sql)).toMatch(/^(rows|error) /);
    expect((await judge(pool, task, sql, signal)).equal).toBe(false);
  });

  test.each(heavy)(
    "%s",
    async (sql) => {
      expect(await outcome(sql)).toMatch(/^(rows|error|limit) /);
      expect((await judge(pool, task, sql, signal)).equal).toBe(false);
    },
    240_000,
  );

  afterAll(async () => {
    expect((await judge(pool, task, problem.gold, signal)).equal).toBe(true);
    expect(await outcome("SELECT COUNT(*) > 0 AS some FROM orders")).toBe("rows some\n1\n(1 row)");
  });
});

test("SQL that writes is refused", async () => {
  const before = await outcome("SELECT COUNT(*) FROM orders");
  for (const sql of quick.filter(
    (text) => /DELETE|INSERT|UPDATE|DROP|ATTACH|VACUUM/.test(text) && !text.startsWith("EXPLAIN"),
  ))
    expect(await outcome(sql)).toMatch(/^error /);
  expect(await outcome("SELECT COUNT(*) FROM orders")).toBe(before);
});

test("a query with the first database's answer as constants fails on the other databases", async () => {
  for (let index = 0; index < 30; index++) {
    const { instance, act } = await started({ split: "test", index });
    const { databases, problem: own } = instance.task as SqlTask;
    const gold = await pool.ask({ op: "query", database: databases[0] as never, sql: own.gold }, signal);
    const lines = gold.text.split("\n").slice(1, -1);
    const values = lines.map(
      (line) =>
        `(${line
          .split(" | ")
          .map((cell) => (cell === "NULL" || Number.isFinite(Number(cell)) ? cell : `'${cell.replaceAll("'", "''")}'`))
          .join(", ")})`,
    );
    expect((await act(`submit VALUES ${values.join(", ")}`)).reward).toBe(0);
  }
});

test("other episodes continue during an endless query", async () => {
  const patient = smallPool(3_600_000);
  const controller = new AbortController();
  const slow = patient.ask({ op: "query", database, sql: `${endless} SELECT COUNT(*) FROM c` }, controller.signal);
  for (let count = 0; count < 20; count++)
    expect((await patient.ask({ op: "query", database, sql: "SELECT 1" }, signal)).kind).toBe("rows");
  controller.abort(new Error("hung up"));
  await expect(slow).rejects.toThrow("hung up");
  patient.close();
});

test("an endless query is ended", async () => {
  const said = await outcome(`${endless} SELECT COUNT(*) FROM c`);
  expect(said).toBe("limit Error: the query took longer than 0.7 seconds, and was ended");
});

test("a query whose process is killed is retried, and a second kill gives a typed error", async () => {
  const single = smallPool(60_000, 1);
  try {
    const { kind } = await single.ask({ op: "query", database, sql: "SELECT 1" }, signal);
    expect(kind).toBe("rows");
    const killed = new Set<number>();
    const kill = async () => {
      const next = () => single.pids.find((pid) => !killed.has(pid));
      await eventually(() => next() !== undefined);
      const pid = next() as number;
      killed.add(pid);
      process.kill(pid, "SIGKILL");
    };
    const once = single.ask(
      { op: "query", database, sql: `${endless} SELECT x FROM c WHERE x > 3000000 LIMIT 1` },
      signal,
    );
    await kill();
    expect((await once).text).toContain("3000001");
    const twice = single.ask({ op: "query", database, sql: `${endless} SELECT COUNT(*) FROM c` }, signal);
    const failure = expect(twice).rejects.toMatchObject({ name: "ServiceFailed" });
    await kill();
    await kill();
    await failure;
    expect((await single.ask({ op: "query", database, sql: "SELECT 1" }, signal)).kind).toBe("rows");
  } finally {
    single.close();
  }
});

test("a caller that aborts ends its query", async () => {
  const single = smallPool(20_000, 1);
  const controller = new AbortController();
  const asked = single.ask({ op: "query", database, sql: `${endless} SELECT COUNT(*) FROM c` }, controller.signal);
  setTimeout(() => controller.abort(new Error("hung up")), 200);
  await expect(asked).rejects.toThrow("hung up");
  expect((await single.ask({ op: "query", database, sql: "SELECT 1" }, signal)).kind).toBe("rows");
  single.close();
});
