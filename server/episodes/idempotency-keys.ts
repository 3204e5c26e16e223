import { GymError, shown } from "../errors.js";
import type { Log } from "../log/log.js";
import type { EpisodeRow } from "../log/protocol.js";

interface Underway<T> {
  digest: string;
  result: Promise<T>;
}

/**
 * Creates that must not happen twice: the same owner's same key gives what it gave before, whether the first call is
 * still under way, long done, or was made before a restart.
 */
export class IdempotencyKeys<T> {
  private readonly underway = new Map<string, Underway<T>>();

  /** @param recall the result of a create that the log knows */
  constructor(
    private readonly log: Log,
    private readonly recall: (row: EpisodeRow) => Promise<T>,
  ) {}

  /**
   * @param digest what is asked for, in one canonical text
   * @throws {GymError} IDEMPOTENCY_CONFLICT where the key stands for another digest
   */
  once(owner: string, key: string, digest: string, create: () => Promise<T>): Promise<T> {
    const name = JSON.stringify([owner, key]);
    const twin = this.underway.get(name);
    if (twin) return twin.digest === digest ? twin.result : Promise.reject(conflict(key));
    const result = this.recallOrCreate(owner, key, digest, create).finally(() => this.underway.delete(name));
    this.underway.set(name, { digest, result });
    return result;
  }

  private async recallOrCreate(owner: string, key: string, digest: string, create: () => Promise<T>): Promise<T> {
    const row = await this.log.call("findByIdempotencyKey", owner, key);
    if (!row) return create();
    if (row.requestDigest !== digest) throw conflict(key);
    return this.recall(row);
  }
}

function conflict(key: string): GymError {
  return new GymError("IDEMPOTENCY_CONFLICT", `the request first made with the key ${shown(key)}`, "another request");
}
