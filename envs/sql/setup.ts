/** Command `palestra setup sql`, which imports databases and questions in the format of Spider or BIRD. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Progress, SetUpChoices } from "../env.js";
import { quotedParts } from "../shared/sqlite/double-quoted.js";
import { EnginePool } from "./engine/pool.js";
import { databaseFiles, databasesFolder, type ImportedQuestion, importsFolder, questionsFile } from "./imported.js";

/**
 * Names of question files, each with the suffix of its split's name. If a folder has both training files, their
 * questions form one split.
 */
const questionFiles = [
  ["dev.json", "dev"],
  ["train_spider.json", "train"],
  ["train.json", "train"],
  ["test.json", "test"],
] as const;
/** Possible names of the database folder, in Spider and in the two parts of BIRD. */
const databaseFolders = ["database", "dev_databases", "train_databases"];
const namePattern = /^[a-z0-9][a-z0-9-]{0,40}$/;
const databasePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const limits = { queryMs: 30_000, memoryMb: 512 };

interface Taken {
  questions: ImportedQuestion[];
  /** Reasons why questions were not imported, one per question. */
  refused: string[];
}

/**
 * Imports a folder.
 *
 * @throws {Error} the folder does not have the expected layout, or all gold queries fail
 */
export async function setUpSql({ from, as }: SetUpChoices = {}, progress?: Progress): Promise<string> {
  if (from === undefined) throw new Error("no folder was named. Name a folder in the format of Spider or BIRD.");
  const name = as ?? nameOf(from);
  if (!namePattern.test(name))
    throw new Error(
      `expected a name of lower-case letters, digits and dashes, but received ${JSON.stringify(name)}. Give a name with --as.`,
    );
  const databases = databasesIn(from);
  const splits = readSplits(from, name);
  const pool = new EnginePool(2, limits);
  try {
    const taken = new Map<string, Taken>();
    for (const [name, questions] of splits) taken.set(name, await checked(pool, databases, questions, progress));
    const all = [...taken.values()].flatMap(({ questions }) => questions);
    if (all.length === 0)
      throw new Error(`all gold queries failed. The first error: ${[...taken.values()][0]?.refused[0]}`);
    save(databases, name, taken);
    return summary(taken);
  } finally {
    pool.close();
  }
}

/** Derives a name for the import from the name of its folder. */
function nameOf(folder: string): string {
  return basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

function databasesIn(from: string): string {
  const found = databaseFolders
    .map((name) => join(from, name))
    .find((path) => existsSync(path) && statSync(path).isDirectory());
  if (found !== undefined) return found;
  throw new Error(`expected a folder ${databaseFolders.join(" or ")} in ${from}, but found none`);
}

function readSplits(from: string, name: string): Map<string, ImportedQuestion[]> {
  const splits = new Map<string, ImportedQuestion[]>();
  for (const [file, end] of questionFiles) {
    const path = join(from, file);
    if (!existsSync(path)) continue;
    const split = `${name}-${end}`;
    splits.set(split, [...(splits.get(split) ?? []), ...readQuestions(path)]);
  }
  if (splits.size > 0) return splits;
  throw new Error(
    `expected a question file in ${from} (${questionFiles.map(([file]) => file).join(", ")}), but found none`,
  );
}

function readQuestions(path: string): ImportedQuestion[] {
  const list = parsed(path);
  if (!Array.isArray(list) || list.length === 0)
    throw new Error(`expected a JSON list with at least one question in ${path}`);
  return list.map((entry: Record<string, unknown> | null, at) => {
    const { db_id: database, question, query, SQL, evidence } = entry ?? {};
    const gold = query ?? SQL;
    const isText = [database, question, gold].every((value) => typeof value === "string" && value.trim() !== "");
    if (!isText || !databasePattern.test(database as string))
      throw new Error(
        `expected texts in db_id, question and query of entry ${at} in ${path}, but received ${JSON.stringify(entry)?.slice(0, 200)}`,
      );
    const told = typeof evidence === "string" && evidence.trim() !== "" ? { evidence } : {};
    return { database, question, gold, ordered: isOrdered(gold as string), ...told } as ImportedQuestion;
  });
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`expected JSON in ${path}, but received ${(error as Error).message}`);
  }
}

/**
 * Checks that each gold query runs on all files of its database. Returns the accepted questions, and the reasons for
 * the refused questions.
 *
 * @throws {Error} a database does not exist
 */
async function checked(
  pool: EnginePool,
  databases: string,
  questions: readonly ImportedQuestion[],
  progress?: Progress,
): Promise<Taken> {
  const taken: Taken = { questions: [], refused: [] };
  const { signal } = new AbortController();
  for (const [at, question] of questions.entries()) {
    const { gold, ordered, database } = question;
    const files = databaseFiles(databases, database);
    try {
      for (const file of files) await pool.ask({ op: "compare", database: { file }, gold, sql: gold, ordered }, signal);
      taken.questions.push(question);
    } catch (error) {
      taken.refused.push(`entry ${at} (${database}): ${(error as Error).message}`);
    }
    progress?.((at + 1) / questions.length, `${at + 1} questions`);
  }
  return taken;
}

/** Saves an import. An earlier import of the same name is replaced at the end, by a rename. */
function save(databases: string, name: string, taken: ReadonlyMap<string, Taken>): void {
  const folder = join(importsFolder(), name);
  const next = `${importsFolder()}.next-${process.pid}`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(join(next, databasesFolder), { recursive: true });
  const used = new Set([...taken.values()].flatMap(({ questions }) => questions.map(({ database }) => database)));
  for (const database of used) {
    const own = join(next, databasesFolder, database);
    mkdirSync(own);
    for (const file of databaseFiles(databases, database)) cpSync(file, join(own, basename(file)));
  }
  for (const [split, { questions }] of taken)
    if (questions.length > 0) writeFileSync(questionsFile(next, split), JSON.stringify(questions));
  mkdirSync(importsFolder(), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
}

function summary(taken: ReadonlyMap<string, Taken>): string {
  const parts = [...taken].map(([split, { questions, refused }]) => {
    const left =
      refused.length === 0 ? "" : `, ${refused.length} left out because the gold query fails (${refused[0]})`;
    return `split ${split}: ${questions.length} questions${left}`;
  });
  return parts.join("; ");
}

/** Whether SQL contains ORDER BY outside parentheses, string literals and comments. */
export function isOrdered(sql: string): boolean {
  const plain = sql.replace(quotedParts, " ");
  let depth = 0;
  const outside = [...plain].filter((letter) => {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    return depth === 0;
  });
  return /\border\s+by\b/i.test(outside.join(""));
}
