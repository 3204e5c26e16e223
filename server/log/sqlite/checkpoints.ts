/** Decides when the pages of the write-ahead log are copied to the main file. */
import type Database from "better-sqlite3";
import { bytesOfFile, walOf } from "../records/disk.js";
import { HeldWals } from "./held-wals.js";

/**
 * Number of 4 KiB pages in the write-ahead log before a checkpoint. With a high number, stalls on slow disks are fewer
 * but longer.
 */
const checkpointPages = 8_000;
const pageBytes = 4_096;

/** Size of the write-ahead log's file in bytes after it starts over: usually, and during a backup. */
const [keptBytes, keptHeldBytes] = [checkpointPages * pageBytes, 2 ** 23];

/** Bytes of the write-ahead log above which it is copied and starts over during a backup. Steps wait for both. */
const heldWalBytes = 1.5 * keptHeldBytes;

/** Bytes of write-ahead logs above which a backup no longer holds the checkpoints. */
const mostHeldBytes = 2 ** 31;

export class Checkpoints {
  private held = false;
  /** Copies of the write-ahead log for a backup. */
  private readonly heldWals: HeldWals;

  /** Turns on the checkpoints of commits. */
  constructor(
    private readonly database: Database.Database,
    private readonly path: string,
  ) {
    this.heldWals = new HeldWals(path);
    this.heldWals.removeLeft();
    this.set(false);
  }

  /** Whether a backup holds the checkpoints. */
  get isHeld(): boolean {
    return this.held;
  }

  /**
   * Turns off the checkpoints of commits for a backup, or turns them on again. Call it regularly: during a backup, it
   * copies a large write-ahead log, and checkpoints it. Only this copy delays arriving steps.
   */
  hold(isHeld: boolean): void {
    this.turn(isHeld && this.heldWals.bytes < mostHeldBytes);
    if (!isHeld) this.heldWals.removeOne();
    if (!this.held || bytesOfFile(walOf(this.path)) < heldWalBytes) return;
    if (this.heldWals.keep()) this.database.pragma("wal_checkpoint(PASSIVE)");
    // The backup fails or starts over, and the steps use the space on the disk.
    else this.turn(false);
  }

  /** Removes the copies that a backup has not used. The backup starts over with the closed log. */
  close(): void {
    while (this.heldWals.bytes > 0) this.heldWals.removeOne();
  }

  private turn(isHeld: boolean): void {
    if (isHeld !== this.held) this.set(isHeld);
  }

  private set(isHeld: boolean): void {
    this.held = isHeld;
    this.database.pragma(`wal_autocheckpoint = ${isHeld ? 0 : checkpointPages}`);
    this.database.pragma(`journal_size_limit = ${isHeld ? keptHeldBytes : keptBytes}`);
  }
}
