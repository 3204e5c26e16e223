import type { FleetTimes } from "../config/times.js";
import type { GymError } from "../errors.js";
import type { OthersUse, PublishedUse } from "../log/records/protocol.js";
import type { EpisodeTable } from "./episode/episode-table.js";
import type { GymObserver, UsageStore } from "./gym-options.js";
import type { Accounts } from "./quotas/accounts.js";
import type { Retention } from "./retention/retention.js";
import type { Storage } from "./retention/storage.js";

const expiryIntervalMs = 3_600_000;

/** Interval in milliseconds of the measurements of the log and its disk. */
const measureIntervalMs = 1_000;

/** Interval in milliseconds at which changed limits are read. */
const refreshMs = 1_000;

/** Interval in milliseconds at which the counts of steps are stored. A crash loses the steps counted since then. */
const saveUsageMs = 5_000;

export interface UpkeepParts {
  table: EpisodeTable;
  storage: Storage;
  retention: Retention;
  accounts: Accounts;
  usage: UsageStore | undefined;
  /** Publishes what this gym counts, for a log in a database. */
  shareUse: ((own: PublishedUse) => Promise<OthersUse[] | null>) | undefined;
  /** Interval in milliseconds at which lapsed leases are looked for. */
  sweepMs: number;
  times: Pick<FleetTimes, "shareUseMs">;
  observer: Pick<GymObserver, "onRoom" | "onLogFailure" | "onUseUnshared">;
}

/** Regular work of a gym: it frees lapsed leases, makes room in the log, reads changed limits and stores counted steps. */
export class Upkeep {
  private readonly timers: NodeJS.Timeout[];
  private measuring = false;
  private sharing: Promise<void> | null = null;
  /** Error of the last attempt to share the use of tokens, or null if it succeeded. */
  private unshared: string | null = null;
  private stopped = false;
  /** Error for new episodes, or null if they have room. */
  private refusing: GymError | null = null;
  /** Error of the log's writes, or null if they succeed. */
  private failure: string | null = null;

  constructor(private readonly parts: UpkeepParts) {
    const { table, retention, accounts, sweepMs, times } = parts;
    this.timers = [
      setInterval(() => table.sweep(), sweepMs),
      setInterval(() => void this.measure(), measureIntervalMs),
      setInterval(() => void retention.removeExpired(), expiryIntervalMs),
      setInterval(() => accounts.refresh(), refreshMs),
      setInterval(() => void this.saveUsage(), saveUsageMs),
      setInterval(() => !this.sharing && void this.shareUse(), times.shareUseMs),
    ];
    for (const timer of this.timers) timer.unref();
    this.tell();
    void retention.removeExpired();
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    this.parts.retention.stop();
  }

  async saveUsage(): Promise<void> {
    await this.parts.usage?.write(this.parts.accounts.usage);
  }

  /** Tells the other gyms of the database what this gym counts, and learns what they count. */
  async shareUse(): Promise<void> {
    const { shareUse, accounts } = this.parts;
    if (!shareUse) return;
    while (this.sharing) await this.sharing;
    this.sharing = shareUse(accounts.published(this.stopped))
      .then(
        (others) => {
          if (others) accounts.learn(others);
          this.tellUnshared(null);
        },
        // The gym goes on with what it knows. The next interval tries again.
        (error: Error) => this.tellUnshared(error.message),
      )
      .finally(() => (this.sharing = null));
    await this.sharing;
  }

  private tellUnshared(cause: string | null): void {
    if (!this.stopped && (cause === null) !== (this.unshared === null)) this.parts.observer.onUseUnshared(cause);
    this.unshared = cause;
  }

  /** Measures the log and its disk, and makes room if there is little. */
  private async measure(): Promise<void> {
    if (this.measuring || this.stopped) return;
    this.measuring = true;
    try {
      await this.parts.storage.measure();
    } catch {
      // Every caller of a step receives the error of a failing log. The next interval measures again.
    } finally {
      this.measuring = false;
    }
    this.tell();
    void this.parts.retention.makeRoom();
  }

  /** Tells the observer when the gym begins or ends to refuse new episodes, and when writes begin or end to fail. */
  private tell(): void {
    const { storage, observer } = this.parts;
    const { refusal } = storage;
    if (refusal?.code !== this.refusing?.code) observer.onRoom(refusal);
    this.refusing = refusal;
    const { failure } = storage.space;
    if ((failure === null) !== (this.failure === null)) observer.onLogFailure(failure);
    this.failure = failure;
  }
}
