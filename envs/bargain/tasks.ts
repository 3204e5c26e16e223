/** Tasks of bargain: a task is a bargain that is drawn from its split and index. */
import type { TaskRef, TaskSplit } from "../env.js";
import { type Bargain, drawn } from "./deal.js";
import { listOf } from "./words.js";

const sizes = { train: 1_000_000, test: 1_000 };

/** Seeds of the splits do not overlap. */
const firstSeeds: Readonly<Record<string, number>> = { train: 0, test: 1_000_000_000 };

export function bargainOf({ split, index }: TaskRef): Bargain {
  return drawn((firstSeeds[split] as number) + index);
}

function titleOf(split: string, index: number): string {
  return `divide ${listOf(bargainOf({ split, index }).amounts)}`;
}

const splitOf = (name: keyof typeof sizes, summary: string): TaskSplit => ({
  size: sizes[name],
  summary,
  title: (index) => titleOf(name, index),
});

export const splits: Record<string, TaskSplit> = {
  train: splitOf("train", "Bargains drawn at random: 5 to 7 pieces of 3 goods, worth 10 to each seat."),
  test: splitOf("test", "Held-out bargains, drawn likewise."),
};
