/**
 * A gym of a fleet. The gyms share the episodes by shards. Each gym renews its row in `nodes`, and looks for dead gyms:
 * a gym without its lock, since its connection has ended, or a silent gym, such as a stopped or disconnected process.
 * The gym that finds a dead one ends it, and the others claim its shards.
 *
 * Clocks decide only when a gym is suspected. A gym that was fenced by mistake can write nothing more, so no step is
 * lost or written twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { FleetTimes } from "../../../config/times.js";
import { LogLost } from "../../records/damage.js";
import type { FleetState, GymFacts, ShardMove } from "../../records/protocol.js";
import type { GymLock } from "../session/gym-lock.js";
import { Session, StatementRefused } from "../session/session.js";
import { FailureDetector, lockClass } from "./failure-detector.js";
import {
  claimStatement,
  FleetMap,
  fleetChannel,
  giveStatement,
  type HeartbeatMember,
  keysAfterAll,
  pinStatement,
  tellingFleet,
} from "./fleet-map.js";
import { fence, fenceAlone, settleEnded } from "./incarnation.js";
import type { Membership } from "./membership.js";

/** Milliseconds between attempts to read the map. */
const retryMs = 500;

/** Milliseconds for which an ending gym waits for the database. */
const leavingMs = 2_000;

const fenced = "another gym of the fleet has fenced this gym";

export interface FleetNodeOptions {
  url: string;
  /** URL under which the other gyms reach this gym. */
  address: string;
  times: FleetTimes;
  isStarting?: boolean;
}

export class FleetNode implements Membership {
  private state: FleetState;
  private readonly session: Session;
  private readonly failures: FailureDetector;
  /** Monotonic time since which this gym has each of its shards. */
  private readonly heldSince = new Map<number, number>();
  private readonly map: FleetMap;
  private facts: GymFacts | null = null;
  private readonly joinedAt = performance.now();
  /** Number of the newest change of the map in the database. */
  private newestChange = -1;
  /** Monotonic time until which the map is read repeatedly, since a change of it may not be committed yet. */
  private unsettledUntil = Number.POSITIVE_INFINITY;
  onNews = () => {};
  onTrouble: (message: string) => void = () => {};

  private constructor(
    private readonly lock: GymLock,
    private readonly options: FleetNodeOptions,
    readonly incarnation: number,
  ) {
    this.state = { incarnation, secret: "", nodes: [], mapVersion: 0, owners: [], pins: new Map() };
    this.session = new Session(options.url, {
      silentMs: options.times.answerMs,
      connectMs: options.times.connectMs,
      prepare: async (client) => {
        client.on("notification", () => {
          this.expectChange();
          this.onNews();
        });
        await client.query(`SELECT pg_advisory_lock(${lockClass}, ${incarnation})`);
        await client.query(`LISTEN ${fleetChannel}`);
        this.expectChange();
      },
    });
    this.failures = new FailureDetector({
      url: options.url,
      own: incarnation,
      times: options.times,
      onTrouble: (message) => this.onTrouble(message),
    });
    this.map = new FleetMap(this.session);
  }

  static async join(lock: GymLock, session: Session, options: FleetNodeOptions): Promise<FleetNode> {
    await fenceAlone(session);
    // A later look reports why steps cannot be indexed.
    await settleEnded(session, { onTrouble: () => {} });
    const [drawn] = await session.runUntilAnswered<{ incarnation: number }>({
      text: "SELECT nextval(pg_get_serial_sequence('palestra.fences', 'incarnation')) AS incarnation",
    });
    const { incarnation } = drawn as { incarnation: number };
    const node = new FleetNode(lock, options, incarnation);
    await node.appear();
    await node.renew();
    return node;
  }

  get fleet(): FleetState {
    return this.state;
  }

  async renew(): Promise<boolean> {
    this.lock.keep();
    try {
      await this.heartbeat();
      await this.session.run(claimStatement(this.incarnation));
      this.failures.look(await this.readState());
      this.tellTwin();
      return true;
    } catch (error) {
      // Without the database the gym can write nothing, and the other gyms decide whether to fence it.
      if (error instanceof LogLost) throw error;
      this.failures.forget();
      if (error instanceof StatementRefused) this.onTrouble(`the membership cannot be renewed: ${error.message}`);
      return false;
    }
  }

  async give(moves: readonly ShardMove[]): Promise<void> {
    try {
      await this.session.runUntilAnswered(giveStatement(this.incarnation, moves));
    } catch (error) {
      // An attempt before the refused one may have taken effect, and then the shards belong to other gyms.
      await this.readMapAgain();
      throw error;
    }
    const given = new Map(moves.map(({ shard, to }) => [shard, to]));
    const owners = this.state.owners.map((owner, shard) =>
      owner === this.incarnation ? (given.get(shard) ?? owner) : owner,
    );
    this.state = { ...this.state, owners, mapVersion: this.state.mapVersion + 1 };
  }

  private async readMapAgain(): Promise<void> {
    for (;;) {
      try {
        return this.learn(await this.map.read());
      } catch (error) {
        if (error instanceof LogLost) throw error;
        // Without the map, this gym must not continue with the shards.
        await sleep(retryMs);
      }
    }
  }

  held(): ReadonlyMap<number, number> {
    const now = performance.now();
    return new Map([...this.heldSince].map(([shard, since]) => [shard, now - since]));
  }

  describe(facts: GymFacts): void {
    this.facts = facts;
  }

  serve(): Promise<void> {
    return this.change("starts = false");
  }

  drain(): Promise<void> {
    return this.change("drains = true");
  }

  private async change(setting: string): Promise<void> {
    await this.session.runUntilAnswered({
      text: `WITH changed AS (UPDATE palestra.nodes SET ${setting} WHERE incarnation = $1 RETURNING 1)
        ${tellingFleet("changed")}`,
      values: [this.incarnation],
    });
  }

  async pin(shard: number, to: number): Promise<void> {
    await this.session.runUntilAnswered(pinStatement([shard], to));
  }

  /** Ends the membership. If the gym has no shards, the others need not take over anything. */
  async leave(): Promise<void> {
    try {
      await fence(this.session, this.incarnation, performance.now() + leavingMs);
      await settleEnded(this.session, { givenUpAt: performance.now() + leavingMs });
    } catch {
      // The other gyms detect the end of this gym.
    }
    await Promise.all([this.session.close(), this.failures.close(), this.lock.release()]);
  }

  /** Makes the gym visible to the others. Before that, the connection takes the incarnation's lock. */
  private async appear(): Promise<void> {
    await this.session.runUntilAnswered({
      text: `WITH fence AS (
          INSERT INTO palestra.fences (incarnation) OVERRIDING SYSTEM VALUE VALUES ($1) ON CONFLICT DO NOTHING
        ) INSERT INTO palestra.nodes (incarnation, address, starts) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      values: [this.incarnation, this.options.address, this.options.isStarting ?? false],
    });
    await this.session.runUntilAnswered(keysAfterAll);
  }

  private async heartbeat(): Promise<void> {
    const [own] = await this.session.run<{ live: boolean }>({
      text: `WITH heartbeat AS (
          UPDATE palestra.nodes SET "beatAt" = clock_timestamp(), facts = $2::jsonb WHERE incarnation = $1
        ) SELECT live FROM palestra.fences WHERE incarnation = $1`,
      values: [this.incarnation, this.facts && JSON.stringify(this.facts)],
    });
    if (!own?.live) throw new LogLost(fenced);
  }

  /**
   * Reports another gym at the address of this gym. It cannot be an earlier incarnation of this gym, whose heartbeats
   * have ended.
   */
  private tellTwin(): void {
    const { address, times } = this.options;
    if (performance.now() - this.joinedAt < times.silentMs) return;
    const twin = this.state.nodes.find((node) => {
      return node.incarnation !== this.incarnation && node.address === address && node.ageMs < times.lateMs;
    });
    if (twin)
      this.onTrouble(`another gym has the address ${address}, too. Correct the setting fleet.address of one of them`);
  }

  private expectChange(): void {
    this.unsettledUntil = performance.now() + this.options.times.settlingMs;
  }

  /**
   * Reads the gyms, and the map if it may have changed. A change gets its number before its commit, so the number does
   * not prove that the map contains the change. The notification does, since it is sent after the commit.
   */
  private async readState(): Promise<HeartbeatMember[]> {
    const members = await this.map.readMembers();
    const isOwn = (member: HeartbeatMember) => member.incarnation === this.incarnation;
    const own = members.find(isOwn);
    if (!own) throw new LogLost(fenced);
    const nodes = [own, ...members.filter((member) => !isOwn(member))];
    const newest = await this.map.version();
    if (newest !== this.newestChange) this.expectChange();
    this.newestChange = newest;
    if (performance.now() < this.unsettledUntil) this.learn(await this.map.read());
    const secret = this.state.secret || (await this.map.secret());
    this.state = { ...this.state, secret, nodes };
    return members;
  }

  private learn({ owners, pins }: Pick<FleetState, "owners" | "pins">): void {
    const { state } = this;
    const isSame =
      owners.every((owner, shard) => owner === state.owners[shard]) &&
      pins.size === state.pins.size &&
      [...pins].every(([shard, to]) => state.pins.get(shard) === to);
    if (isSame) return;
    this.state = { ...state, owners, pins, mapVersion: state.mapVersion + 1 };
    for (const [shard, owner] of owners.entries()) {
      if (owner !== this.incarnation) this.heldSince.delete(shard);
      else if (!this.heldSince.has(shard)) this.heldSince.set(shard, performance.now());
    }
  }
}
