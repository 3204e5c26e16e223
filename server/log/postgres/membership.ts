/** The part of one gym in the log: its incarnation, and in a fleet its shards. */
import type { FleetState, GymFacts, ShardMove } from "../protocol.js";
import type { GymLock } from "./gym-lock.js";
import { beginAlone } from "./incarnation.js";
import type { Session } from "./session.js";

export interface Membership {
  readonly incarnation: number;
  /**
   * Renews the membership. Called every second. Resolves with false if the database cannot be reached. @throws {LogLost} the gym is fenced, or another gym has its lock
   */
  renew(): Promise<boolean>;
  /** State of the fleet, or null for a gym that is alone. */
  readonly fleet: FleetState | null;
  /** Gives shards to other gyms. Their steps must be in `extents`. */
  give(moves: readonly ShardMove[]): Promise<void>;
  /** Describes this gym to the others. */
  describe(facts: GymFacts): void;
  /** Tells the others that this gym serves requests. */
  serve(): Promise<void>;
  /** Tells the others that this gym gives its shards away. */
  drain(): Promise<void>;
  pin(shard: number, to: number): Promise<void>;
  /** Called when another gym has changed the fleet. */
  onNews: () => void;
  leave(): Promise<void>;
}

/** A gym that uses the database alone. */
export class Alone implements Membership {
  readonly fleet = null;
  onNews = () => {};

  private constructor(
    private readonly lock: GymLock,
    readonly incarnation: number,
  ) {}

  /** @throws {StatementRefused} another gym uses the database */
  static async begin(lock: GymLock, session: Session): Promise<Alone> {
    return new Alone(lock, await beginAlone(session));
  }

  async renew(): Promise<boolean> {
    await this.lock.check();
    return true;
  }

  give(): Promise<void> {
    throw expectedFleet();
  }

  describe(): void {
    throw expectedFleet();
  }

  serve(): Promise<void> {
    throw expectedFleet();
  }

  drain(): Promise<void> {
    throw expectedFleet();
  }

  pin(): Promise<void> {
    throw expectedFleet();
  }

  leave(): Promise<void> {
    return this.lock.release();
  }
}

function expectedFleet(): Error {
  return new Error("expected a gym of a fleet, but received a gym that is alone");
}
