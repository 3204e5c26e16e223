/** The splits: bundled tasks, and tasks that were added with `palestra setup tasks`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import type { Internet, TaskRef, TaskSplit, VerifierMachine } from "../env.js";
import { addedSplits } from "./added.js";
import type { HarborTask } from "./harbor/task.js";

const bundledFolder = fileURLToPath(new URL("./data/tasks/", import.meta.url));
/** File that the checks of all bundled tasks import. Their folders do not contain it. */
const bundledGrader = fileURLToPath(new URL("./data/grader.py", import.meta.url));

/** Every third bundled task, sorted by name, is a test task. */
const testEvery = 3;

interface Entry {
  folder: string;
  title: string;
  /** Digest of the task directory when the task was added, or undefined for a bundled task. */
  digest: string | undefined;
  /** Network access if the task requests an open network. */
  internet?: Internet | undefined;
  /** Machine of the verifier, or undefined to use the one that the task states. */
  verifier?: VerifierMachine | undefined;
  /** Path of a file to add to the tests, or undefined if the folder contains all files of the task. */
  grader?: string;
}

let bundledEntries: readonly Entry[] | undefined;

function bundled(): readonly Entry[] {
  bundledEntries ??= readdirSync(bundledFolder)
    .sort()
    .map((name) => {
      const folder = join(bundledFolder, name);
      const { task } = parse(readFileSync(join(folder, "task.toml"), "utf8")) as { task?: { description?: string } };
      return { folder, title: task?.description ?? name, digest: undefined, grader: bundledGrader };
    });
  return bundledEntries;
}

const orders: Record<string, { summary: string; isIn(at: number): boolean }> = {
  train: {
    summary: "Two thirds of the bundled tasks, by name.",
    isIn: (at) => at % testEvery !== testEvery - 1,
  },
  test: {
    summary: "Every third of the bundled tasks, by name.",
    isIn: (at) => at % testEvery === testEvery - 1,
  },
};

function bundledSplit(name: string): readonly Entry[] {
  return bundled().filter((_, at) => orders[name]?.isIn(at));
}

function toSplit(summary: string, entries: () => readonly Entry[]): TaskSplit {
  return {
    get size() {
      return entries().length;
    },
    summary,
    title: (index) => (entries()[index] as Entry).title,
  };
}

const added = new Map(
  addedSplits().map(({ name, folder, tasks, internet, verifier }) => {
    const entries = tasks.map(
      ({ name: task, title, digest }): Entry => ({ folder: join(folder, task), title, digest, internet, verifier }),
    );
    return [name, entries];
  }),
);

export const splits: Record<string, TaskSplit> = {
  ...Object.fromEntries(
    Object.entries(orders).map(([name, { summary }]) => [name, toSplit(summary, () => bundledSplit(name))]),
  ),
  ...Object.fromEntries(
    [...added].map(([name, entries]) => [
      name,
      toSplit("Tasks in Harbor's format that were added on this machine.", () => entries),
    ]),
  ),
};

/**
 * Reads a task. The reader module is loaded on demand, because only the process that runs tasks needs it, not every
 * host thread.
 */
async function readLater({ folder, internet, verifier, grader }: Entry): Promise<HarborTask> {
  return (await import("./harbor/task.js")).readTask(folder, internet, verifier, grader);
}

const read = new Map<string, Promise<HarborTask>>();

/**
 * @throws {TaskRefused}
 * @throws {Error} the files of the task have changed since the task was added
 */
export async function loadTask({ split, index }: TaskRef): Promise<HarborTask> {
  const entry = (added.get(split) ?? bundledSplit(split))[index];
  if (!entry) throw new RangeError(`expected a split and index of a workbench task, but received ${split}:${index}`);
  const { folder, digest } = entry;
  const reading = read.get(folder) ?? readLater(entry);
  read.set(folder, reading);
  const task = await reading.catch((error: unknown) => {
    read.delete(folder);
    throw error;
  });
  if (digest === undefined || digest === task.digest) return task;
  throw new Error(
    `expected the digest ${digest} for the files of ${split}:${index}, but received ${task.digest}. Add the folder again.`,
  );
}
