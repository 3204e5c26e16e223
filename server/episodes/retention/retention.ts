/** Removes episodes that are too old, or for which the log has no room, and returns unused bytes to the disk. */
import type { Log } from "../../log/log.js";
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

/** Milliseconds after which the removal is tried again. */
const pauseMs = 600_000;

/** An unused part of the file that is below these bytes, or below this part of the file, stays for new steps. */
const [leastUnused, unusedPart] = [2 ** 26, 0.25];

export interface RetentionOptions {
  /** Age in milliseconds at which episodes are removed. 0 keeps episodes of any age. */
  retainMs: number;
  clock: RetentionClock;
  /** Returns the key of the next new episode. */
  nextKey(): number | undefined;
  /** Returns the keys of the episodes in use that were created before a time. These are not removed. */
  keysInUse(beforeMs: number): number[];
  onRemoved(episodes: number): void;
}

export class Retention {
  private running = false;
  private stopped = false;
  /** Bytes of removed episodes, minus the bytes that their removal freed. */
  private inVain = 0;
  /** Monotonic time until which no episodes are removed to make room. */
  private pausedUntil = 0;

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
      await this.log.call("pruneAliases", nowMs - retainMs);
    });
  }

  /** Makes room in a log that is nearly full, and on a disk that is nearly full. */
  makeRoom(): Promise<void> {
    return this.alone(async () => {
      const { maxBytes } = this.storage.limits;
      const { usedBytes } = this.storage.space;
      const isFull = maxBytes > 0 && usedBytes > maxBytes * fullPart;
      if (isFull && performance.now() >= this.pausedUntil && (await this.removeOldest(maxBytes * roomyPart)))
        await this.log.call("pruneAliases", 0);
      await this.shrink();
    });
  }

  stop(): void {
    this.stopped = true;
  }

  /** Removes the oldest episodes until the log has at most `targetBytes`. Returns whether any were removed. */
  private async removeOldest(targetBytes: number): Promise<boolean> {
    let { space } = this.storage;
    let hasRemoved = false;
    while (!this.stopped && space.usedBytes > targetBytes) {
      const before = space;
      if ((await this.removeSome(Number.MAX_SAFE_INTEGER)) === 0) break;
      hasRemoved = true;
      space = await this.storage.measure();
      // Steps that were written meanwhile count in both differences.
      const removed = sum(before.usage) - sum(space.usage);
      this.inVain = Math.max(0, this.inVain + removed - (before.usedBytes - space.usedBytes));
      if (this.inVain < mostInVain) continue;
      this.inVain = 0;
      this.pausedUntil = performance.now() + pauseMs;
      break;
    }
    return hasRemoved;
  }

  private async removeSome(beforeMs: number, nowMs?: number): Promise<number> {
    const { keysInUse, nextKey } = this.options;
    // The log stores new episodes before it removes others. They are not among the keys in use.
    const bounds = { nowMs, belowKey: nextKey() };
    const removed = await this.log.call("prune", beforeMs, keysInUse(beforeMs), chunk, bounds);
    if (removed > 0) this.options.onRemoved(removed);
    return removed;
  }

  /** Returns unused bytes of the file to the disk, if the disk is nearly full or much of the file is unused. */
  private async shrink(): Promise<void> {
    while (!this.stopped && this.wantsToShrink()) {
      const returned = await this.log.call("shrinkFile", shrinkChunk);
      await this.storage.measure();
      // New steps may have used the bytes.
      if (returned === 0) return;
    }
  }

  private wantsToShrink(): boolean {
    const { fileBytes, freeBytes, isShrinkable } = this.storage.space;
    if (!isShrinkable) return false;
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
