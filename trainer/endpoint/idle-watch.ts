/**
 * Log lines about rollouts that training waits for: the rollout that is idle the longest, with the time until its lease
 * ends, and failed rollouts. The number of lines does not grow with the number of rollouts.
 */

import { counted } from "../../server/formats/counted.js";
import type { OpenGroup } from "./group-queue.js";
import type { LeaseState } from "./lease.js";
import { shown } from "./protocol/errors.js";
import type { Rollout } from "./rollout.js";

export interface IdleWatchOptions {
  readonly leaseMs: number;
  say(line: string): void;
  rollouts(): Iterable<Rollout>;
  groups(): Iterable<OpenGroup>;
}

/** Milliseconds between two lines about failures. */
const failureLineMs = 10_000;

interface Awaited {
  readonly what: string;
  readonly lease: LeaseState;
}

export class IdleWatch {
  private readonly timer: NodeJS.Timeout;
  private saidIdleAt = Number.NEGATIVE_INFINITY;
  private saidFailureAt = Number.NEGATIVE_INFINITY;
  /** Number of failures since the last log line about a failure. */
  private unsaid = 0;

  constructor(private readonly options: IdleWatchOptions) {
    this.timer = setInterval(() => this.look(), Math.min(5_000, options.leaseMs / 16)).unref();
  }

  /** Reports a failed rollout. */
  onFailure(rollout: Rollout, reason: string): void {
    const now = performance.now();
    this.unsaid += 1;
    if (now - this.saidFailureAt < failureLineMs) return;
    this.saidFailureAt = now;
    const more = this.unsaid > 1 ? `; ${this.unsaid - 1} more since the last such line` : "";
    this.unsaid = 0;
    this.options.say(`${nameOf(rollout)} failed: ${reason}${more}`);
  }

  /** Reports a group that was closed before it was full. */
  onShortGroup({ task = "", rollouts, size }: OpenGroup): void {
    this.options.say(
      `the group of task ${shown(task)} is closed with ${rollouts.length} of ${counted(size, "rollout")}: no further rollout was claimed for ${seconds(this.options.leaseMs)}`,
    );
  }

  close(): void {
    clearInterval(this.timer);
  }

  /**
   * Reports the rollout that is idle the longest once half of its lease is over, and again after each quarter of the
   * lease.
   */
  private look(): void {
    const { leaseMs, say } = this.options;
    const idle = [...this.awaited()].filter(({ lease }) => lease.idleMs >= leaseMs / 2);
    idle.sort((one, other) => other.lease.idleMs - one.lease.idleMs);
    const [longest] = idle;
    const now = performance.now();
    if (!longest || now - this.saidIdleAt < leaseMs / 4) return;
    this.saidIdleAt = now;
    const { idleMs, leftMs } = longest.lease;
    const more = idle.length > 1 ? `; ${counted(idle.length - 1, "more is idle", "more are idle")}` : "";
    say(`waiting for ${longest.what}: idle for ${seconds(idleMs)}, its lease ends in ${seconds(leftMs)}${more}`);
  }

  private *awaited(): Generator<Awaited> {
    for (const rollout of this.options.rollouts()) {
      const { state: lease } = rollout.lease;
      if (lease && rollout.options.mode === "train") yield { what: nameOf(rollout), lease };
    }
    for (const group of this.options.groups()) {
      const { task = "", rollouts, size } = group;
      const { state: lease } = group.lease;
      const lacks = size - rollouts.length;
      if (lease)
        yield { what: `${lacks} of ${counted(size, "rollout")} of task ${shown(task)}, not yet claimed`, lease };
    }
  }
}

function nameOf({ id, options: { task } }: Rollout): string {
  return `rollout ${id} (task ${shown(task)})`;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
