/** The user's own copy of tau2-bench's data. Palestra does not include it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DomainName, domainFolder } from "./domains/domain.js";
import { type Tau2Task, tasksIn } from "./episode/task.js";
import { readJson } from "./python/read.js";

/** Name of the variable with the folder, which tau2-bench itself reads. It contains `tau2/domains/airline/db.json`. */
export const folderVariable = "TAU2_DATA_DIR";
const files = ["tasks.json", "split_tasks.json", "policy.md"];

/** Returns the folder, or undefined if none is set. */
export function dataFolder(): string | undefined {
  return process.env[folderVariable] || undefined;
}

/** @throws {Error} no folder is set */
export function neededFolder(): string {
  const folder = dataFolder();
  if (folder !== undefined) return folder;
  throw new Error(`expected ${folderVariable} to be the data folder of tau2-bench, but it is not set. ${howToGet}`);
}

export const howToGet = `Clone tau2-bench, and set ${folderVariable} to its folder data before you start the gym.`;

/** Returns the path of a missing file of a domain, or undefined if there is none. */
export function missingFile(data: string, name: DomainName): string | undefined {
  const folder = domainFolder(data, name);
  return ["db.json", ...files].map((file) => join(folder, file)).find((path) => !existsSync(path));
}

export function policyOf(data: string, name: DomainName): string {
  return readFileSync(join(domainFolder(data, name), "policy.md"), "utf8").trim();
}

const read = new Map<string, readonly Tau2Task[]>();

/** Returns all tasks of a domain in the order of the file. A process reads the file once. @throws {Error} */
export function tasksOf(data: string, name: DomainName): readonly Tau2Task[] {
  const path = join(domainFolder(data, name), "tasks.json");
  const known = read.get(path) ?? tasksIn(jsonOf(path));
  read.set(path, known);
  return known;
}

/** Returns the ids of the tasks of each split. @throws {Error} */
export function splitIds(data: string, name: DomainName): Record<string, string[]> {
  const path = join(domainFolder(data, name), "split_tasks.json");
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, string[]>;
}

function jsonOf(path: string) {
  try {
    return readJson(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}
