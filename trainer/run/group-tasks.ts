/**
 * The tasks of the curriculum as groups to play. The random draws of a group depend only on its number. Groups that
 * were started but not learned from are saved, so that a resumed run plays them again.
 */
import type { TaskSource as Curriculum } from "../curriculum/index.js";
import type { Played } from "../gym/gym.js";
import { keyedHash } from "../keyed-random.js";
import type { TaskSource } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";

/** A task for a group to play. */
export interface GroupTask {
  /** Number of the group, from 0. */
  readonly number: number;
  readonly task: Played;
  /** Seed of the group's random draws. */
  readonly seed: number;
}

export interface GroupTasksState {
  /** State of the curriculum. */
  readonly curriculum: unknown;
  /** Number of the next new group. */
  readonly next: number;
  /** Groups that were started but not finished. */
  readonly open: readonly GroupTask[];
}

export class GroupTasks implements TaskSource<GroupTask> {
  private nextNumber: number;
  private readonly open: Map<number, GroupTask>;
  /** Groups to play again, by number. */
  private readonly waiting: GroupTask[];

  /** @param curriculum curriculum that was restored from the state's `curriculum` */
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

  /** Removes a group that was learned from or left out. @returns its task */
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

/** Sorts groups by number, so that the result of a train step does not depend on the order in which groups ended. */
export function inOrder(groups: readonly Group[]): Group[] {
  return [...groups].sort((a, b) => Number(a.id) - Number(b.id));
}
