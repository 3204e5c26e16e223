/**
 * Which task is played next: task sets in proportion to their weights, drawn anew for each group from the group's number
 * alone. What was taken and not learnt from is remembered, so that a run that goes on plays it again.
 */
import { keyedHash, keyedRandom } from "./keyed-random.js";
import type { RolloutTask } from "./rollout/episode-rollout.js";
import type { TaskSource } from "./rollout/rollout-loop.js";
import type { BoundedTaskSet } from "./task-set.js";

/** A task for a group to play. */
export interface GroupTask {
  /** Counts groups from 0 on. */
  readonly number: number;
  readonly task: RolloutTask;
  /** Keys the group's random draws. */
  readonly seed: number;
}

export interface TaskMixState {
  /** The number of the next new group. */
  readonly next: number;
  /** Groups that were begun and not finished, by number. */
  readonly open: readonly number[];
}

export class TaskMix implements TaskSource<GroupTask> {
  private nextNumber = 0;
  private readonly open = new Set<number>();
  private waiting: number[] = [];
  private readonly weights: number;

  constructor(
    private readonly sets: readonly BoundedTaskSet[],
    private readonly seed: number,
  ) {
    this.weights = sets.reduce((sum, { weight }) => sum + weight, 0);
  }

  next(): GroupTask {
    const number = this.waiting.shift() ?? this.nextNumber++;
    this.open.add(number);
    return this.taskOf(number);
  }

  giveBack({ number }: GroupTask): void {
    this.waiting.push(number);
    this.waiting.sort((a, b) => a - b);
  }

  /** It was learnt from, or will not be. */
  finish(number: number): void {
    this.open.delete(number);
  }

  get state(): TaskMixState {
    return { next: this.nextNumber, open: [...this.open].sort((a, b) => a - b) };
  }

  restore({ next, open }: TaskMixState): void {
    this.nextNumber = next;
    this.open.clear();
    for (const number of open) this.open.add(number);
    this.waiting = [...open];
  }

  private taskOf(number: number): GroupTask {
    const random = keyedRandom(this.seed, number);
    const set = this.setAt(random() * this.weights);
    const index = set.first + Math.floor(random() * (set.last - set.first + 1));
    const { environment, split } = set;
    return { number, task: { environment, split, index, seed: keyedHash(this.seed, number, 1) }, seed: keyedHash(this.seed, number, 2) };
  }

  private setAt(position: number): BoundedTaskSet {
    let end = 0;
    for (const set of this.sets) {
      end += set.weight;
      if (position < end) return set;
    }
    return this.sets.at(-1) as BoundedTaskSet;
  }
}
