/** The episodes of a gym of a fleet. The gyms share them by shards, and the log tells which gym has a shard. */
import { elsewhere } from "../episodes/episode/refusals.js";
import type { SharedOwnership } from "../episodes/ownership/ownership.js";
import { GymError } from "../errors.js";
import type { Log } from "../log/log.js";
import type { FleetMember, FleetState } from "../log/records/protocol.js";
import { keysPerBlock, shardCount, shardOf } from "../log/records/shards.js";

/** Number of keys that are left when the next block of keys is taken. */
const fewKeys = 200;

/**
 * Milliseconds for which keys of a block are given. Lists show the episodes of a fleet in the order of their keys, so a gym
 * that opens few episodes must not go on giving keys that are lower than those of the others.
 */
const blockMs = 10_000;

/** Random keys that are tried. A gym with one shard of thousands finds one of its own among them. */
const mostTries = 20_000;

export class FleetOwnership implements SharedOwnership {
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
  /** Called with the gyms of the fleet that are live. */
  onMembers: (members: readonly FleetMember[]) => void = () => {};

  constructor(private readonly log: Log) {
    this.onFleet(this.fleet);
  }

  private get fleet(): FleetState {
    return this.log.fleet as FleetState;
  }

  /** Called when the fleet may have changed. */
  onFleet({ owners, incarnation, nodes, mapVersion }: FleetState): void {
    this.onMembers(nodes);
    if (mapVersion === this.mapVersion && mapVersion >= 0) return;
    this.mapVersion = mapVersion;
    for (const shard of this.leaving) if (owners[shard] !== incarnation) this.leaving.delete(shard);
    this.listOwn();
  }

  has(key: number): boolean {
    const { owners, incarnation } = this.fleet;
    const shard = shardOf(key);
    return owners[shard] === incarnation && !this.leaving.has(shard) && this.log.isMember;
  }

  /** The gyms of the fleet. */
  get members(): { self: FleetMember; others: readonly FleetMember[] } {
    const [self, ...others] = this.fleet.nodes as [FleetMember, ...FleetMember[]];
    return { self, others };
  }

  /** Returns the gym that has the episode: `here`, another gym, or null if no gym has it at the moment. */
  ownerOf(key: number): FleetMember | "here" | null {
    if (this.has(key)) return "here";
    const { owners, incarnation, nodes } = this.fleet;
    const owner = owners[shardOf(key)];
    if (owner === incarnation) return null;
    return nodes.find((node) => node.incarnation === owner) ?? null;
  }

  /** Returns a key of a shard of this gym, or else of another gym that does not give its shards away; null without any. */
  get anyKey(): number | null {
    if (this.own.length > 0) return this.nextOwn();
    const { nodes, owners } = this.fleet;
    const staying = new Set(nodes.filter(({ isDraining }) => !isDraining).map(({ incarnation }) => incarnation));
    const from = Math.floor(Math.random() * owners.length);
    const shards = [...owners.keys()].map((i) => (from + i) % owners.length);
    return shards.find((shard) => staying.has(owners[shard] as number)) ?? null;
  }

  check(key: number, id: string): void {
    if (!this.has(key)) throw elsewhere(id);
  }

  /** @throws {GymError} LOG_FAILED if this gym is about to end, because it can no longer write the log */
  expectLog(): void {
    this.log.check();
  }

  /** The gyms take keys in blocks, so a later key may be lower. */
  readonly lowestNewKey = undefined;

  async newKey(reserve: (key: number) => void, near?: number): Promise<number> {
    if (performance.now() - this.takenAtMs > blockMs) this.dropBlocks();
    while (this.blocks.length === 0) await this.takeBlock();
    const key = this.takeKey(near);
    reserve(key);
    return key;
  }

  /** The more of the shards are its own, the less of a key is known to those who know the gym's shards. */
  randomKey(random: () => number, near?: number): number {
    for (let i = 0; i < mostTries && near === undefined && this.own.length > 0; i++) {
      const key = random();
      if (this.has(key)) return key;
    }
    const place = near ?? this.anyKey;
    if (place === null) throw GymError.ofState("EPISODE_ELSEWHERE", "No gym of the fleet has a shard.");
    const key = random();
    return key - shardOf(key) + shardOf(place);
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

  async moveToGymWith(environment: string, key: number): Promise<boolean> {
    const { nodes, pins } = this.fleet;
    const able = nodes.find(({ facts, isDraining }) => !isDraining && facts?.environments.includes(environment));
    if (!able) return false;
    const isAsked = pins.get(shardOf(key)) === able.incarnation;
    if (!isAsked) await this.log.call("pinShard", shardOf(key), able.incarnation);
    return true;
  }

  private listOwn(): void {
    const { owners, incarnation } = this.fleet;
    this.own = owners.flatMap((owner, shard) => (owner === incarnation && !this.leaving.has(shard) ? [shard] : []));
  }

  private takeKey(near?: number): number {
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
