import { TrainerError } from "../errors.js";

/** A set of tasks as settings write it: `environment:split[:first-last][*weight]`. */

export interface TaskSet {
  /** As it was written. */
  readonly name: string;
  readonly environment: string;
  readonly split: string;
  /** Indices from `first` to `last`. Undefined: the whole split. */
  readonly first: number;
  readonly last: number | undefined;
  /** How often it is played, beside the others. */
  readonly weight: number;
}

/** One whose end is known. */
export type BoundedTaskSet = TaskSet & { readonly last: number };

/** @throws {TrainerError} */
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

/** Those of a run. */
export interface RunTaskSets {
  readonly train: readonly BoundedTaskSet[];
  /** What is cloned: as a rule, what is trained on. */
  readonly clone: readonly BoundedTaskSet[];
  readonly heldOut: readonly BoundedTaskSet[];
}
