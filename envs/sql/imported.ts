/** Databases and questions that the host has imported. Each import has its own folder. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TaskSplit } from "../env.js";
import type { SqlTask } from "./tasks.js";

/** A question in the file `<split>.tasks.json`. */
export interface ImportedQuestion {
  /** Name of the database, and of the folder with its files. */
  database: string;
  question: string;
  gold: string;
  ordered: boolean;
  /** BIRD's explanation of columns and values. The agent sees it. */
  evidence?: string;
}

interface ImportedSet {
  /** Folder of the import. */
  folder: string;
  questions: readonly ImportedQuestion[];
}

/** Name of an import's folder for databases. Each database has a subfolder in it. */
export const databasesFolder = "database";
const ending = ".tasks.json";
const mostTitle = 200;
let kept: ReadonlyMap<string, ImportedSet> | undefined;

/** Returns the folder of all imports: `sql` in the user's data folder. */
export function importsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "sql");
}

export function questionsFile(folder: string, split: string): string {
  return join(folder, `${split}${ending}`);
}

/** Returns a split for each imported question file. */
export function importedSplits(): Record<string, TaskSplit> {
  return Object.fromEntries(
    [...sets()].map(([name, { questions }]) => [
      name,
      {
        size: questions.length,
        summary: "Questions that were imported, in their order.",
        title: (index) => titleOf(questions, index),
      },
    ]),
  );
}

/** @throws {Error} the task does not exist, or its database is missing */
export function importedTask(split: string, index: number): SqlTask {
  const set = sets().get(split);
  const found = set?.questions[index];
  if (!set || !found) throw new Error(`expected a split and index of an imported task, but received ${split}:${index}`);
  const { database, ...asked } = found;
  const files = databaseFiles(join(set.folder, databasesFolder), database);
  const problem = { ...asked, family: "imported", difficulty: 3 };
  return { problem, schema: database, databases: files.map((file) => ({ file })) };
}

/**
 * Returns the files of a database. The first one is `<database>.sqlite`.
 *
 * @param folder folder that contains a subfolder for each database
 * @throws {Error} the database does not exist
 */
export function databaseFiles(folder: string, database: string): string[] {
  const own = join(folder, database);
  const files = existsSync(own) ? readdirSync(own).filter((name) => name.endsWith(".sqlite")) : [];
  const first = `${database}.sqlite`;
  if (!files.includes(first))
    throw new Error(`expected a SQLite database at ${join(own, first)}, but the file does not exist`);
  return [first, ...files.filter((name) => name !== first).sort()].map((name) => join(own, name));
}

/** Reads all imports, once per process. New imports take effect after a restart of the gym. */
function sets(): ReadonlyMap<string, ImportedSet> {
  kept ??= new Map(importFolders().flatMap(setsOf));
  return kept;
}

function importFolders(): string[] {
  const folder = importsFolder();
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
    : [];
}

function setsOf(folder: string): [string, ImportedSet][] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
  return files.map((name) => {
    const questions = JSON.parse(readFileSync(join(folder, name), "utf8")) as ImportedQuestion[];
    return [name.slice(0, -ending.length), { folder, questions }];
  });
}

function titleOf(questions: readonly ImportedQuestion[], index: number): string {
  const line = (questions[index] as ImportedQuestion).question.trim().replace(/\s+/g, " ");
  return line.length <= mostTitle ? line : `${line.slice(0, mostTitle)}…`;
}
