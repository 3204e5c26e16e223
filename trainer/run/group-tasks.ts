/**
 * The curriculum as groups to play. A group's random draws follow from its number; what was begun and not learnt from is
 * remembered, so that a run that goes on plays it again.
 */
import type { TaskSource as Curriculum } from "../curriculum/index.js";
import type { Played } from "../gym/gym.js";
import { keyedHash } from "../keyed-random.js";
import type { TaskSource } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";

/** A task for a group to play. */
export interface GroupTask {
  /** Counts groups from 0 on. */
  readonly number: number;
  readonly task: Played;
  /** Keys the group's random draws. */
  readonly seed: number;
}

export interface GroupTasksState {
  /** Of the curriculum. */
  readonly curriculum: unknown;
  /** The number of the next new group. */
  readonly next: number;
  /** Groups that were begun and not finished. */
  readonly open: readonly GroupTask[];
}

export class GroupTasks implements TaskSource<GroupTask> {
  private nextNumber: number;
  private readonly open: Map<number, GroupTask>;
  /** In the order of their numbers. */
  private readonly waiting: GroupTask[];

  /** @param curriculum made of the state's own */
  constructor(
    private readonly curriculum: Curriculum,
    private readonly seed: number,
    { next = 0, open = [] }: Partial<GroupTasksState> = {},
  ) {
    this.nextNumber = next;
    this.open = new Map(open.map((task) => [task.number, task]));
    this.waiting = [...open];
  }

  next(): GroupTask {
    const task = this.waiting.shift() ?? this.begin();
    this.open.set(task.number, task);
    return task;
  }

  giveBack(task: GroupTask): void {
    this.waiting.push(task);
    this.waiting.sort((a, b) => a.number - b.number);
  }

  /** It was learnt from, or never will be. @returns what was played */
  finish(number: number): Played | undefined {
    const task = this.open.get(number)?.task;
    this.open.delete(number);
    return task;
  }

  get state(): GroupTasksState {
    const open = [...this.open.values()].sort((a, b) => a.number - b.number);
    return { curriculum: this.curriculum.state(), next: this.nextNumber, open };
  }

  private begin(): GroupTask {
    const number = this.nextNumber++;
    return { number, task: this.curriculum.next(), seed: keyedHash(this.seed, number) };
  }
}

/** By their numbers: what is learnt must not depend on who was faster. */
export function inOrder(groups: readonly Group[]): Group[] {
  return [...groups].sort((a, b) => Number(a.id) - Number(b.id));
}
