/**
 * Stores the questions that the host has imported. Each imported set becomes a split. One SQLite file stores all sets,
 * since a set may have hundreds of thousands of questions.
 */
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { openDatabase } from "../../../native/sqlite/index.js";
import type { Info } from "../../env.js";
import { linesOf } from "../retrieval/embedded/corpus-file.js";
import { parseLine } from "../retrieval/embedded/json-line.js";
import type { Question, QuestionSet } from "./question.js";
import { BadQuestion, questionOf } from "./question-line.js";

const schema = `
  CREATE TABLE IF NOT EXISTS sets (
    name TEXT PRIMARY KEY, size INTEGER NOT NULL, source TEXT NOT NULL, file TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS questions (
    setName TEXT NOT NULL, at INTEGER NOT NULL, id TEXT NOT NULL, question TEXT NOT NULL, golden TEXT NOT NULL,
    metadata TEXT NOT NULL, PRIMARY KEY (setName, at)
  ) WITHOUT ROWID;
`;

const namePattern = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

interface SetRow {
  name: string;
  size: number;
  source: string;
  file: string;
}

interface QuestionRow {
  id: string;
  question: string;
  golden: string;
  metadata: string;
}

/** Returns the path of the SQLite file with the imported questions. */
export function questionsPath(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.PALESTRA_QUESTIONS) return environment.PALESTRA_QUESTIONS;
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "questions.sqlite");
}

/** Returns all imported sets, sorted by name. */
export function importedSets(path = questionsPath()): QuestionSet[] {
  if (!existsSync(path)) return [];
  const database = openDatabase(path, { readonly: true });
  const rows = database.prepare(`SELECT * FROM sets ORDER BY name`).all() as SetRow[];
  const select = database.prepare(`SELECT id, question, golden, metadata FROM questions WHERE setName = ? AND at = ?`);
  return rows.map(({ name, size, source, file }) => ({
    name,
    size,
    source,
    summary: `Questions of ${file}, in its order.`,
    at: (index) => questionOfRow(select.get(name, index) as QuestionRow),
  }));
}

export interface ImportedFile {
  path: string;
  /** Number of questions that the file must have. */
  size?: number;
  /** Whether to add a question mark to each question without one, as AgentGym does. */
  asksAlways?: boolean;
}

export interface ImportOptions {
  /** Name of the split. */
  name: string;
  /** Name of the source in which the answers can be found. */
  source: string;
  onProgress?: (fraction: number, doing: string) => void;
}

/**
 * Imports the questions of several files as one set. Replaces an existing set of the same name after all files have
 * been read.
 *
 * @returns the number of questions
 * @throws {RangeError} the name is invalid, a file does not exist, or the format of a file is unknown
 * @throws {BadQuestion} a line is not a question
 */
export async function importQuestions(
  files: readonly ImportedFile[],
  { name, source, onProgress }: ImportOptions,
  path = questionsPath(),
): Promise<number> {
  if (!namePattern.test(name))
    throw new RangeError(
      `expected a name of lower-case letters, digits, dots and dashes, but received ${JSON.stringify(name)}`,
    );
  mkdirSync(dirname(path), { recursive: true });
  const database = openDatabase(path);
  try {
    database.pragma("journal_mode = WAL");
    database.exec(schema);
    database.exec("BEGIN IMMEDIATE");
    database.prepare(`DELETE FROM questions WHERE setName = ?`).run(name);
    const insert = database.prepare(`INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?)`);
    let size = 0;
    for (const [at, file] of files.entries()) {
      const before = size;
      for await (const { number, text, fraction } of linesOf(file.path)) {
        const { id, question, golden, metadata } = parsed(text, number, file);
        insert.run(name, size, id, question, JSON.stringify(golden), JSON.stringify(metadata));
        size += 1;
        if (size % 10_000 === 0) onProgress?.((at + fraction) / files.length, `${size} questions`);
      }
      expectSize(file, size - before);
    }
    const row: SetRow = { name, size, source, file: namesOf(files) };
    database.prepare(`INSERT OR REPLACE INTO sets VALUES (@name, @size, @source, @file)`).run(row);
    database.exec("COMMIT");
    return size;
  } finally {
    if (database.inTransaction) database.exec("ROLLBACK");
    database.close();
  }
}

function parsed(text: string, number: number, { path, asksAlways }: ImportedFile): Question {
  try {
    const question = questionOf(parseLine(text), number);
    return asksAlways ? { ...question, question: question.question.trim().replace(/(?<!\?)$/, "?") } : question;
  } catch (error) {
    throw new BadQuestion(`${path}, line ${number}: ${(error as Error).message}`);
  }
}

function expectSize({ path, size }: ImportedFile, received: number): void {
  if (size !== undefined ? received === size : received > 0) return;
  throw new BadQuestion(`expected ${size ?? "at least 1"} questions in ${path}, but received ${received}`);
}

function namesOf(files: readonly ImportedFile[]): string {
  const names = files.map(({ path }) => basename(path));
  return names.length <= 2 ? names.join(" and ") : `${names.length} files`;
}

function questionOfRow({ id, question, golden, metadata }: QuestionRow): Question {
  return { id, question, golden: JSON.parse(golden) as string[], metadata: JSON.parse(metadata) as Info };
}
