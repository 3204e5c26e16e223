/**
 * The episodes that this gym may play. A gym that is alone has all of them. In a fleet, the gyms share the episodes by
 * shards, and the log tells which gym has a shard.
 */
import { GymError } from "../../errors.js";
import type { Log } from "../../log/log.js";
import type { FleetMember, FleetState } from "../../log/records/protocol.js";
import { keysPerBlock, shardCount, shardOf } from "../../log/records/shards.js";
import { elsewhere } from "../episode/refusals.js";

/** Number of keys that are left when the next block of keys is taken. */
const fewKeys = 200;

/**
 * Milliseconds for which keys of a block are given. Lists show the episodes of a fleet in the order of their keys, so a gym
 * that opens few episodes must not go on giving keys that are lower than those of the others.
 */
const blockMs = 10_000;

export class Ownership {
  /** Shards that this gym has, and does not give away. */
  private own: number[] = [];
  /** Shards that this gym gives away. It opens no episode of theirs any more. */
  private readonly leaving = new Set<number>();
  private mapVersion = -1;
  private nextShard = 0;
  /** First multiples of `shardCount` of the blocks of keys, and the number of keys of the first block that were used. */
  private readonly blocks: number[] = [];
  private takenAtMs = 0;
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
  onFleet({ owners, incarnation, nodes, mapVersion }: FleetState): void {
    this.onMembers(nodes);
    if (mapVersion === this.mapVersion && mapVersion >= 0) return;
    this.mapVersion = mapVersion;
    for (const shard of this.leaving) if (owners[shard] !== incarnation) this.leaving.delete(shard);
    this.listOwn();
  }

  /** Whether this gym may play the episode with a key. */
  has(key: number): boolean {
    const { fleet } = this.log;
    if (!fleet) return true;
    const shard = shardOf(key);
    return fleet.owners[shard] === fleet.incarnation && !this.leaving.has(shard) && this.log.isMember;
  }

  /** The gyms of the fleet. Throws for a gym that is alone. */
  get members(): { self: FleetMember; others: readonly FleetMember[] } {
    const [self, ...others] = (this.log.fleet as FleetState).nodes as [FleetMember, ...FleetMember[]];
    return { self, others };
  }

  /** Returns the gym that has the episode: `here`, another gym, or null if no gym has it at the moment. */
  ownerOf(key: number): FleetMember | "here" | null {
    if (this.has(key)) return "here";
    const { fleet } = this.log;
    const owner = fleet?.owners[shardOf(key)];
    if (owner === fleet?.incarnation) return null;
    return fleet?.nodes.find(({ incarnation }) => incarnation === owner) ?? null;
  }

  /** Returns a key of a shard of this gym, or else of another gym that does not give its shards away; null without any. */
  get anyKey(): number | null {
    if (this.own.length > 0) return this.nextOwn();
    const { nodes, owners } = this.log.fleet as FleetState;
    const staying = new Set(nodes.filter(({ isDraining }) => !isDraining).map(({ incarnation }) => incarnation));
    const from = Math.floor(Math.random() * owners.length);
    const shards = [...owners.keys()].map((i) => (from + i) % owners.length);
    return shards.find((shard) => staying.has(owners[shard] as number)) ?? null;
  }

  /** @throws {GymError} EPISODE_ELSEWHERE if another gym has the episode, or may have it */
  check(key: number, id: string): void {
    if (!this.has(key)) throw elsewhere(id);
  }

  /** @throws {GymError} LOG_FAILED if this gym is about to end, because it can no longer write the log */
  expectLog(): void {
    this.log.check();
  }

  /** At a gym that is alone, keys of episodes that are created from now on are this one or higher. */
  get lowestNewKey(): number {
    return this.keyAlone;
  }

  /**
   * Returns the key of a new episode.
   *
   * @param reserve called with the key before this gym can begin to give the key's shard away
   * @param near key whose shard the new key gets, if this gym has that shard
   * @throws {GymError} EPISODE_ELSEWHERE if this gym has no shard, LOG_FAILED
   */
  async newKey(reserve: (key: number) => void, near?: number): Promise<number> {
    if (this.log.fleet) {
      if (performance.now() - this.takenAtMs > blockMs) this.dropBlocks();
      while (this.blocks.length === 0) await this.takeBlock();
    }
    const key = this.log.fleet ? this.keyInFleet(near) : this.keyAlone++;
    reserve(key);
    return key;
  }

  /** Shards that this gym has and does not give away. */
  get shards(): readonly number[] {
    return this.own;
  }

  /** Begins to give shards away: from now on, this gym opens no episode of theirs. */
  beginLeaving(shards: Iterable<number>): void {
    for (const shard of shards) this.leaving.add(shard);
    this.listOwn();
  }

  /** Keeps shards that were not given away. */
  keep(shards: Iterable<number>): void {
    for (const shard of shards) this.leaving.delete(shard);
    this.listOwn();
  }

  /** Asks the fleet once to move an episode to a gym that has its environment. Returns whether there is one. */
  async moveToGymWith(environment: string, key: number): Promise<boolean> {
    const able = this.log.fleet?.nodes.find(
      ({ facts, isDraining }) => !isDraining && facts?.environments.includes(environment),
    );
    if (!able) return false;
    const isAsked = this.log.fleet?.pins.get(shardOf(key)) === able.incarnation;
    if (!isAsked) await this.log.call("pinShard", shardOf(key), able.incarnation);
    return true;
  }

  private listOwn(): void {
    const { owners, incarnation } = this.log.fleet as FleetState;
    this.own = owners.flatMap((owner, shard) => (owner === incarnation && !this.leaving.has(shard) ? [shard] : []));
  }

  private keyInFleet(near?: number): number {
    if (this.own.length === 0) throw GymError.ofState("EPISODE_ELSEWHERE", "This gym of the fleet has no shards.");
    const shard = near !== undefined && this.has(near) ? shardOf(near) : this.nextOwn();
    const key = ((this.blocks[0] as number) + this.used) * shardCount + shard;
    this.used += 1;
    if (this.used === keysPerBlock) {
      this.blocks.shift();
      this.used = 0;
    }
    if (this.blocks.length < 2 && keysPerBlock - this.used < fewKeys) this.takeBlock().catch(() => {});
    return key;
  }

  private dropBlocks(): void {
    this.blocks.length = 0;
    this.used = 0;
  }

  private nextOwn(): number {
    this.nextShard = (this.nextShard + 1) % this.own.length;
    return this.own[this.nextShard] as number;
  }

  private takeBlock(): Promise<void> {
    this.taking ??= this.log
      .call("takeKeys")
      .then((block) => {
        this.blocks.push(block);
        this.takenAtMs = performance.now();
      })
      .finally(() => (this.taking = null));
    return this.taking;
  }
}
