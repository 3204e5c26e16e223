import { GymError, shown } from "../errors.js";
import type { Log } from "../log/log.js";
import type { EpisodeRow } from "../log/protocol.js";

interface RunningCreate<T> {
  digest: string;
  result: Promise<T>;
}

/**
 * Prevents a repeated create request from making a second episode. A repeated call with the same owner and key returns
 * the first call's result. This also holds while the first call is running, and after a restart.
 */
export class IdempotencyKeys<T> {
  private readonly running = new Map<string, RunningCreate<T>>();

  /** @param recall returns the result of a create request that is in the log */
  constructor(
    private readonly log: Log,
    private readonly recall: (row: EpisodeRow) => Promise<T>,
  ) {}

  /**
   * @param digest text that is equal for equal requests
   * @throws {GymError} IDEMPOTENCY_CONFLICT if the key was used with a different digest
   */
  once(owner: string, key: string, digest: string, create: () => Promise<T>): Promise<T> {
    const name = JSON.stringify([owner, key]);
    const twin = this.running.get(name);
    if (twin) return twin.digest === digest ? twin.result : Promise.reject(conflict(key));
    const result = this.recallOrCreate(owner, key, digest, create).finally(() => this.running.delete(name));
    this.running.set(name, { digest, result });
    return result;
  }

  private async recallOrCreate(owner: string, key: string, digest: string, create: () => Promise<T>): Promise<T> {
    const before = await this.recallLogged(owner, key, digest);
    if (before !== null) return before;
    try {
      return await create();
    } catch (error) {
      // Another gym of the fleet may have created the episode meanwhile.
      const meanwhile = await this.recallLogged(owner, key, digest);
      if (meanwhile !== null) return meanwhile;
      throw error;
    }
  }

  private async recallLogged(owner: string, key: string, digest: string): Promise<T | null> {
    const row = await this.log.call("findByIdempotencyKey", owner, key);
    if (!row) return null;
    if (row.requestDigest !== digest) throw conflict(key);
    return this.recall(row);
  }
}

function conflict(key: string): GymError {
  return GymError.ofState("IDEMPOTENCY_CONFLICT", `The key ${shown(key)} was first used for another request.`);
}
