/**
 * The episodes that this gym may play. A gym that is alone has all of them. In a fleet, the gyms share the episodes by
 * shards, and the log tells which gym has a shard.
 */
import { GymError } from "../errors.js";
import type { Log } from "../log/log.js";
import type { FleetMember, FleetState } from "../log/protocol.js";
import { keysPerBlock, shardCount, shardOf } from "../log/shards.js";

/** Number of keys that are left when the next block of keys is taken. */
const fewKeys = 200;

export class Ownership {
  /** Shards that this gym has, and does not give away. */
  private own: number[] = [];
  /** Shards that this gym gives away. It opens no episode of theirs any more. */
  private readonly leaving = new Set<number>();
  private nextShard = 0;
  /** First multiples of `shardCount` of the blocks of keys, and the number of keys of the first block that were used. */
  private readonly blocks: number[] = [];
  private used = 0;
  private taking: Promise<void> | null = null;
  private keyAlone: number;
  /** Called with the gyms of the fleet that are live. */
  onMembers: (members: readonly FleetMember[]) => void = () => {};

  /** @param nextKey next free key of a gym that is alone */
  constructor(
    private readonly log: Log,
    nextKey: number,
  ) {
    this.keyAlone = nextKey;
    if (log.fleet) this.onFleet(log.fleet);
  }

  /** Called when the fleet may have changed. */
  onFleet({ owners, incarnation, nodes }: FleetState): void {
    this.onMembers(nodes);
    for (const shard of this.leaving) if (owners[shard] !== incarnation) this.leaving.delete(shard);
    this.own = owners.flatMap((owner, shard) => (owner === incarnation && !this.leaving.has(shard) ? [shard] : []));
  }

  /** Whether this gym may play the episode with a key. */
  has(key: number): boolean {
    const { fleet } = this.log;
    if (!fleet) return true;
    const shard = shardOf(key);
    return fleet.owners[shard] === fleet.incarnation && !this.leaving.has(shard) && this.log.isMember;
  }

  /** Returns the gym that has the episode: `here`, another gym, or null if no gym has it at the moment. */
  ownerOf(key: number): FleetMember | "here" | null {
    if (this.has(key)) return "here";
    const { fleet } = this.log;
    const owner = fleet?.owners[shardOf(key)];
    if (owner === fleet?.incarnation) return null;
    return fleet?.nodes.find(({ incarnation }) => incarnation === owner) ?? null;
  }

  /** @throws {GymError} EPISODE_ELSEWHERE if another gym has the episode, or may have it */
  check(key: number, id: string): void {
    if (!this.has(key)) throw elsewhere(id);
  }

  /** Keys of episodes that are created from now on are this one or higher. */
  get lowestNewKey(): number {
    return this.log.fleet ? (this.blocks[0] ?? Number.MAX_SAFE_INTEGER / shardCount) * shardCount : this.keyAlone;
  }

  /** Returns the key of a new episode. @throws {GymError} EPISODE_ELSEWHERE if this gym has no shard yet, LOG_FAILED */
  async newKey(): Promise<number> {
    if (!this.log.fleet) return this.keyAlone++;
    if (this.own.length === 0) throw GymError.ofState("EPISODE_ELSEWHERE", "This gym of the fleet has no shards yet.");
    while (this.blocks.length === 0) await this.takeBlock();
    const key = ((this.blocks[0] as number) + this.used) * shardCount + this.takeShard();
    this.used += 1;
    if (this.used === keysPerBlock) {
      this.blocks.shift();
      this.used = 0;
    }
    if (this.blocks.length < 2 && keysPerBlock - this.used < fewKeys) this.takeBlock().catch(() => {});
    return key;
  }

  /**
   * Gives away the shards that the fleet wants this gym to give.
   *
   * @param isInUse whether an episode of a shard is in memory, is being loaded or is being created
   */
  async giveSurplus(isInUse: (shards: ReadonlySet<number>) => ReadonlySet<number>): Promise<void> {
    const surplus = (this.log.fleet?.surplus ?? []).filter((shard) => !this.leaving.has(shard));
    if (surplus.length === 0) return;
    // From here on, no episode of these shards is opened.
    for (const shard of surplus) this.leaving.add(shard);
    const inUse = isInUse(new Set(surplus));
    for (const shard of inUse) this.leaving.delete(shard);
    if (this.log.fleet) this.onFleet(this.log.fleet);
    const given = surplus.filter((shard) => !inUse.has(shard));
    if (given.length === 0) return;
    try {
      await this.log.call("giveShards", given);
    } catch (error) {
      for (const shard of given) this.leaving.delete(shard);
      throw error;
    }
  }

  private takeShard(): number {
    this.nextShard = (this.nextShard + 1) % this.own.length;
    return this.own[this.nextShard] as number;
  }

  private takeBlock(): Promise<void> {
    this.taking ??= this.log
      .call("takeKeys")
      .then((block) => void this.blocks.push(block))
      .finally(() => (this.taking = null));
    return this.taking;
  }
}

export function elsewhere(id: string): GymError {
  return GymError.ofState("EPISODE_ELSEWHERE", `Another gym of the fleet has the episode ${id}.`, { episodeId: id });
}
