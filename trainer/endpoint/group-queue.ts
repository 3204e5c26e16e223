/**
 * The queue at which agents claim rollouts. Admission provides seats. A claim for a new task turns a seat into the group
 * of that task, and later claims for the same task join the group until it is full. A claim waits while no seat is
 * free, so that no rollout is too old to learn from. A group that receives no more claims is closed with the rollouts
 * it has.
 */

import type { Group, Trajectory } from "../rollout/trajectory.js";
import { Lease } from "./lease.js";
import { EndpointError } from "./protocol/errors.js";
import type { Rollout } from "./rollout.js";

/** Permission to play one group. */
export interface Seat {
  readonly number: number;
}

export interface GroupQueueOptions {
  /** Number of rollouts in a group. */
  readonly size: number;
  /** Milliseconds that a group without open rollouts waits for more claims. */
  readonly leaseMs: number;
  /** Milliseconds that a claim waits for a seat. */
  readonly waitMs: number;
  /** Opens a rollout. @param sample number of the rollout within its group */
  open(group: OpenGroup, sample: number, onEnd: (rollout: Rollout) => void): Rollout;
  /** Called when a group is closed with fewer rollouts than `size`, because no rollout was claimed within `leaseMs`. */
  onShort(group: OpenGroup): void;
  /** Called when a seat is free and no claim waits for it. */
  onFree?(): void;
}

export interface QueueStatistics {
  /** Number of free seats, which have no task yet. */
  readonly free: number;
  /** Number of claims that wait for a seat. */
  readonly waiting: number;
  readonly groups: readonly { id: string; task: string; begun: number; open: number; size: number }[];
}

interface Waiter {
  readonly task: string;
  serve(rollout: Rollout): void;
  refuse(error: unknown): void;
}

export class GroupQueue {
  private readonly free: OpenGroup[] = [];
  private readonly groups = new Set<OpenGroup>();
  private readonly waiters = new Set<Waiter>();
  private closed: EndpointError | undefined;

  constructor(private readonly options: GroupQueueOptions) {}

  /** Returns the groups that have a task and have not ended. */
  get openGroups(): OpenGroup[] {
    return [...this.groups].filter(({ task }) => task !== undefined);
  }

  get statistics(): QueueStatistics {
    return {
      free: this.free.length,
      waiting: this.waiters.size,
      groups: this.openGroups.map(({ id, task = "", rollouts, running }) => {
        return { id, task, begun: rollouts.length, open: running, size: this.options.size };
      }),
    };
  }

  /**
   * Resolves with a seat's group once its rollouts have ended. If the signal aborts, the rollouts are ended and the
   * promise rejects with the signal's reason.
   */
  async play({ number }: Seat, signal: AbortSignal): Promise<Group> {
    const group = new OpenGroup(String(number), this.options);
    const abort = () => group.abort(signal.reason);
    signal.addEventListener("abort", abort);
    this.groups.add(group);
    this.free.push(group);
    this.seatWaiters();
    if (signal.aborted) abort();
    else if (this.free.length > 0) this.options.onFree?.();
    try {
      return await group.ended;
    } finally {
      signal.removeEventListener("abort", abort);
      this.groups.delete(group);
      const at = this.free.indexOf(group);
      if (at >= 0) this.free.splice(at, 1);
    }
  }

  /**
   * Claims a rollout, after waiting for a seat; first come, first served.
   *
   * @param signal signal of the caller
   * @throws {EndpointError} `no_room` after `waitMs`, `endpoint_closed`; the signal's reason
   */
  claim(task: string, signal: AbortSignal): Promise<Rollout> {
    if (this.closed) return Promise.reject(this.closed);
    const rollout = this.seat(task);
    if (rollout) return Promise.resolve(rollout);
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.waiters.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
      };
      const waiter: Waiter = {
        task,
        serve: (rollout) => {
          settle();
          resolve(rollout);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      const abort = () => waiter.refuse(signal.reason);
      const { waitMs } = this.options;
      const timer = setTimeout(() => waiter.refuse(noRoom(waitMs)), waitMs);
      signal.addEventListener("abort", abort);
      this.waiters.add(waiter);
      if (signal.aborted) abort();
    });
  }

  /**
   * Makes a whole group of an episode that has ended already, at the seat that has been free the longest.
   *
   * @returns whether a seat was free
   */
  fill(task: string, rows: readonly Trajectory[]): boolean {
    const group = this.free.shift();
    if (!group) return false;
    group.task = task;
    group.fill(rows);
    return true;
  }

  /** Refuses all waiting and later claims with the error. */
  close(error: EndpointError): void {
    this.closed = error;
    for (const waiter of this.waiters) waiter.refuse(error);
  }

  private seatWaiters(): void {
    for (const waiter of this.waiters) {
      const rollout = this.seat(waiter.task);
      if (rollout) waiter.serve(rollout);
    }
  }

  private seat(task: string): Rollout | undefined {
    const open = [...this.groups].find((group) => group.task === task && group.hasRoom);
    const group = open ?? this.free.shift();
    if (!group) return undefined;
    group.task = task;
    return group.begin();
  }
}

export class OpenGroup {
  task: string | undefined;
  readonly rollouts: Rollout[] = [];
  running = 0;
  readonly ended: Promise<Group>;
  /** Lease of the group, which runs while none of its rollouts is open. */
  readonly lease: Lease;
  private settle: { resolve(group: Group): void; reject(error: unknown): void } | undefined;

  constructor(
    readonly id: string,
    private readonly options: GroupQueueOptions,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.lease = new Lease(options.leaseMs, () => {
      options.onShort(this);
      this.end();
    });
  }

  get size(): number {
    return this.options.size;
  }

  get hasRoom(): boolean {
    return this.settle !== undefined && this.rollouts.length < this.options.size;
  }

  begin(): Rollout {
    this.lease.stop();
    this.running += 1;
    const rollout = this.options.open(this, this.rollouts.length, () => this.leave());
    this.rollouts.push(rollout);
    return rollout;
  }

  /** Ends the group with one episode. */
  fill(rows: readonly Trajectory[]): void {
    const { resolve } = this.settle ?? {};
    this.settle = undefined;
    resolve?.({ id: this.id, trajectories: rows.map((row) => ({ ...row, group: this.id })), failed: [] });
  }

  abort(reason: unknown): void {
    const { reject } = this.settle ?? {};
    this.settle = undefined;
    this.lease.stop();
    for (const rollout of this.rollouts) {
      const message = "The run was stopped.";
      const failure = { class: "agent", code: "ROLLOUT_STOPPED", message } as const;
      rollout.fail(failure, new EndpointError("endpoint_closed", message));
    }
    reject?.(reason);
  }

  private leave(): void {
    this.running -= 1;
    if (this.running > 0 || !this.settle) return;
    if (this.rollouts.length === this.options.size) this.end();
    else this.lease.renew();
  }

  private end(): void {
    const { resolve } = this.settle ?? {};
    this.settle = undefined;
    const outcomes = this.rollouts.flatMap((rollout) => (rollout.outcome ? [{ rollout, ...rollout.outcome }] : []));
    resolve?.({
      id: this.id,
      trajectories: outcomes.flatMap(({ rows }) => rows),
      failed: outcomes.flatMap(({ rollout, failure }) => (failure ? [rollout.failed(failure)] : [])),
    });
  }
}

function noRoom(waitMs: number): EndpointError {
  const expected = "a free seat for a rollout";
  return new EndpointError(
    "no_room",
    `expected ${expected}, but no seat became free within ${waitMs / 1000} s. Send the claim again.`,
  );
}
