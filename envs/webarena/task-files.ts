/** The imported task files. Each file is a split. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskSplit } from "../env.js";
import { webarenaFolder } from "./settings.js";

/** Name of the split with the original WebArena tasks. */
export const officialSplit = "test";
const officialSize = 812;
/** Names of the splits with WebArena-Verified's tasks and with its hard subset. */
export const verifiedSplit = "verified";
export const hardSplit = "verified-hard";

const publishedSummaries: Readonly<Record<string, string>> = {
  [verifiedSplit]:
    "WebArena-Verified's tasks: evaluated by answers in JSON and by the requests of pages, without an LLM judge.",
  [hardSplit]: "The subset of WebArena-Verified that its authors call hard.",
};

export interface KnownTask {
  /** Number of the task in the task file. */
  id: number;
  title: string;
}

/** Index of a task file, stored beside it. With the index, tasks can be listed without reading the task file. */
export interface TaskList {
  tasks: readonly KnownTask[];
}

export function taskFolder(): string {
  return join(webarenaFolder(), "tasks");
}

export function taskPath(split: string): string {
  return join(taskFolder(), `${split}.json`);
}

export function listPath(split: string): string {
  return join(taskFolder(), `${split}.list.json`);
}

export function listOf(split: string): TaskList | undefined {
  try {
    const { tasks } = JSON.parse(readFileSync(listPath(split), "utf8")) as Partial<TaskList>;
    return Array.isArray(tasks) && tasks.length > 0 ? { tasks } : undefined;
  } catch {
    return undefined;
  }
}

function addedSplits(): string[] {
  try {
    return readdirSync(taskFolder())
      .flatMap((name) => /^([A-Za-z0-9][\w.-]{0,63})\.list\.json$/.exec(name)?.[1] ?? [])
      .filter((name) => name !== officialSplit)
      .sort();
  } catch {
    return [];
  }
}

/** Returns all splits. Includes the split with the original tasks even before the import, because its size is known. */
export function taskSplits(): Record<string, TaskSplit> {
  const official = listOf(officialSplit)?.tasks;
  const own: TaskSplit = {
    size: official?.length ?? officialSize,
    summary: "WebArena's 812 tasks; the index is the task's number.",
    title: (index) => official?.[index]?.title ?? `Task ${index} of WebArena`,
  };
  const others = addedSplits().flatMap((name): [string, TaskSplit][] => {
    const tasks = listOf(name)?.tasks;
    if (!tasks) return [];
    const added = `${tasks.length} tasks that were added on this machine, in the order of their numbers.`;
    const summary = publishedSummaries[name] ?? added;
    return [[name, { size: tasks.length, summary, title: (index) => tasks[index]?.title ?? "" }]];
  });
  return { [officialSplit]: own, ...Object.fromEntries(others) };
}
