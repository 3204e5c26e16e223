/** The part of one gym in the log: its incarnation, and in a fleet its shards. */
import type { FleetState } from "../protocol.js";
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
  give(shards: readonly number[]): Promise<void>;
  /** @param isOrderly whether the gym's shards are given to other gyms at once */
  leave(): Promise<void>;
}

/** A gym that uses the database alone. */
export class Alone implements Membership {
  readonly fleet = null;

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
    throw new Error("expected a gym of a fleet, but received a gym that is alone");
  }

  leave(): Promise<void> {
    return this.lock.release();
  }
}
