import type { TaskRef, TaskSplit } from "../env.js";
import { Recent } from "../shared/kept/recent.js";
import { drawJob, easyShape, type Job, type Shape, usualShape } from "./job/job.js";

interface Kind {
  size: number;
  shape: Shape;
  summary: string;
}

/** The order of the splits is part of their seeds. */
const kinds: Readonly<Record<string, Kind>> = {
  train: {
    size: 400_000,
    shape: usualShape("train"),
    summary: "Jobs of three or four parts of six kinds, with three or four helpers.",
  },
  test: { size: 1_000, shape: usualShape("test"), summary: "The same, with words and names that train does not have." },
  easy: {
    size: 200_000,
    shape: easyShape("train"),
    summary: "Jobs of two short parts of four kinds, with a small and a large helper, each good or bad at a kind.",
  },
  "easy-test": {
    size: 1_000,
    shape: easyShape("test"),
    summary: "The same, with words and names that easy does not have.",
  },
};

export const splits: Record<string, TaskSplit> = Object.fromEntries(
  Object.entries(kinds).map(([split, { size, summary }]) => [
    split,
    { size, summary, title: (index: number) => titleOf(jobOf({ split, index })) },
  ]),
);

/** Cache of jobs, since the rollouts of a group request the same task. */
const made = new Recent<Job>(1_024);

/** Returns the job of a task. The gym has checked that the task exists. */
export function jobOf({ split, index }: TaskRef): Job {
  const key = `${split}:${index}`;
  const { shape } = kinds[split] as Kind;
  const seed = (BigInt(Object.keys(kinds).indexOf(split) + 1) << 40n) + BigInt(index);
  return made.get(key) ?? made.set(key, drawJob(shape, seed));
}

function titleOf({ parts, team }: Job): string {
  return `${parts.map(({ kind }) => kind).join(", ")} with ${team.length} helpers`;
}
