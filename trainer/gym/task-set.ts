/** A set of tasks as settings write it: `environment:split[:first-last][*weight]`. */

import { didYouMean } from "../did-you-mean.js";
import { type ActionFormat, actionFormat, expectPlayable } from "../rollout/action-format.js";
import type { GymClient } from "./gym.js";

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

/** @throws {RangeError} */
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
  throw new RangeError(
    `expected tasks as environment:split[:first-last][*weight], but received ${JSON.stringify(text)}`,
  );
}

/**
 * With the ends of the splits that have none, by what the gym says.
 *
 * @param format that they are to be played in
 * @throws {GymError} @throws {RangeError} one that does not fit, or cannot be played in this format
 */
export function boundTaskSets(
  texts: readonly string[],
  gym: GymClient,
  format: ActionFormat,
): Promise<BoundedTaskSet[]> {
  return Promise.all(texts.map((text) => boundTaskSet(parseTaskSet(text), gym, format)));
}

/** Those of a run. */
export interface RunTaskSets {
  readonly train: readonly BoundedTaskSet[];
  /** What is cloned: as a rule, what is trained on. */
  readonly clone: readonly BoundedTaskSet[];
  readonly heldOut: readonly BoundedTaskSet[];
}

/** Those of a run's settings. */
export interface TaskSettings {
  readonly action_format: string;
  readonly train_tasks: readonly string[];
  readonly clone_tasks?: readonly string[] | undefined;
  readonly eval_tasks: readonly string[];
}

/** What is held out is refused, too, before there is any work to lose. */
export async function runTaskSets(settings: TaskSettings, gym: GymClient): Promise<RunTaskSets> {
  const { train_tasks, clone_tasks, eval_tasks } = settings;
  const bound = (sets: readonly string[]) => boundTaskSets(sets, gym, actionFormat(settings.action_format));
  const train = await bound(train_tasks);
  return { train, clone: clone_tasks ? await bound(clone_tasks) : train, heldOut: await bound(eval_tasks) };
}

async function boundTaskSet(set: TaskSet, gym: GymClient, format: ActionFormat): Promise<BoundedTaskSet> {
  const { id, splits, tools } = await gym.environment(set.environment);
  expectPlayable(format, id, tools({}));
  const size = splits.get(set.split);
  if (!splits.has(set.split)) {
    const known = [...splits.keys()].slice(0, 12).join(", ");
    const received = `${set.split}${didYouMean(set.split, splits.keys())}`;
    throw new RangeError(`expected a split of ${set.environment} such as ${known}, but received ${received}`);
  }
  const last = set.last ?? (size === undefined ? undefined : size - 1);
  if (last === undefined)
    throw new RangeError(`expected ${set.name} with first-last, since nobody knows its end, but received none`);
  if (size !== undefined && last >= size) {
    throw new RangeError(`expected indices of ${set.environment}:${set.split} below ${size}, but received ${last}`);
  }
  return { ...set, last };
}
