/** Tasks over databases that are made from seeds. */
import type { TaskSplit } from "../env.js";
import type { DatabaseRef, EngineRequest, Problem } from "./engine/request.js";
import type { Family } from "./questions/ask.js";
import { easyFamilies, families, familyNames } from "./questions/families.js";
import { schemas } from "./schemas/index.js";

/** A task, ready to be played. */
export interface SqlTask {
  problem: Problem;
  /** The agent queries the first. An answer has to be right on all. */
  databases: readonly DatabaseRef[];
  /** Name of the schema, or of the imported database. */
  schema: string;
}

/** What makes a generated task. */
export interface TaskPlan extends Extract<EngineRequest, { op: "task" }> {}

interface MadeSplit {
  size: number;
  summary: string;
  families: readonly string[];
  /** Seeds of databases begin here. No two splits share one. */
  firstSeed: number;
}

/** Databases that an answer has to be right on. */
const databasesOfTask = 3;
/** Tasks of each schema about the same databases. */
const tasksOfDatabase = 8;

const made: Readonly<Record<string, MadeSplit>> = {
  train: {
    size: 10_000,
    summary: "Questions of all kinds, to learn from.",
    families: familyNames,
    firstSeed: 1_000_000,
  },
  test: {
    size: 800,
    summary: "Questions of all kinds about other databases, to report.",
    families: familyNames,
    firstSeed: 2_000_000,
  },
  easy: {
    size: 1_000,
    summary: "Questions of difficulty 1 and 2 about still other databases.",
    families: easyFamilies,
    firstSeed: 3_000_000,
  },
};

export const madeSplits: Record<string, TaskSplit> = Object.fromEntries(
  Object.entries(made).map(([name, { size, summary }]) => [
    name,
    { size, summary, title: (index) => titleOf(name, index) },
  ]),
);

/** The plan of entry `index`, which is in range; undefined where the split is none of these. */
export function planOf(split: string, index: number): TaskPlan | undefined {
  const found = Object.hasOwn(made, split) ? made[split] : undefined;
  if (!found) return undefined;
  const { firstSeed, families: names } = found;
  const round = Math.floor(index / schemas.length);
  const schema = (schemas[index % schemas.length] as { name: string }).name;
  const database = firstSeed + databasesOfTask * Math.floor(round / tasksOfDatabase);
  const seeds = Array.from({ length: databasesOfTask }, (_, at) => database + at);
  // Schemas are out of step, so that neighbours ask for different things.
  const family = names[(round + 5 * (index % schemas.length)) % names.length] as string;
  return { op: "task", schema, seeds, family, seed: firstSeed + index };
}

function titleOf(split: string, index: number): string {
  const { schema, family } = planOf(split, index) as TaskPlan;
  const { title, difficulty } = families[family] as Family;
  return `${schema}: ${title} (difficulty ${difficulty} of 5)`;
}
