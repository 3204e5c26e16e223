/**
 * Splits that `palestra setup tasks` has added. The folder of a split contains copies of its tasks, and a list of them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Internet, VerifierMachine } from "../env.js";

export const listName = "palestra-split.json";

export interface AddedTask {
  name: string;
  title: string;
  digest: string;
}

export interface AddedSplit {
  name: string;
  folder: string;
  tasks: readonly AddedTask[];
  /** Network access for tasks that request an open network. */
  internet: Internet | undefined;
  /** Machine of the verifiers, or undefined to use the one that each task states. */
  verifier: VerifierMachine | undefined;
}

/** Returns the folder in which `palestra setup tasks` stores tasks. */
export function addedFolder(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "workbench");
}

/**
 * Returns the added splits, in order of name. Ignores folders without a readable list, which remain after interrupted
 * additions.
 */
export function addedSplits(): AddedSplit[] {
  return namesIn(addedFolder()).flatMap((name) => {
    const folder = join(addedFolder(), name);
    const list = listIn(folder);
    return list ? [{ name, folder, ...list }] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isSplitName).sort();
  } catch {
    return [];
  }
}

function listIn(folder: string): Pick<AddedSplit, "tasks" | "internet" | "verifier"> | undefined {
  try {
    const list = JSON.parse(readFileSync(join(folder, listName), "utf8")) as Partial<AddedSplit>;
    const { tasks, internet, verifier } = list;
    return Array.isArray(tasks) && tasks.length > 0 && tasks.every(isTask) ? { tasks, internet, verifier } : undefined;
  } catch {
    return undefined;
  }
}

// The lists are validated by hand: every host thread reads the lists, and a schema library would take a third of the
// thread's memory.
function isTask(value: unknown): value is AddedTask {
  const { name, title, digest } = (value ?? {}) as Record<string, unknown>;
  return [name, title, digest].every((text) => typeof text === "string") && name !== "";
}

/** Whether a name is valid for an added split. The name is part of `split:index` and of paths. */
export function isSplitName(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,63}$/.test(name) && name !== "train" && name !== "test";
}
