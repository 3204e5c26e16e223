/** Tasks about databases that are generated from seeds. */
import type { TaskSplit } from "../env.js";
import type { DatabaseRef, EngineRequest, Problem } from "./engine/request.js";
import type { Family } from "./questions/ask.js";
import { easyFamilies, families, familyNames } from "./questions/families.js";
import { schemaNames } from "./schemas/index.js";

/** A task in the form that an episode uses. */
export interface SqlTask {
  problem: Problem;
  /** Databases of the task. The agent queries the first database. An answer must be right on all databases. */
  databases: readonly DatabaseRef[];
  /** Name of the schema or of the imported database. */
  schema: string;
}

/** Request to a process that generates a task. */
export interface TaskPlan extends Extract<EngineRequest, { op: "task" }> {}

interface MadeSplit {
  size: number;
  summary: string;
  families: readonly string[];
  /** Seed of the split's first database. Splits never share a seed. */
  firstSeed: number;
}

/** Number of databases on which an answer must be right. */
const databasesOfTask = 3;
/** Number of tasks that share the same databases of a schema. */
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

/**
 * Returns the request that generates a task, or undefined if the split is not a generated split. The index must be
 * within the split.
 */
export function planOf(split: string, index: number): TaskPlan | undefined {
  const found = Object.hasOwn(made, split) ? made[split] : undefined;
  if (!found) return undefined;
  const { firstSeed, families: names } = found;
  const round = Math.floor(index / schemaNames.length);
  const schema = schemaNames[index % schemaNames.length] as string;
  const database = firstSeed + databasesOfTask * Math.floor(round / tasksOfDatabase);
  const seeds = Array.from({ length: databasesOfTask }, (_, at) => database + at);
  // Each schema starts at another family of questions, so that neighboring tasks differ.
  const family = names[(round + 5 * (index % schemaNames.length)) % names.length] as string;
  return { op: "task", schema, seeds, family, seed: firstSeed + index };
}

function titleOf(split: string, index: number): string {
  const { schema, family } = planOf(split, index) as TaskPlan;
  const { title, difficulty } = families[family] as Family;
  return `${schema}: ${title} (difficulty ${difficulty} of 5)`;
}
