/**
 * Looks up environments, splits, tasks and options by the names that callers send. For an unknown name it throws an
 * error of the error table.
 */
import { setImmediate } from "node:timers/promises";
import type {
  AnyEnvironmentSpec,
  EnvironmentFacts,
  Options,
  TaskRef,
  TaskSplit,
  TaskSummary,
} from "../../../envs/env.js";
import { TaskOutOfRange, UnknownEnvironment, UnknownOption, UnknownSplit } from "../../../envs/errors.js";
import { checkTask, defaultSplit, fillOptions, findSplit, type Registry } from "../../../envs/registry.js";
import { GymError, shown } from "../../errors.js";
import { didYouMean } from "../../formats/did-you-mean.js";

/** @throws {GymError} ENVIRONMENT_UNKNOWN */
export function specOf(registry: Registry, name: string): AnyEnvironmentSpec {
  return translated(() => registry.get(name));
}

/** @param name default: the environment's default split. @throws {GymError} SPLIT_UNKNOWN */
export function splitOf(spec: EnvironmentFacts, name = defaultSplit(spec)): TaskSplit & { name: string } {
  const { size, summary, title } = translated(() => findSplit(spec, name));
  return { name, size, summary, title };
}

/** Milliseconds of work on titles before each pause. A title may take as long to create as its task. */
const titlesForMs = 5;

/** Milliseconds of work on titles after which a search ends its page. */
const searchesForMs = 100;

/**
 * Returns a page of a split's tasks, and the index at which the next page begins. Pauses at intervals so that other work can
 * run.
 *
 * @param text text that the titles must contain; upper and lower case match. A page of a search may be short or empty,
 *   because its work is bounded.
 */
export async function pageOf(
  { name, size, title }: TaskSplit & { name: string },
  from: number,
  limit: number,
  text = "",
): Promise<{ tasks: TaskSummary[]; next: number | null }> {
  const wanted = text.toLowerCase();
  const tasks: TaskSummary[] = [];
  let [index, begun, worked] = [from, performance.now(), 0];
  while (index < size && tasks.length < limit && (wanted === "" || worked < searchesForMs)) {
    const task = { split: name, index, title: title(index) };
    if (wanted === "" || task.title.toLowerCase().includes(wanted)) tasks.push(task);
    index += 1;
    const tookMs = performance.now() - begun;
    if (tookMs < titlesForMs) continue;
    worked += tookMs;
    await setImmediate();
    begun = performance.now();
  }
  return { tasks, next: index < size ? index : null };
}

/** @throws {GymError} SPLIT_UNKNOWN, TASK_OUT_OF_RANGE */
export function taskOf(spec: EnvironmentFacts, task: { split?: string | undefined; index: number }): TaskRef {
  return translated(() => checkTask(spec, { split: task.split ?? defaultSplit(spec), index: task.index }));
}

/**
 * Returns the requested options, completed with the defaults of the split and of the environment.
 *
 * @throws {GymError} OPTION_UNKNOWN
 */
export function optionsOf(spec: EnvironmentFacts, asked: Options, split?: string): Options {
  return translated(() => fillOptions(spec, asked, split));
}

function translated<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): unknown {
  if (error instanceof UnknownEnvironment) {
    return new GymError("ENVIRONMENT_UNKNOWN", `one of the environments ${error.known.join(", ")}`, receivedBy(error));
  }
  if (error instanceof UnknownSplit) {
    const known = `one of ${error.environment}'s splits ${error.known.join(", ")}`;
    return new GymError("SPLIT_UNKNOWN", known, receivedBy(error));
  }
  if (error instanceof UnknownOption) {
    return new GymError("OPTION_UNKNOWN", `one of ${error.of}: ${error.known.join(", ") || "none"}`, receivedBy(error));
  }
  if (error instanceof TaskOutOfRange) {
    const range = `an index from 0 to ${error.size - 1} in the split ${error.split}`;
    return new GymError("TASK_OUT_OF_RANGE", range, `${error.received}`);
  }
  return error;
}

function receivedBy({ received, known }: UnknownEnvironment | UnknownSplit | UnknownOption): string {
  return `${shown(received)}${didYouMean(received, known)}`;
}
