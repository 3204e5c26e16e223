import type { Machine, Thread } from "./machine.js";

/** A step, or the creation of an episode, that a gym is working on. */
export interface Work {
  episode: number;
  isCreate: boolean;
}

/** A gym of a simulation. */
export class GymModel {
  /** Number of the process: work of a process that has ended is lost. */
  life = 0;
  state: "live" | "gone" = "live";
  /** Whether the gym gives its episodes away. */
  isLeaving = false;
  readonly mainThread: Thread = { freeAt: 0 };
  /** Work that waits for the next commit. */
  ready: Work[] = [];
  /** Work in the commit that is in flight. */
  committing: Work[] | null = null;
  /** Episodes whose clients wait until a gym has them. */
  orphans: number[] = [];
  inMemory = 0;
  mostInMemory = 0;

  constructor(
    readonly index: number,
    readonly machine: Machine,
  ) {}

  get isServing(): boolean {
    return this.state === "live";
  }
}
