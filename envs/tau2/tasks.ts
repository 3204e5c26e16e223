/** The splits of a domain, as tau2-bench has them. */
import type { TaskRef, TaskSplit } from "../env.js";
import type { DomainName } from "./domains/domain.js";
import type { Tau2Task } from "./episode/task.js";
import { dataFolder, missingFile, neededFolder, splitIds, tasksOf } from "./folder.js";

/** Sizes of the published splits, which are listed even before the data is there. */
const published: Readonly<Record<DomainName, Readonly<Record<string, number>>>> = {
  airline: { train: 30, test: 20, base: 50 },
  retail: { train: 74, test: 40, base: 114 },
  mock: { base: 10 },
};
const mostTitle = 160;

export function splitsOf(domain: DomainName): Record<string, TaskSplit> {
  const data = dataFolder();
  const isPresent = data !== undefined && missingFile(data, domain) === undefined;
  const sizes = isPresent ? sizesIn(data, domain) : published[domain];
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, splitOf(domain, name, size)]));
}

function sizesIn(data: string, domain: DomainName): Record<string, number> {
  const sizes = Object.entries(splitIds(data, domain)).map(([name, ids]) => [name, ids.length] as const);
  return Object.fromEntries(sizes.filter(([, size]) => size > 0));
}

function splitOf(domain: DomainName, split: string, size: number): TaskSplit {
  return {
    size,
    summary: `tau2-bench's split ${split}, in the order of its file of tasks.`,
    title: (index) => titleOf(domain, { split, index }),
  };
}

function titleOf(domain: DomainName, ref: TaskRef): string {
  if (dataFolder() === undefined) return `Task ${ref.index} of ${ref.split}`;
  const { id, instructions } = taskOf(domain, ref);
  const text = typeof instructions === "string" ? instructions : String(instructions.get("reason_for_call") ?? "");
  const line = text.trim().replace(/\s+/g, " ");
  return `${id}: ${line.length > mostTitle ? `${line.slice(0, mostTitle).toWellFormed()}…` : line}`;
}

/** @throws {Error} the data is missing, or lacks the task */
export function taskOf(domain: DomainName, { split, index }: TaskRef): Tau2Task {
  const data = neededFolder();
  const ids = new Set(splitIds(data, domain)[split] ?? []);
  const task = tasksOf(data, domain).filter(({ id }) => ids.has(id))[index];
  if (task) return task;
  throw new Error(
    `expected tau2-bench's data to have task ${index} of ${split}, but it has ${ids.size} ids. Restart the gym after a change of the data.`,
  );
}
