/** Removes episodes that are too old, or for which the log has no room, and returns unused bytes to the disk. */
import type { Log } from "../log/log.js";
import type { RetentionClock } from "./retention-clock.js";
import type { Storage } from "./storage.js";

/** Largest number of episodes that are removed at a time, so that steps are not delayed. */
const chunk = 200;

/** Largest number of bytes of the file that are returned to the disk at a time. */
const shrinkChunk = 2 ** 22;

/** Parts of `maxBytes`: above the first, the oldest episodes are removed until the log is below the second. */
const [fullPart, roomyPart] = [0.9, 0.8];

/**
 * Bytes of episodes that are removed in vain before the removal stops. Steps that were written together share pages, so
 * an episode in use can keep the bytes of removed episodes.
 */
const mostInVain = 2 ** 28;

/** An unused part of the file that is below these bytes, or below this part of the file, stays for new steps. */
const [leastUnused, unusedPart] = [2 ** 26, 0.25];

export interface RetentionOptions {
  /** Age in milliseconds at which episodes are removed. 0 keeps episodes of any age. */
  retainMs: number;
  clock: RetentionClock;
  /** Returns the keys of the episodes in use that were created before a time. These are not removed. */
  keysInUse(beforeMs: number): number[];
  onRemoved(episodes: number): void;
}

export class Retention {
  private running = false;
  private stopped = false;
  /** Whether the file has given unused bytes back when it was asked. Files of earlier versions do not. */
  private shrinks = true;

  constructor(
    private readonly log: Log,
    private readonly storage: Storage,
    private readonly options: RetentionOptions,
  ) {}

  /** Removes episodes older than `retainMs`. */
  removeExpired(): Promise<void> {
    const { retainMs, clock } = this.options;
    if (retainMs === 0) return Promise.resolve();
    return this.alone(async () => {
      const nowMs = clock.now();
      while (!this.stopped && (await this.removeSome(nowMs - retainMs, nowMs)) > 0);
    });
  }

  /** Makes room in a log that is nearly full, and on a disk that is nearly full. */
  makeRoom(): Promise<void> {
    return this.alone(async () => {
      const { maxBytes } = this.storage.limits;
      const { usedBytes } = this.storage.space;
      if (maxBytes > 0 && usedBytes > maxBytes * fullPart) await this.removeOldest(maxBytes * roomyPart);
      await this.shrink();
    });
  }

  stop(): void {
    this.stopped = true;
  }

  /** Removes the oldest episodes until the log has at most `targetBytes`. */
  private async removeOldest(targetBytes: number): Promise<void> {
    let { space } = this.storage;
    let inVain = 0;
    while (!this.stopped && space.usedBytes > targetBytes && inVain < mostInVain) {
      const before = space;
      if ((await this.removeSome(Number.MAX_SAFE_INTEGER)) === 0) return;
      space = await this.storage.measure();
      inVain = space.usedBytes < before.usedBytes ? 0 : inVain + sum(before.usage) - sum(space.usage);
    }
  }

  private async removeSome(beforeMs: number, nowMs?: number): Promise<number> {
    const removed = await this.log.call("prune", beforeMs, this.options.keysInUse(beforeMs), chunk, nowMs);
    if (removed > 0) this.options.onRemoved(removed);
    return removed;
  }

  /** Returns unused bytes of the file to the disk, if the disk is nearly full or much of the file is unused. */
  private async shrink(): Promise<void> {
    while (!this.stopped && this.shrinks && this.wantsToShrink()) {
      this.shrinks = (await this.log.call("shrinkFile", shrinkChunk)) > 0;
      await this.storage.measure();
    }
  }

  private wantsToShrink(): boolean {
    const { fileBytes, freeBytes } = this.storage.space;
    if (this.storage.isDiskLow) return freeBytes > 0;
    return freeBytes > Math.max(leastUnused, fileBytes * unusedPart);
  }

  private async alone(work: () => Promise<void>): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      await work();
    } catch {
      // Every caller of a step receives the error of a failing log. The next interval tries again.
    } finally {
      this.running = false;
    }
  }
}

function sum(usage: ReadonlyMap<string, number>): number {
  return [...usage.values()].reduce((total, bytes) => total + bytes, 0);
}
