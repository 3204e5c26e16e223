import { TrainerError } from "../errors.js";

/** Task sets in the notation of settings: `environment:split[:first-last][*weight]`. */

export interface TaskSet {
  /** Text of the task set in the setting, without the weight. */
  readonly name: string;
  readonly environment: string;
  readonly split: string;
  /** First and last index, both included. `last` is undefined for the whole split. */
  readonly first: number;
  readonly last: number | undefined;
  /** Relative frequency among the task sets. */
  readonly weight: number;
}

/** A task set whose last index is known. */
export type BoundedTaskSet = TaskSet & {
  readonly last: number;
  /** Names of the environment's seats; left out if it has one player. */
  readonly seats?: readonly string[];
};

/** Parses a task set. @throws {TrainerError} TASKS_INVALID */
export function parseTaskSet(text: string): TaskSet {
  const match = /^([a-z0-9-]+(?:@\d+)?):([A-Za-z0-9_-]+)(?::(\d+)-(\d+))?(?:\*(\d+(?:\.\d+)?))?$/.exec(text);
  const [, environment = "", split = "", first, last, weight] = match ?? [];
  const set = {
    name: text.replace(/\*.*$/, ""),
    environment,
    split,
    first: Number(first ?? 0),
    last: last === undefined ? undefined : Number(last),
    weight: Number(weight ?? 1),
  };
  const isOrdered = set.last === undefined || (Number.isSafeInteger(set.last) && set.last >= set.first);
  if (match && isOrdered && set.weight > 0) return set;
  throw new TrainerError(
    "TASKS_INVALID",
    `expected tasks as environment:split[:first-last][*weight], but received ${JSON.stringify(text)}`,
  );
}

/** Task sets of a run. */
export interface RunTaskSets {
  readonly train: readonly BoundedTaskSet[];
  /** Task sets for cloning. Default: the training task sets. */
  readonly clone: readonly BoundedTaskSet[];
  readonly heldOut: readonly BoundedTaskSet[];
}
