/** The part of this gym in its fleet: it describes itself to the other gyms, and gives shards to them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SharedParts, Sharing } from "../episodes/ownership/ownership.js";
import type { Log } from "../log/log.js";
import type { FleetState, GymFacts } from "../log/records/protocol.js";
import { FleetOwnership } from "./fleet-ownership.js";
import { ShardMoves } from "./shard-moves.js";

const pauseMs = 50;

export class FleetPart implements Sharing {
  readonly ownership: FleetOwnership;
  /** Operations that were forwarded to other gyms since the start. */
  forwarded = 0;
  /** Shards that were given to other gyms since the start. */
  movedShards = 0;
  private moves: ShardMoves | null = null;
  private facts: (() => Promise<GymFacts>) | null = null;
  private described = "";

  constructor(private readonly log: Log) {
    this.ownership = new FleetOwnership(log);
  }

  begin({ facts, ...parts }: SharedParts): void {
    const { log, ownership } = this;
    const onGiven = (shards: number) => {
      this.movedShards += shards;
    };
    this.facts = facts;
    this.moves = new ShardMoves({ log, ownership, onGiven, ...parts });
  }

  /** Called when the fleet may have changed, and after each renewal of this gym's membership. */
  onChange(state: FleetState): void {
    this.ownership.onFleet(state);
    this.moves?.onFleet();
    this.describe().catch(() => {});
  }

  async serve(): Promise<void> {
    await this.log.call("serveGym");
  }

  /**
   * Gives all shards to other gyms, before this gym ends. Resolves with true when it has none, and with false after
   * `giveUpMs`, or if there is no other gym that can take them.
   */
  async leave(giveUpMs: number): Promise<boolean> {
    const { log } = this;
    await Promise.race([log.call("drainGym"), sleep(giveUpMs)]);
    for (const givenUpAt = performance.now() + giveUpMs; performance.now() < givenUpAt; await sleep(pauseMs)) {
      const { owners, nodes, incarnation } = log.fleet as FleetState;
      if (!owners.includes(incarnation)) return true;
      const others = nodes.filter((node) => node.incarnation !== incarnation && !node.isDraining);
      if (others.length === 0 || !log.isMember) return false;
    }
    return false;
  }

  private async describe(): Promise<void> {
    const facts = await this.facts?.();
    if (!facts) return;
    const text = JSON.stringify(facts);
    if (text === this.described) return;
    await this.log.call("describeGym", facts);
    this.described = text;
  }
}
