/**
 * Command `palestra setup tasks FOLDER`, which checks a folder of Harbor tasks and stores copies of the accepted tasks
 * as a split.
 */
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Progress, SetUpChoices } from "../env.js";
import { type AddedSplit, type AddedTask, addedFolder, isSplitName, listName } from "./added.js";
import { readDirectory } from "./harbor/directory.js";
import { TaskRefused } from "./harbor/refusal.js";
import { type HarborTask, readTask } from "./harbor/task.js";
import { summaryOf, type Verdict } from "./verdicts.js";

const mostTasks = 5_000;
/** Share of the progress bar for checking the tasks, from 0 to 1. */
const readingShare = 0.2;

type Accepted = AddedTask & { folder: string };

/**
 * @param from folder of task folders, or one task folder
 * @param as name of the split. Default: the name of the folder.
 * @param internet network access for tasks that request an open network. If undefined, these tasks are refused.
 * @param verifier machine of the verifiers. If undefined, the one that each task states.
 * @returns a report with one line per task or, for many tasks, one line per reason
 * @throws {Error} no task was added. The message gives the reason.
 */
export async function addTasks(
  { from, as, internet, verifier }: SetUpChoices = {},
  progress: Progress = () => {},
): Promise<string> {
  if (from === undefined)
    throw new Error("no folder was named. Run `palestra setup tasks FOLDER` with a folder of Harbor tasks.");
  const folder = resolve(from);
  const name = as ?? basename(folder);
  if (!isSplitName(name))
    throw new Error(
      `expected a split name of letters, digits, dots and dashes (not train or test), but received ${JSON.stringify(name)}. Give a name with --as NAME.`,
    );
  const found = await taskFolders(folder);
  const accepted: Accepted[] = [];
  const verdicts: Verdict[] = [];
  for (const [at, path] of found.entries()) {
    progress((readingShare * at) / found.length, "reading tasks");
    const task = await readTask(path, internet, verifier).catch(refusalOf);
    if (task instanceof TaskRefused) verdicts.push({ verdict: "refused", task: task.task, reasons: task.reasons });
    else {
      // Only these fields of a task stay in memory, since a folder may have thousands of tasks.
      accepted.push({ folder: path, name: task.name, title: task.title, digest: task.digest });
      verdicts.push({ verdict: "accepted", task: task.name, reasons: remarks(task) });
    }
  }
  const told = summaryOf(verdicts);
  if (accepted.length === 0) throw new Error(`all tasks were refused:\n${told.join("\n")}`);
  await keep(name, accepted, { internet, verifier }, progress);
  const last = `The split ${name} has ${accepted.length} of ${found.length} tasks. A gym that runs offers it after a restart.`;
  return [`${from} was read.`, ...told, last].join("\n");
}

async function taskFolders(folder: string): Promise<string[]> {
  if (await isFile(join(folder, "task.toml"))) return [folder];
  const names = await readdir(folder).catch((error: Error) => {
    throw new Error(`cannot read the folder ${folder}: ${error.message}`);
  });
  const paths = names.sort().map((name) => join(folder, name));
  const found: string[] = [];
  for (const path of paths) if (await isFile(join(path, "task.toml"))) found.push(path);
  if (found.length === 0) throw new Error(`expected folders with a task.toml in ${folder}, but found none`);
  if (found.length > mostTasks) throw new Error(`expected at most ${mostTasks} tasks, but received ${found.length}`);
  return found;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isFile(),
    () => false,
  );
}

function refusalOf(error: unknown): TaskRefused {
  if (error instanceof TaskRefused) return error;
  throw error;
}

function remarks({ machine, notes }: HarborTask): string[] {
  const needs = machine.needsImage === undefined ? [] : [`needs Docker: ${machine.needsImage}`];
  return [...needs, ...notes];
}

/** Saves the accepted tasks as a split. An existing split with this name is replaced atomically. */
async function keep(
  name: string,
  accepted: readonly Accepted[],
  choices: Omit<AddedSplit, "name" | "folder" | "tasks">,
  progress: Progress,
): Promise<void> {
  const folder = join(addedFolder(), name);
  await mkdir(addedFolder(), { recursive: true });
  const scratch = await mkdtemp(join(addedFolder(), ".adding-"));
  try {
    const tasks: AddedTask[] = [];
    for (const [at, { folder: from, ...task }] of accepted.entries()) {
      progress(readingShare + ((1 - readingShare) * at) / accepted.length, "copying tasks");
      await copyTask(from, join(scratch, task.name));
      tasks.push(task);
    }
    await writeFile(join(scratch, listName), `${JSON.stringify({ ...choices, tasks }, null, 2)}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(scratch, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Copies the files of a task. Links are replaced with copies of their targets. */
async function copyTask(from: string, to: string): Promise<void> {
  const { files } = await readDirectory(basename(from), from);
  for (const { path, at } of files) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(at, join(to, path));
  }
}
