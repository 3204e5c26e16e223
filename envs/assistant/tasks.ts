import type { TaskRef, TaskSplit } from "../env.js";
import { Recent } from "../shared/kept/recent.js";
import { type Day, drawDay, type Shape } from "./world/day.js";
import { topicNames } from "./world/topics.js";

interface Kind {
  size: number;
  shape: Shape;
  summary: string;
  /** Whether the first observation shows the history by default. */
  isShown?: boolean;
}

const usual = { topics: topicNames, moments: 8, wanted: [3, 5], rounds: 2 } as const;
const easy = { topics: ["reminders", "answers"], moments: 4, wanted: [1, 3], rounds: 1 } as const;

/** The order of the splits is part of their seeds. */
const kinds: Readonly<Record<string, Kind>> = {
  proactive: {
    size: 200_000,
    shape: { vocabulary: "train", ...usual },
    summary: "Days of eight moments, with news of five topics.",
  },
  "proactive-test": {
    size: 1_000,
    shape: { vocabulary: "test", ...usual },
    summary: "The same, with names that proactive does not have.",
  },
  easy: {
    size: 100_000,
    shape: { vocabulary: "train", ...easy },
    summary: "Days of four moments, with reminders and answers, and a history that is shown at the start.",
    isShown: true,
  },
  "easy-test": {
    size: 1_000,
    shape: { vocabulary: "test", ...easy },
    summary: "The same, with names that easy does not have.",
    isShown: true,
  },
};

export const splits: Record<string, TaskSplit> = Object.fromEntries(
  Object.entries(kinds).map(([split, { size, summary, isShown }]) => [
    split,
    {
      size,
      summary,
      ...(isShown && { options: { history: "shown" } }),
      title: (index: number) => titleOf(dayOf({ split, index })),
    },
  ]),
);

/** Cache of days, since the rollouts of a group request the same task. */
const made = new Recent<Day>(1_024);

/** Returns the day of a task. The gym has checked that the task exists. */
export function dayOf({ split, index }: TaskRef): Day {
  const key = `${split}:${index}`;
  const seed = (BigInt(Object.keys(kinds).indexOf(split) + 1) << 40n) + BigInt(index);
  return made.get(key) ?? made.set(key, drawDay((kinds[split] as Kind).shape, seed));
}

function titleOf({ items }: Day): string {
  return `news of ${[...new Set(items.map(({ topic }) => topic))].join(", ")}`;
}
