/**
 * Task splits. Each split is a subset or a reordering of the same 544 goals. The `info` of a reset contains AgentGym's
 * `data_idx`.
 */
import type { TaskRef, TaskSplit } from "../env.js";
import { displayName, exchangedNames, type Naming, ownNames } from "./naming.js";
import { craftingBook, type Goal } from "./recipes.js";

/** Number of goals in the test split, as in AgentEval. */
const testSize = 100;

const orders: Record<string, { summary: string; goals(all: readonly Goal[]): readonly Goal[] }> = {
  all: {
    summary: "All 544 goals in ascending order of depth; the index is AgentGym's data_idx.",
    goals: (all) => all,
  },
  train: {
    summary: "444 goals: all but those of the split test, in ascending order of depth.",
    goals: (all) => all.filter(({ dataIdx }) => !inTest(dataIdx, all.length)),
  },
  test: {
    summary: "100 goals, evenly spaced over all 544, in ascending order of depth.",
    goals: (all) => all.filter(({ dataIdx }) => inTest(dataIdx, all.length)),
  },
  adapt: {
    summary: "The 419 goals of depth 2 and more in descending order of depth; the index is ADaPT's seed modulo 419.",
    goals: (all) => all.filter(({ depth }) => depth >= 2).sort((a, b) => b.depth - a.depth),
  },
};

/**
 * Whether a goal is in the test split, which contains every 5.44th goal. Goals are sorted by depth, so both splits
 * contain all depths.
 */
function inTest(dataIdx: number, size: number): boolean {
  return Math.floor(((dataIdx + 1) * testSize) / size) > Math.floor((dataIdx * testSize) / size);
}

/** Split in which the items have exchanged their names. */
const renamed = "renamed";
/** Number of tasks of each goal in the split `renamed`. Each has other names. */
const namings = 10_000;

const goalsBySplit = new Map<string, readonly Goal[]>();

function splitGoals(split: string): readonly Goal[] {
  let goals = goalsBySplit.get(split);
  if (!goals) {
    goals = orders[split]?.goals(craftingBook().goals) ?? [];
    goalsBySplit.set(split, goals);
  }
  return goals;
}

/** Returns the goal of a task. @throws {RangeError} the task does not exist, which the gym checks before a reset */
export function goalOf({ split, index }: TaskRef): Goal {
  const goal = split === renamed ? splitGoals("train")[Math.floor(index / namings)] : splitGoals(split)[index];
  if (!goal) throw new RangeError(`expected a task of TextCraft, but received ${split}:${index}`);
  return goal;
}

/** Returns the names that the agent uses in a task. */
export function namingOf({ split, index }: TaskRef): Naming {
  return split === renamed ? exchangedNames(craftingBook().names, index) : ownNames;
}

export const splits: Record<string, TaskSplit> = {
  ...Object.fromEntries(Object.entries(orders).map(([split, { summary }]) => [split, toSplit(split, summary)])),
  [renamed]: {
    get size() {
      return splitGoals("train").length * namings;
    },
    summary: `The goals of train, each ${namings} times, with the names of the items exchanged at random.`,
    title: (index) => {
      const task = { split: renamed, index };
      return `craft ${displayName(namingOf(task).shown(goalOf(task).item))}`;
    },
  },
};

function toSplit(split: string, summary: string): TaskSplit {
  return {
    // A getter, so that the recipes load at the first use and not with the module.
    get size() {
      return splitGoals(split).length;
    },
    summary,
    title: (index) => `craft ${displayName(goalOf({ split, index }).item)}`,
  };
}
