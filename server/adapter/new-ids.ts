/** Ids of new sessions. Where gyms share sessions, the id of a session is also a key, by which its gym is found. */
import type { Gym } from "../episodes/gym.js";
import { randomId } from "./session-ids.js";

/**
 * Whether ids count from 0, or are random and therefore cannot be guessed by other clients with the same token. Where gyms
 * share sessions, counted ids are keys that no other gym gives, and therefore have gaps.
 */
export type SessionIds = "counted" | "random";

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
   * @param near see `SharedOwnership.randomKey`
   * @throws {GymError} EPISODE_ELSEWHERE if this gym can give no counted id, LOG_FAILED
   */
  async next(near?: number): Promise<number> {
    const { sharing } = this.gym;
    if (this.ids === "counted") return sharing ? this.key() : this.nextId++;
    return sharing ? sharing.ownership.randomKey(randomId, near) : randomId();
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
