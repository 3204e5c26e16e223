/** Checks the task sets of a run against the splits of its gym and fills in their ends. */

import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import { actionFormat, expectPlayable } from "../../server/formats/actions/action-formats.js";
import { didYouMean } from "../../server/formats/did-you-mean.js";
import { TrainerError } from "../errors.js";
import type { GymClient } from "../gym/gym.js";
import { type BoundedTaskSet, parseTaskSet, type RunTaskSets, type TaskSet } from "../gym/task-set.js";

/**
 * Parses task sets. A set without an index range covers the whole split.
 *
 * @param format action format to play in
 * @throws {GymError}, and {TrainerError} for a set that does not exist or cannot be played in the format
 */
export function boundTaskSets(
  texts: readonly string[],
  gym: GymClient,
  format: ActionFormat,
): Promise<BoundedTaskSet[]> {
  return Promise.all(texts.map((text) => boundTaskSet(parseTaskSet(text), gym, format)));
}

/** Task settings of a run. */
export interface TaskSettings {
  readonly action_format: string;
  readonly train_tasks: readonly string[];
  readonly clone_tasks?: readonly string[] | undefined;
  readonly eval_tasks: readonly string[];
}

/**
 * Checks all task sets of a run, including held-out task sets, so that an invalid set is refused before any work is
 * done.
 */
export async function runTaskSets(settings: TaskSettings, gym: GymClient): Promise<RunTaskSets> {
  const { train_tasks, clone_tasks, eval_tasks } = settings;
  const bound = (sets: readonly string[]) => boundTaskSets(sets, gym, actionFormat(settings.action_format));
  const train = await bound(train_tasks);
  return { train, clone: clone_tasks ? await bound(clone_tasks) : train, heldOut: await bound(eval_tasks) };
}

async function boundTaskSet(set: TaskSet, gym: GymClient, format: ActionFormat): Promise<BoundedTaskSet> {
  const { id, splits, seats, tools } = await gym.environment(set.environment);
  expectPlayable(format, id, tools({}));
  const size = splits.get(set.split);
  if (!splits.has(set.split)) {
    const known = [...splits.keys()].slice(0, 12).join(", ");
    const received = `${set.split}${didYouMean(set.split, splits.keys())}`;
    throw new TrainerError(
      "TASKS_INVALID",
      `expected a split of ${set.environment} such as ${known}, but received ${received}`,
    );
  }
  const last = set.last ?? (size === undefined ? undefined : size - 1);
  if (last === undefined)
    throw new TrainerError(
      "TASKS_INVALID",
      `expected a range first-last in ${set.name}, since the size of the split is unknown, but received none`,
    );
  if (size !== undefined && last >= size) {
    throw new TrainerError(
      "TASKS_INVALID",
      `expected indices of ${set.environment}:${set.split} below ${size}, but received ${last}`,
    );
  }
  return { ...set, last, ...(seats && { seats: [...seats.keys()] }) };
}
