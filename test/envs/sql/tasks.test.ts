import { expect, test } from "vitest";
import { databaseOf } from "#palestra/envs/sql/engine/databases.js";
import sql from "#palestra/envs/sql/index.js";
import { easyFamilies, familyNames } from "#palestra/envs/sql/questions/families.js";
import { schemaNames, schemaOf } from "#palestra/envs/sql/schemas/index.js";
import { planOf } from "#palestra/envs/sql/tasks.js";
import { RandomUser } from "./random-user.js";
import { environment, expertReward, signal, started } from "./support.js";

test.each(schemaNames.map(schemaOf))(
  "the schema $name has related rows, NULLs and no broken reference",
  ({ name, tables }) => {
    const database = databaseOf({ schema: name, seed: 5 });
    expect(tables.length).toBeGreaterThanOrEqual(4);
    expect(tables.length).toBeLessThanOrEqual(12);
    expect(database.pragma("foreign_key_check")).toEqual([]);
    const counts = tables.map(
      (table) => database.prepare(`SELECT COUNT(*) FROM ${table.name}`).pluck().get() as number,
    );
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(500);
    expect(total).toBeLessThan(5_000);
    const nullable = tables.flatMap((table) =>
      table.columns.filter(({ nulls }) => nulls > 0).map((column) => [table.name, column.name]),
    );
    expect(nullable.length).toBeGreaterThan(2);
    for (const [table, column] of nullable)
      expect(database.prepare(`SELECT COUNT(*) FROM ${table} WHERE ${column} IS NULL`).pluck().get()).toBeGreaterThan(
        0,
      );
  },
);

test("the same seed gives the same database, and another seed another", () => {
  const rows = (seed: number) => databaseOf({ schema: "shop", seed }).prepare("SELECT * FROM customers").all();
  const first = rows(11);
  for (let seed = 100; seed < 130; seed++) rows(seed);
  expect(rows(11)).toEqual(first);
  expect(rows(12)).not.toEqual(first);
});

test("the expert solves every family of every schema in every split", async () => {
  const tasks = Object.entries(sql.splits).flatMap(([split, { size }]) =>
    Array.from({ length: Math.min(size, 8 * familyNames.length) }, (_, index) => ({ split, index })),
  );
  const failed: string[] = [];
  const seen = new Set<string>();
  for (const task of tasks) {
    const plan = planOf(task.split, task.index);
    if (plan) seen.add(`${task.split} ${plan.schema} ${plan.family}`);
    if ((await expertReward(task)) !== 1) failed.push(`${task.split}:${task.index}`);
  }
  expect(failed).toEqual([]);
  expect(seen.size).toBe(8 * (2 * familyNames.length + easyFamilies.length));
});

test("no two splits share a database", () => {
  const seedsOf = (split: string) => {
    const { size } = sql.splits[split] as { size: number };
    return new Set(Array.from({ length: size }, (_, index) => planOf(split, index)?.seeds ?? []).flat());
  };
  const [train, other, easy] = ["train", "test", "easy"].map(seedsOf) as [Set<number>, Set<number>, Set<number>];
  expect([...other].every((seed) => !train.has(seed))).toBe(true);
  expect([...easy].every((seed) => !train.has(seed) && !other.has(seed))).toBe(true);
});

test("only a correct submission is rewarded", async () => {
  for (let index = 0; index < 24; index++) {
    const { act } = await started({ split: "test", index });
    const actions = ["", "schema", "schema nothing", "query SELECT 1", "query SELEC", "hello", "submit"];
    for (const action of actions) expect((await act(action)).reward).toBe(0);
  }
});

test.each(["train", "test", "easy"])(
  "neither idleness nor random use of the tools is rewarded in %s",
  async (split) => {
    const { size } = sql.splits[split] as { size: number };
    const rewards: Record<string, number> = { idle: 0, random: 0 };
    let errors = 0;
    for (let count = 0; count < 80; count++) {
      const index = Math.floor((count * size) / 80);
      const idle = await started({ split, index });
      for (let step = 0; step < sql.maxSteps; step++) {
        const { reward, terminated } = await idle.act("schema");
        expect(terminated).toBe(false);
        rewards.idle = (rewards.idle as number) + reward;
      }
      const { act, instance } = await started({ split, index });
      for (const action of new RandomUser(instance.task?.schema as string, index).actions()) {
        const { reward, info } = await act(action);
        rewards.random = (rewards.random as number) + reward;
        errors += info.isError === true ? 1 : 0;
      }
    }
    expect(rewards).toEqual({ idle: 0, random: 0 });
    // The queries are valid for these tables.
    expect(errors).toBe(0);
  },
  120_000,
);

test("a question names its columns and states whether the order matters", async () => {
  for (let index = 0; index < 40; index++) {
    const { reset, instance } = await started({ split: "train", index });
    expect(reset.observation).toMatch(/\nReturn (one column|\d columns in this order): /);
    const ordered = instance.task?.problem.ordered;
    expect(reset.observation).toMatch(ordered ? /Order the rows by / : /The order of the rows does not matter\.$/);
  }
});

test("an answer without an episode gets the reward of its submission", async () => {
  const task = { split: "test", index: 3 };
  const { instance } = await started(task);
  const gold = instance.task?.problem.gold as string;
  const verify = async (answer: string) => (await sql.verify?.({ task, options: {}, answer }, signal))?.reward;
  expect(await verify(gold)).toBe(1);
  expect(await verify(`Here it is:\n\`\`\`sql\n${gold};\n\`\`\`\nDone.`)).toBe(1);
  expect(await verify(`submit ${gold}`)).toBe(1);
  expect(await verify("SELECT 1")).toBe(0);
  expect(await verify("")).toBe(0);
});

test("a replay runs no query", async () => {
  const task = { split: "test", index: 0 };
  const log: unknown[] = [];
  const play = async (instance: ReturnType<typeof environment>) => {
    await instance.reset({ task, seed: 0, options: { schema: "shown" } }, signal);
    const trace = [];
    for (const action of ["query SELECT random()", "query SELECT datetime('now', 'subsec')", "submit SELECT 1"])
      trace.push(await instance.step(action, signal));
    return trace;
  };
  const first = await play(
    environment(async (ask) => {
      const answer = await ask();
      log.push(answer);
      return answer;
    }),
  );
  expect(log).toHaveLength(3);
  expect(await play(environment(async () => log.shift() as never))).toEqual(first);
});

test("the first observation shows the tables if the option is set", async () => {
  const { reset } = await started({ split: "test", index: 0 }, { schema: "shown" });
  expect(reset.observation).toContain("CREATE TABLE customers");
});
