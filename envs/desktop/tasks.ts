/** The tasks. Each task consists of initial files and windows, an instruction, checks, and a solution. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { TaskRef, TaskSplit } from "../env.js";

const folder = fileURLToPath(new URL("./data/tasks/", import.meta.url));

/** Every third task, in the order of the task numbers, is a test task. */
const testEvery = 3;

/** A path relative to the home folder. */
const path = z.string().regex(/^[^/].*$/);

const Check = z.discriminatedUnion("kind", [
  /** Check that the text of a file equals `text`. Trailing white space is ignored. */
  z.strictObject({ kind: z.literal("file"), path, text: z.string() }),
  /** Check that a folder contains exactly the names in `entries`. Names that start with a dot are ignored. */
  z.strictObject({ kind: z.literal("folder"), path, entries: z.array(z.string()) }),
  /** Check that a file has the permissions `mode`, which are octal digits. */
  z.strictObject({ kind: z.literal("mode"), path, mode: z.string().regex(/^[0-7]{3}$/) }),
  /**
   * Check that a program has `count` open windows. If `title` (a regular expression) or `isMaximized` is given, each
   * window must match it.
   */
  z.strictObject({
    kind: z.literal("windows"),
    class: z.enum(["xfe", "xfw", "xcalc"]),
    count: z.int().min(0),
    title: z.string().optional(),
    isMaximized: z.boolean().optional(),
  }),
]);
export type Check = z.infer<typeof Check>;

const Program = z.strictObject({
  command: z.array(z.string()).min(1),
  /** Number of windows that the program opens. */
  windows: z.int().min(1),
});

const Task = z.strictObject({
  title: z.string(),
  category: z.enum(["editor", "files", "windows", "several"]),
  /** Difficulty of the task: 1 for a few clicks in one window, 2 for menus and dialogs, 3 for several programs. */
  difficulty: z.int().min(1).max(3),
  instruction: z.string(),
  /**
   * Content of each initial file, by its path in the home folder. A path with a slash at the end creates an empty
   * folder.
   */
  files: z.record(path, z.string()),
  open: z.array(Program),
  checks: z.array(Check).min(1),
  /** The actions of the expert, in order. */
  solution: z.array(z.record(z.string(), z.unknown())).min(1),
});
export type Task = z.infer<typeof Task> & { name: string };

let known: readonly Task[] | undefined;

/** Returns all tasks. Their files are read by the first call. */
function tasks(): readonly Task[] {
  known ??= readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(/^[0-9]+-|\.json$/g, ""),
      ...Task.parse(JSON.parse(readFileSync(`${folder}${file}`, "utf8"))),
    }));
  return known;
}

const isTest = (at: number) => at % testEvery === testEvery - 1;
const orders: Record<string, { summary: string; isIn(at: number): boolean }> = {
  train: { summary: "Two thirds of the tasks, the easier first.", isIn: (at) => !isTest(at) },
  test: { summary: "Every third of the tasks, the easier first.", isIn: isTest },
};

function tasksIn(split: string): readonly Task[] {
  return tasks().filter((_, at) => orders[split]?.isIn(at));
}

export const splits: Record<string, TaskSplit> = Object.fromEntries(
  Object.entries(orders).map(([name, { summary }]) => [name, toSplit(name, summary)]),
);

function toSplit(name: string, summary: string): TaskSplit {
  return {
    // A getter, so that the tasks are read at the first use and not with the module.
    get size() {
      return tasksIn(name).length;
    },
    summary,
    title: (index) => (tasksIn(name)[index] as Task).title,
  };
}

export function taskOf({ split: name, index }: TaskRef): Task {
  const task = tasksIn(name)[index];
  if (!task) throw new RangeError(`expected a split and index of a desktop task, but received ${name}:${index}`);
  return task;
}
