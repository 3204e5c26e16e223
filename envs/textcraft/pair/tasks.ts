/** Tasks of textcraft-pair: goals of TextCraft that one command crafts from things that can be got. */
import type { TaskRef, TaskSplit } from "../../env.js";
import { MersenneTwister } from "../../shared/rng/mersenne-twister.js";
import { displayName } from "../naming.js";
import { goalOf, namingOf } from "../tasks.js";
import { type Parts, type Seat, seats } from "./plan.js";

/** Split of TextCraft and number of its tasks with goals of depth 1, which come first. */
const sources = {
  train: { split: "renamed", size: 1_030_000 },
  test: { split: "test", size: 22 },
} as const;

type SplitName = keyof typeof sources;

/** Number of ways in which the parts of a goal are dealt in the split `test`. */
const deals = 10;

/** Returns the task of TextCraft. */
export function sourceOf({ split, index }: TaskRef): TaskRef {
  const source = sources[split as SplitName];
  return { split: source.split, index: split === "test" ? index % source.size : index };
}

/** Draws who reads what and who can get what. */
export class Deal {
  private readonly random: MersenneTwister;

  constructor({ split, index }: TaskRef) {
    this.random = new MersenneTwister(index + (split === "test" ? 2 ** 31 : 0));
  }

  seat(): Seat {
    return this.random.sample(seats, 1)[0] as Seat;
  }

  parts(ingredients: number): Parts {
    return { reader: this.seat(), getters: Array.from({ length: ingredients }, () => this.seat()) };
  }

  some<T>(from: readonly T[], most: number): T[] {
    return this.random.sample(from, Math.min(from.length, most));
  }
}

function titleOf(split: SplitName, index: number): string {
  const source = sourceOf({ split, index });
  return `craft ${displayName(namingOf(source).shown(goalOf(source).item))}`;
}

export const splits: Record<string, TaskSplit> = {
  train: {
    size: sources.train.size,
    summary: "The goals of depth 1 of TextCraft's split renamed, each 10,000 times with other names of the items.",
    title: (index) => titleOf("train", index),
  },
  test: {
    size: sources.test.size * deals,
    summary: `The 22 held-out goals of depth 1 with their own names, each ${deals} times with other parts of the seats.`,
    title: (index) => titleOf("test", index),
  },
};
