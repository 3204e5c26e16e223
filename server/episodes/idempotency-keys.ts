import { GymError, shown } from "../errors.js";
import type { Log } from "../log/log.js";
import type { EpisodeRow } from "../log/records/protocol.js";
import { type Client, Waiters } from "./episode/client.js";
import { callerGone } from "./episode/refusals.js";

interface RunningCreate<T> {
  digest: string;
  result: Promise<T>;
  clients: Waiters;
}

/**
 * Prevents a repeated create request from making a second episode. A repeated call with the same owner and key returns
 * the first call's result. This also holds while the first call is running, and after a restart.
 */
export class IdempotencyKeys<T> {
  private readonly running = new Map<string, RunningCreate<T>>();

  /**
   * @param returnMs time for which a create request goes on after its client has gone
   * @param recall returns the result of a create request that is in the log
   */
  constructor(
    private readonly log: Log,
    private readonly returnMs: number,
    private readonly recall: (row: EpisodeRow) => Promise<T>,
  ) {}

  /**
   * @param digest text that is equal for equal requests
   * @param create gets a signal that aborts when all clients have gone and none has repeated its request in time
   * @throws {GymError} IDEMPOTENCY_CONFLICT if the key was used with a different digest
   */
  once(
    owner: string,
    { key, digest, client }: { key: string; digest: string; client: Client },
    create: (gone: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const name = JSON.stringify([owner, key]);
    const twin = this.running.get(name);
    if (twin && twin.digest !== digest) return Promise.reject(conflict(key));
    const { result, clients } = twin ?? this.begin(name, owner, key, digest, create);
    clients.add(client, result);
    return result;
  }

  private begin(
    name: string,
    owner: string,
    key: string,
    digest: string,
    create: (gone: AbortSignal) => Promise<T>,
  ): RunningCreate<T> {
    const gone = new AbortController();
    const forget = () => {
      if (this.running.get(name) === begun) this.running.delete(name);
    };
    const clients = new Waiters(this.returnMs, () => {
      // A client that comes back from now on begins anew.
      forget();
      gone.abort(callerGone());
    });
    const result = this.recallOrCreate(owner, key, digest, () => create(gone.signal)).finally(forget);
    const begun = { digest, result, clients };
    this.running.set(name, begun);
    return begun;
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
