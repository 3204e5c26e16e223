/** Problems that have been imported on this machine. Each imported set is a split, stored as one JSON Lines file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { Progress } from "../env.js";
import { linesOf } from "../shared/retrieval/embedded/corpus-file.js";
import { parseLine } from "../shared/retrieval/embedded/json-line.js";
import { type MathLine, mathLine } from "./math-line.js";

export interface ImportedSet {
  /** Name of the split. */
  name: string;
  size: number;
  /** Name of the file that was imported. */
  source: string;
  at(index: number): MathLine;
}

/** First line of the file of an imported set. */
interface Head {
  size: number;
  source: string;
}

const namePattern = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
const ending = ".jsonl";
const taken = new Set(["train", "test", "easy", "easy-test", "twenty-four"]);

/** Returns the folder in which `palestra setup math` stores imported problems. */
export function problemsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.PALESTRA_PROBLEMS) return environment.PALESTRA_PROBLEMS;
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "problems");
}

/** Returns all imported sets, in order of name. */
export function importedSets(folder = problemsFolder()): ImportedSet[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return files.sort().map((file) => setOf(join(folder, file)));
}

/**
 * Imports a file of problems. An existing set of the same name is replaced after the whole file has been read.
 *
 * @returns the number of problems
 * @throws {RangeError} the name is invalid, or the file does not exist or has an unknown format
 * @throws {Error} a line is not a problem
 */
export async function importProblems(
  from: string,
  name: string,
  progress?: Progress,
  folder = problemsFolder(),
): Promise<number> {
  if (!namePattern.test(name) || taken.has(name))
    throw new RangeError(
      `expected a name of lower-case letters, digits, dots and dashes that is not one of ${[...taken].join(", ")}, but received ${JSON.stringify(name)}`,
    );
  const lines: string[] = [];
  for await (const { number, text, fraction } of linesOf(from)) {
    try {
      lines.push(JSON.stringify(mathLine(parseLine(text))));
    } catch (error) {
      throw new Error(`${from}, line ${number}: ${(error as Error).message}`);
    }
    if (lines.length % 1_000 === 0) progress?.(fraction, `${lines.length} problems`);
  }
  if (lines.length === 0) throw new Error(`expected problems in ${from}, but the file has none`);
  const head: Head = { size: lines.length, source: basename(from) };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}${ending}`);
  writeFileSync(`${path}.new`, `${[JSON.stringify(head), ...lines].join("\n")}\n`);
  renameSync(`${path}.new`, path);
  return lines.length;
}

function setOf(path: string): ImportedSet {
  let lines: string[] | undefined;
  const all = () => {
    lines ??= readFileSync(path, "utf8").split("\n");
    return lines;
  };
  const { size, source } = JSON.parse(all()[0] as string) as Head;
  return {
    name: basename(path, ending),
    size,
    source,
    at: (index) => JSON.parse(all()[index + 1] as string) as MathLine,
  };
}
