/**
 * Task splits: the tasks in AgentGym's numbering, the official train, dev and test variations, and one split for each
 * task.
 */
import type { TaskRef, TaskSplit } from "../env.js";
import { Game } from "./game.js";
import { taskNamed } from "./tasks/all.js";
import type { Task } from "./tasks/task.js";

/** Names of the tasks in the order of ScienceWorld's numbers, 1-1 to 10-2. */
const officialOrder = [
  "boil",
  "melt",
  "freeze",
  "change-the-state-of-matter-of",
  "use-thermometer",
  "measure-melting-point-known-substance",
  "measure-melting-point-unknown-substance",
  "power-component",
  "power-component-renewable-vs-nonrenewable-energy",
  "test-conductivity",
  "test-conductivity-of-unknown-substances",
  "find-living-thing",
  "find-non-living-thing",
  "find-plant",
  "find-animal",
  "grow-plant",
  "grow-fruit",
  "chemistry-mix",
  "chemistry-mix-paint-secondary-color",
  "chemistry-mix-paint-tertiary-color",
  "lifespan-longest-lived",
  "lifespan-shortest-lived",
  "lifespan-longest-lived-then-shortest-lived",
  "identify-life-stages-1",
  "identify-life-stages-2",
  "inclined-plane-determine-angle",
  "inclined-plane-friction-named-surfaces",
  "inclined-plane-friction-unnamed-surfaces",
  "mendelian-genetics-known-plant",
  "mendelian-genetics-unknown-plant",
];

/** Matches the tasks that AgentGym omits: growing, inclined planes, and genetics. */
const notInAgentGym = /^(grow|inclined-plane|mendelian)-/;

/** A variation of a task. */
export interface Problem {
  task: string;
  variation: number;
}

type Range = (task: Task) => readonly [first: number, end: number];

const quarter = ({ variations }: Task) => Math.floor(variations / 4);
/**
 * Official splits of each task's variations: the first half (train), the third quarter (dev), and the last quarter
 * (test).
 */
const parts = {
  agentgym: (task) => [0, notInAgentGym.test(task.name) ? 0 : task.variations],
  train: (task) => [0, 2 * quarter(task)],
  dev: (task) => [2 * quarter(task), 3 * quarter(task)],
  test: (task) => [3 * quarter(task), task.variations],
} as const satisfies Record<string, Range>;

const inOrder = officialOrder.map(taskNamed);

/** Sequence of all variations of a split, task by task. */
class Sequence {
  readonly size: number;

  constructor(private readonly range: Range) {
    this.size = inOrder.reduce((sum, task) => sum + this.length(task), 0);
  }

  at(index: number): Problem {
    let rest = index;
    for (const task of inOrder) {
      const [first] = this.range(task);
      if (rest < this.length(task)) return { task: task.name, variation: first + rest };
      rest -= this.length(task);
    }
    throw new RangeError(`expected an index from 0 to ${this.size - 1}, but received ${index}`);
  }

  private length(task: Task): number {
    const [first, end] = this.range(task);
    return end - first;
  }
}

const sequences = new Map(Object.entries(parts).map(([name, range]) => [name, new Sequence(range)]));

export function problemOf({ split, index }: TaskRef): Problem {
  return sequences.get(split)?.at(index) ?? { task: split, variation: index };
}

const summaries = {
  agentgym: "AgentGym's data_idx: every variation of 23 tasks, one task after the other.",
  train: "The official training variations: the first half of each task's, in their order.",
  dev: "The official development variations: the third quarter of each task's, likewise.",
  test: "The official test variations: the last quarter of each task's, and what no quarter has.",
} as const satisfies Record<keyof typeof parts, string>;

function splitOf(name: string, size: number, summary: string): TaskSplit {
  return { size, summary, title: (index) => titleOf(problemOf({ split: name, index })) };
}

function titleOf({ task, variation }: Problem): string {
  return new Game(task, variation).taskDescription;
}

export const splits: Record<string, TaskSplit> = {
  ...Object.fromEntries(
    Object.entries(summaries).map(([name, summary]) => [name, splitOf(name, sequences.get(name)?.size ?? 0, summary)]),
  ),
  ...Object.fromEntries(
    inOrder.map(({ name, variations }) => [
      name,
      splitOf(name, variations, `The task ${name}; the index is its variation.`),
    ]),
  ),
};
