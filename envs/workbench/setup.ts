/** `palestra setup tasks FOLDER`: checks a folder of Harbor tasks, and keeps copies of those that can be played as a split. */
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type AddedTask, addedFolder, isSplitName, listName } from "./added.js";
import { readDirectory } from "./harbor/directory.js";
import { TaskRefused } from "./harbor/refusal.js";
import { type HarborTask, readTask } from "./harbor/task.js";

const mostTasks = 5_000;

/**
 * @param from a folder with a task in each of its folders, or one task
 * @param as name of the split; the folder's unless told
 * @returns the lists of accepted and refused tasks, a line for each
 * @throws {Error} nothing was added: the message says why
 */
export async function addTasks(from?: string, as?: string): Promise<string> {
  if (from === undefined)
    throw new Error("expected a folder of Harbor tasks, but received none. Run `palestra setup tasks FOLDER`");
  const folder = resolve(from);
  const name = as ?? basename(folder);
  if (!isSplitName(name))
    throw new Error(
      `expected a split's name of letters, digits, dots and dashes other than train and test, but received ${JSON.stringify(name)}. Give one with --as NAME`,
    );
  const found = await taskFolders(folder);
  const accepted: { folder: string; task: HarborTask }[] = [];
  const lines: string[] = [];
  for (const path of found) {
    const task = await readTask(path).catch(refusalOf);
    if (task instanceof TaskRefused) lines.push(`refused   ${task.task}: ${task.reasons.join("; ")}`);
    else {
      accepted.push({ folder: path, task });
      lines.push(`accepted  ${task.name}${remarks(task)}`);
    }
  }
  if (accepted.length === 0) throw new Error(`expected a task that can be played, but received:\n${lines.join("\n")}`);
  await keep(name, accepted);
  const last = `The split ${name} has ${accepted.length} of ${found.length} tasks. A gym that runs offers it after a restart.`;
  return [`${from} was read.`, ...lines, last].join("\n");
}

async function taskFolders(folder: string): Promise<string[]> {
  if (await isFile(join(folder, "task.toml"))) return [folder];
  const names = await readdir(folder).catch((error: Error) => {
    throw new Error(`expected a folder of Harbor tasks, but received ${folder}: ${error.message}`);
  });
  const paths = names.sort().map((name) => join(folder, name));
  const found: string[] = [];
  for (const path of paths) if (await isFile(join(path, "task.toml"))) found.push(path);
  if (found.length === 0) throw new Error(`expected folders with a task.toml in ${folder}, but received none`);
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

function remarks({ machine, notes }: HarborTask): string {
  const needs = machine.needsImage === undefined ? [] : [`needs Docker: ${machine.needsImage}`];
  const all = [...needs, ...notes];
  return all.length === 0 ? "" : ` (${all.join("; ")})`;
}

/** Takes the place of a split of this name in one move. */
async function keep(name: string, accepted: readonly { folder: string; task: HarborTask }[]): Promise<void> {
  const folder = join(addedFolder(), name);
  await mkdir(addedFolder(), { recursive: true });
  const scratch = await mkdtemp(join(addedFolder(), ".adding-"));
  try {
    const tasks: AddedTask[] = [];
    for (const { folder: from, task } of accepted) {
      await copyTask(from, join(scratch, task.name));
      tasks.push({ name: task.name, title: task.title, digest: task.digest });
    }
    await writeFile(join(scratch, listName), `${JSON.stringify({ tasks }, null, 2)}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(scratch, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Links become the files that they lead to. */
async function copyTask(from: string, to: string): Promise<void> {
  const { files } = await readDirectory(basename(from), from);
  for (const { path, at } of files) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(at, join(to, path));
  }
}
