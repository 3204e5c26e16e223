/** The membership of a gym: its incarnation, and in a fleet its shards. */
import { LogLost } from "../../records/damage.js";
import type { FleetState, GymFacts, ShardMove } from "../../records/protocol.js";
import type { GymLock } from "../session/gym-lock.js";
import { ConnectionLost, type Session } from "../session/session.js";
import { beginAlone } from "./incarnation.js";

export interface Membership {
  readonly incarnation: number;
  /**
   * Renews the membership. Called every second. Resolves with false if the database cannot be reached or refuses to.
   *
   * @throws {LogLost} the gym is fenced
   */
  renew(): Promise<boolean>;
  /** State of the fleet, or null for a gym that is alone. */
  readonly fleet: FleetState | null;
  /** Returns the milliseconds for which this gym has had each of its shards, or null for a gym that is alone. */
  held(): ReadonlyMap<number, number> | null;
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
  /** Called with the description of a problem of the fleet, every second while the problem lasts. */
  onTrouble: (message: string) => void;
  leave(): Promise<void>;
}

/** A gym that uses the database alone. */
export class Alone implements Membership {
  readonly fleet = null;
  onNews = () => {};
  onTrouble = () => {};

  private constructor(
    private readonly lock: GymLock,
    private readonly session: Session,
    readonly incarnation: number,
  ) {}

  /** @throws {StatementRefused} another gym uses the database */
  static async begin(lock: GymLock, session: Session): Promise<Alone> {
    return new Alone(lock, session, await beginAlone(session));
  }

  async renew(): Promise<boolean> {
    return (await this.lock.isHeld()) || this.isLive();
  }

  /** Only the fence shows whether another gym holds the lock, or an older connection of this gym. */
  private async isLive(): Promise<boolean> {
    try {
      const [own] = await this.session.run<{ live: boolean }>({
        text: "SELECT live FROM palestra.fences WHERE incarnation = $1",
        values: [this.incarnation],
      });
      if (!own?.live) throw new LogLost("another gym uses the database");
      return true;
    } catch (error) {
      if (error instanceof ConnectionLost) return false;
      throw error;
    }
  }

  held(): null {
    return null;
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
