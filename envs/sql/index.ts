import { availableParallelism } from "node:os";
import type { AsyncEnvironmentSpec, TaskRef } from "../env.js";
import { Recent } from "../shared/kept/recent.js";
import { sqlOfAnswer } from "./actions.js";
import { EnginePool } from "./engine/pool.js";
import type { Problem } from "./engine/request.js";
import { Sql } from "./env.js";
import { nextAction } from "./expert.js";
import { importedSplits, importedTask } from "./imported.js";
import { judge } from "./judge.js";
import { sqlData } from "./requirement.js";
import { madeSplits, planOf, type SqlTask } from "./tasks.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";

/** Limits of a query: time in milliseconds and memory in MiB. */
const limits = { queryMs: 2_000, memoryMb: 256 };
/**
 * Cache of problems. The rollouts of a group share one problem, whose generation runs the gold query on three
 * databases.
 */
const problems = new Recent<Problem>(4_096);
const pool = new EnginePool(Math.min(8, Math.max(2, availableParallelism())), limits);

const sql: AsyncEnvironmentSpec<Sql> = {
  isAsync: true,
  id: "sql",
  version: 2,
  summary: "Answer a question about a SQLite database with one query, after looking into its tables.",
  splits: { ...madeSplits, ...importedSplits() },
  options: {
    schema: {
      summary: "Whether the first observation shows the tables.",
      values: {
        asked: { summary: "The agent asks for them." },
        shown: { summary: "All tables are shown with the question." },
      },
    },
  },
  maxSteps: 20,
  rewardRange: [0, 1],
  solvedReward: 1,
  familyKey: "family",
  prompt,
  tools,
  requirements: [sqlData],
  restore: "replay",
  // A query may have to wait for other queries that use their full time limit.
  deadlineMs: 120_000,
  create: (context) => new Sql(context, { pool, taskOf }),
  expert: async (environment) => nextAction(environment),
  verdict: (environment, end, signal) => verdict(pool, environment, end, signal),
  async verify({ task, answer }, signal) {
    const found = await taskOf(task, signal);
    const result = await judge(pool, found, sqlOfAnswer(answer), signal);
    return { reward: result.equal ? 1 : 0, info: { ...result }, expected: found.problem.gold };
  },
};

export default sql;

async function taskOf({ split, index }: TaskRef, signal: AbortSignal): Promise<SqlTask> {
  const plan = planOf(split, index);
  if (!plan) return importedTask(split, index);
  const { schema, seeds } = plan;
  const key = `${split}:${index}`;
  const problem = problems.get(key) ?? problems.set(key, await pool.ask(plan, signal));
  return { problem, schema, databases: seeds.map((seed) => ({ schema, seed })) };
}
