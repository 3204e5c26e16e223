/** The part of this gym in its fleet: it describes itself to the other gyms, and gives shards to them. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Registry, versionedId } from "../../../envs/registry.js";
import type { Log } from "../../log/log.js";
import type { FleetState, GymFacts } from "../../log/records/protocol.js";
import { version } from "../../version.js";
import type { Availability } from "../episode/availability.js";
import type { Ownership } from "./ownership.js";
import type { ShardMoves } from "./shard-moves.js";

interface FleetPartOptions {
  log: Log;
  ownership: Ownership;
  moves: ShardMoves;
  registry: Registry;
  availability: Availability;
  /** Returns the facts that change from second to second. */
  load(): Pick<GymFacts, "episodes" | "stepsPerSecond" | "freeSandboxes">;
}

const pauseMs = 50;

export class FleetPart {
  private described = "";

  constructor(private readonly options: FleetPartOptions) {}

  /** Called when the fleet may have changed, and after each renewal of this gym's membership. */
  onFleet(state: FleetState): void {
    const { ownership, moves } = this.options;
    ownership.onFleet(state);
    moves.onFleet();
    this.describe().catch(() => {});
  }

  async facts(): Promise<GymFacts> {
    const { registry, availability, load } = this.options;
    const specs = registry.all();
    const states = await Promise.all(specs.map((spec) => availability.of(spec)));
    const usable = specs.filter((_, i) => states[i]?.every(({ available }) => available));
    return { version, environments: usable.map(versionedId), ...load() };
  }

  /** Tells the fleet that this gym serves requests, so that it gets its part of the shards. */
  async serve(): Promise<void> {
    if (this.options.log.fleet) await this.options.log.call("serveGym");
  }

  /**
   * Gives all shards to other gyms, before this gym ends. Resolves with true when it has none, and with false after
   * `giveUpMs`, or if there is no other gym that can take them.
   */
  async leave(giveUpMs: number): Promise<boolean> {
    const { log } = this.options;
    if (!log.fleet) return true;
    await Promise.race([log.call("drainGym"), sleep(giveUpMs)]);
    for (const givenUpAt = performance.now() + giveUpMs; performance.now() < givenUpAt; await sleep(pauseMs)) {
      if (!log.fleet.owners.includes(log.fleet.incarnation)) return true;
      const others = log.fleet.nodes.filter((node) => node.incarnation !== log.fleet?.incarnation && !node.isDraining);
      if (others.length === 0 || !log.isMember) return false;
    }
    return false;
  }

  private async describe(): Promise<void> {
    const facts = await this.facts();
    const text = JSON.stringify(facts);
    if (text === this.described) return;
    await this.options.log.call("describeGym", facts);
    this.described = text;
  }
}
