/** Ids of new sessions. In a fleet, the id of a session is also a key of one of the gym's own shards. */
import type { Gym } from "../episodes/gym.js";
import { GymError } from "../errors.js";
import { shardOf } from "../log/records/shards.js";
import { randomId } from "./session-ids.js";

/**
 * Whether ids count from 0, or are random and therefore cannot be guessed by other clients with the same token. In a fleet,
 * counted ids are keys that no other gym gives, and therefore have gaps.
 */
export type SessionIds = "counted" | "random";

/** Random ids that are tried. A gym with one shard of thousands finds one of its own among them. */
const mostTries = 20_000;

export class NewIds {
  private constructor(
    private readonly gym: Gym,
    private readonly namespace: string,
    private readonly ids: SessionIds,
    private nextId: number,
  ) {}

  static async start(gym: Gym, { namespace, ids }: { namespace: string; ids: SessionIds }): Promise<NewIds> {
    const nextId = ids === "counted" ? await gym.log.call("nextAlias", namespace) : 0;
    return new NewIds(gym, namespace, ids, nextId);
  }

  /**
   * @param near key of the shard that a random id gets. Default: any shard of this gym, or of another if it has none.
   * @throws {GymError} EPISODE_ELSEWHERE if this gym of a fleet has no shard for a counted id, LOG_FAILED
   */
  async next(near?: number): Promise<number> {
    const { log } = this.gym;
    if (this.ids === "counted") return log.fleet ? this.key() : this.nextId++;
    return log.fleet ? this.random(near) : randomId();
  }

  /** The more of the shards are its own, the less of an id is known to those who know the gym's shards. */
  private random(near?: number): number {
    const { ownership } = this.gym;
    for (let i = 0; i < mostTries && near === undefined && ownership.shards.length > 0; i++) {
      const id = randomId();
      if (ownership.has(id)) return id;
    }
    const key = near ?? ownership.anyKey;
    if (key === null) throw GymError.ofState("EPISODE_ELSEWHERE", "No gym of the fleet has a shard.");
    return sameShard(randomId(), key);
  }

  /** A gym that was alone before may have given the same id. */
  private async key(): Promise<number> {
    const { gym, namespace } = this;
    for (;;) {
      const key = await gym.ownership.newKey(() => {});
      if ((await gym.log.call("findAlias", namespace, key)) === null) return key;
    }
  }
}

/** Returns an id that is nearly `id`, in the shard of a key. */
function sameShard(id: number, key: number): number {
  return id - shardOf(id) + shardOf(key);
}
