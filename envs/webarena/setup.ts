/**
 * Command `palestra setup webarena`, which imports the published tasks of the benchmark, or a task file of the user.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { SetUpChoices } from "../env.js";
import { fetchPackage, type PythonPackage } from "../shared/python/fetch-package.js";
import { needsJudge } from "../shared/web-tasks/evaluators/evaluate.js";
import { type FaultyTask, readTaskFile, type TaskFile } from "../shared/web-tasks/tasks/format.js";
import {
  hardSplit,
  listPath,
  officialSplit,
  type TaskList,
  taskFolder,
  taskPath,
  verifiedSplit,
} from "./task-files.js";

const original: PythonPackage = {
  release: "libwebarena==0.0.5",
  sha256: "5cfdf8abc2b40cc4442905a29af1c45c5fd0ed57bbfe8e3a6421a2e53cb6cb1b",
};
const verified: PythonPackage = {
  release: "webarena-verified==1.2.3",
  sha256: "91a0297a096a343a13ff5e0ebc35c39b3d926b27c4d5a8a57c833681acbc6b7a",
};
const otherWay = `Install pip, or name a copy of WebArena's test.raw.json: \`palestra setup webarena FILE\``;

const laterNote = "A gym that runs offers them after a restart.";

/** Maximum number of faulty tasks in a message. */
const mostNamed = 10;

/**
 * Imports tasks.
 *
 * @param from a task file, or a folder of `config_files/N.json`. Default: the published tasks.
 * @param as name of the split. Default: the name of the file.
 * @throws {Error} the import failed. The message gives the reason.
 */
export async function setUpTasks({ from, as }: SetUpChoices = {}): Promise<string> {
  if (from === undefined && as === undefined) return setUpPublished();
  const name = as ?? basename(from ?? officialSplit).replace(/(\.raw)?\.json$/, "");
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw new Error(
      `expected a split name of letters, digits, dots and dashes, but received ${JSON.stringify(name)}. Give a name with --as NAME.`,
    );
  const text = from === undefined ? await originalFile() : await fileText(resolve(from));
  return `${await save(from ?? original.release, name, text)}\n${laterNote}`;
}

/**
 * Imports the published tasks. WebArena's tasks are saved first, so that a failed download of WebArena-Verified's tasks
 * does not lose them.
 */
async function setUpPublished(): Promise<string> {
  const saved = [await save(original.release, officialSplit, await originalFile())];
  const { all, hard } = await verifiedFiles().catch((error: Error) => {
    throw new Error(`${saved}\nThe tasks of ${verified.release} could not be downloaded: ${error.message}`);
  });
  saved.push(await save(verified.release, verifiedSplit, all), await save(verified.release, hardSplit, hard));
  return [...saved, laterNote].join("\n");
}

function originalFile(): Promise<string> {
  return inPackage(original, (folder) => readFile(join(folder, "webarena", "test.raw.json"), "utf8"));
}

function verifiedFiles(): Promise<{ all: string; hard: string }> {
  return inPackage(verified, async (folder) => {
    const assets = join(folder, "webarena_verified", "assets", "dataset");
    const all = await readFile(join(assets, "webarena-verified.json"), "utf8");
    const subset = await readFile(join(assets, "subsets", "webarena-verified-hard.json"), "utf8");
    const { task_ids: ids } = JSON.parse(subset) as { task_ids: number[] };
    const tasks = JSON.parse(all) as { task_id: number }[];
    return { all, hard: JSON.stringify(tasks.filter(({ task_id: id }) => ids.includes(id))) };
  });
}

async function inPackage<T>(wanted: PythonPackage, read: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(taskFolder(), { recursive: true });
  const scratch = await mkdtemp(join(taskFolder(), ".getting-"));
  try {
    return await read(await fetchPackage(wanted, scratch, otherWay));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function fileText(path: string): Promise<string> {
  const status = await stat(path).catch((error: Error) => {
    throw new Error(`cannot read the task file ${path}: ${error.message}`);
  });
  if (!status.isDirectory()) return readFile(path, "utf8");
  const names = (await readdir(path)).filter((name) => /^\d+\.json$/.test(name));
  if (names.length === 0) throw new Error(`expected files such as 0.json in ${path}, but found none`);
  const tasks = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(path, name), "utf8"))));
  return JSON.stringify(tasks);
}

/**
 * Saves a task file as a split. The index is written last, so a split without an index is an interrupted import.
 *
 * @returns summary of the import for the user
 */
async function save(from: string, name: string, text: string): Promise<string> {
  const file = readTaskFile(text);
  const { tasks, entries } = file;
  await mkdir(taskFolder(), { recursive: true });
  const list: TaskList = { tasks: tasks.map(({ id, intent }) => ({ id, title: intent })) };
  await rm(listPath(name), { force: true });
  await replace(taskPath(name), JSON.stringify(entries));
  await replace(listPath(name), JSON.stringify(list));
  return summaryOf(from, name, file);
}

async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

function summaryOf(from: string, name: string, { tasks, broken, unsolvable }: TaskFile): string {
  const judged = tasks.filter(({ evaluation: one }) => one.kind === "original" && needsJudge(one.spec)).length;
  const judge = judged > 0 ? `; ${judged} of them need an LLM judge (PALESTRA_JUDGE_URL)` : "";
  return [
    `${tasks.length} tasks of ${from} are the split ${name}${judge}.`,
    ...named("cannot be played", broken),
    ...named("can be played, but not be solved", unsolvable),
  ].join("\n");
}

function named(what: string, tasks: readonly FaultyTask[]): string[] {
  if (tasks.length === 0) return [];
  const lines = tasks.slice(0, mostNamed).map(({ name, reason }) => `  ${name}: ${reason}`);
  const more = tasks.length > mostNamed ? [`  and ${tasks.length - mostNamed} more`] : [];
  return [`${tasks.length} ${tasks.length === 1 ? "task" : "tasks"} ${what}:`, ...lines, ...more];
}
