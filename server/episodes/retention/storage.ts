import { GymError } from "../../errors.js";
import type { Log } from "../../log/log.js";
import { type DiskSpace, sizeText } from "../../log/records/disk.js";
import type { LogSpace } from "../../log/records/protocol.js";

export interface StorageLimits {
  /** Free bytes of the log's disk that new episodes need. Default: 1 GiB, or a tenth of a disk of less than 10 GiB. */
  minFreeBytes?: number | undefined;
  /** Limit on the bytes of the log. 0: no limit. */
  maxBytes: number;
  /** Returns the limit on the bytes of one owner's episodes in the log, or null if there is none. */
  maxBytesOf(owner: string): number | null;
}

/** Default of `minFreeBytes`: the smaller of these bytes and this part of the disk. */
const [defaultFreeBytes, defaultFreePart] = [2 ** 30, 0.1];

/**
 * The size of the log and the free space of its disk, measured regularly. New episodes are refused before the disk is
 * full, so that the steps of running episodes still find room.
 */
export class Storage {
  private constructor(
    private readonly log: Log,
    readonly limits: StorageLimits,
    private measured: LogSpace,
  ) {}

  /** @throws {GymError} LOG_FAILED */
  static async open(log: Log, limits: StorageLimits): Promise<Storage> {
    return new Storage(log, limits, await log.call("space"));
  }

  /** The newest measurement. */
  get space(): LogSpace {
    return this.measured;
  }

  /** @throws {GymError} LOG_FAILED */
  async measure(): Promise<LogSpace> {
    this.measured = await this.log.call("space");
    return this.measured;
  }

  get isDiskLow(): boolean {
    const { disk } = this.measured;
    return disk !== null && this.freeOf(disk) < this.neededOf(disk);
  }

  /** Bytes of the log's disk that are free, and that new episodes need. Null if the disk is unknown. */
  get diskRoom(): { freeBytes: number; neededBytes: number; totalBytes: number } | null {
    const { disk } = this.measured;
    if (disk === null) return null;
    return { freeBytes: this.freeOf(disk), neededBytes: this.neededOf(disk), totalBytes: disk.totalBytes };
  }

  /** Returns the error for a new episode of any owner, or null if new episodes have room. */
  get refusal(): GymError | null {
    const { disk, usedBytes } = this.measured;
    const { maxBytes } = this.limits;
    if (disk && this.isDiskLow) {
      const [free, needed] = [sizeText(this.freeOf(disk)), sizeText(this.neededOf(disk))];
      return GymError.ofState(
        "DISK_LOW",
        `The disk of the episode log has ${free} free, and new episodes need ${needed}.`,
      );
    }
    if (maxBytes === 0 || usedBytes < maxBytes) return null;
    const [used, most] = [sizeText(usedBytes), sizeText(maxBytes)];
    return GymError.ofState("LIMIT_LOG", `The episode log has ${used}, and its limit is ${most}.`);
  }

  /** Expects room for a new episode. @throws {GymError} DISK_LOW, LIMIT_LOG, LIMIT_TOKEN_LOG */
  check(owner: string): void {
    const { refusal } = this;
    if (refusal) throw refusal;
    const { bytes, maxBytes } = this.usageOf(owner);
    if (maxBytes === null || bytes < maxBytes) return;
    const [used, most] = [sizeText(bytes), sizeText(maxBytes)];
    throw GymError.ofState(
      "LIMIT_TOKEN_LOG",
      `The token's episodes have ${used} in the episode log, and the token's limit is ${most}.`,
    );
  }

  usageOf(owner: string): { bytes: number; maxBytes: number | null } {
    return { bytes: this.measured.usage.get(owner) ?? 0, maxBytes: this.limits.maxBytesOf(owner) };
  }

  /** Returns the bytes that are free after the write-ahead log is copied into the log's file. */
  private freeOf({ freeBytes }: DiskSpace): number {
    return Math.max(0, freeBytes - this.measured.pendingBytes);
  }

  private neededOf({ totalBytes }: DiskSpace): number {
    return this.limits.minFreeBytes ?? Math.min(defaultFreeBytes, totalBytes * defaultFreePart);
  }
}
