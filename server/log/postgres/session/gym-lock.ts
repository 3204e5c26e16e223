/**
 * The lock that keeps a second gym from using the log. A gym that is alone holds the lock exclusively, and the gyms of
 * a fleet share it. The lock belongs to a connection, so the database releases it when the gym's process ends. The lock
 * only reports mistakes of an operator: the fence protects the log.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { usualTimes } from "../../../config/times.js";
import { ConnectionLost, Session, type SessionOptions, StatementRefused } from "./session.js";

/** Key of the lock. */
export const gymLock = "x'50414c45'::int, 1";

/** Milliseconds between attempts to take the lock. */
const pauseMs = 100;

/** Milliseconds without a reply after which `expectKept` counts the connection as broken: the copy may keep the server busy. */
const silentMs = 60_000;

export class GymLock {
  /** Settles when the check of the lock is done, or null if no check is running. */
  private looking: Promise<unknown> | null = null;
  private failure: Error | null = null;

  private constructor(private readonly session: Session) {}

  /**
   * @param giveUpMs see `lockMs` of `FleetTimes`
   * @throws {StatementRefused} another gym has the lock
   */
  static take(url: string, mode: "alone" | "shared", giveUpMs: number): Promise<GymLock> {
    return GymLock.takeWith(url, { prepare: (client) => takeLock(client, mode) }, giveUpMs);
  }

  /**
   * Takes the lock for a program that cannot continue after a loss of the lock. A lost lock is not taken again: see
   * `expectKept`.
   *
   * @throws {StatementRefused} another gym has the lock
   */
  static async takeOnce(url: string): Promise<GymLock> {
    let isTaken = false;
    let reason = "";
    const prepare = async (client: pg.Client) => {
      if (isTaken) throw new StatementRefused(reason);
      client.once("error", ({ message }) => (reason = message));
      await takeLock(client, "alone");
    };
    const lock = await GymLock.takeWith(url, { prepare, silentMs }, usualTimes.fleet.lockMs);
    isTaken = true;
    return lock;
  }

  private static async takeWith(url: string, options: SessionOptions, giveUpMs: number): Promise<GymLock> {
    const session = new Session(url, options);
    const givenUpAt = performance.now() + giveUpMs;
    for (;;) {
      try {
        await session.run({ text: "SELECT 1" });
        return new GymLock(session);
      } catch (error) {
        if (performance.now() < givenUpAt && !isFinal(error)) await sleep(pauseMs);
        else {
          await session.close();
          throw error;
        }
      }
    }
  }

  /**
   * Takes the lock again if its connection broke. Returns false if another connection holds the lock: a connection of
   * another gym, or an older one of this gym whose end the server has not noticed.
   *
   * @throws {LogLost} the server has another database
   */
  async isHeld(): Promise<boolean> {
    try {
      await this.session.run({ text: "SELECT 1" });
    } catch (error) {
      if (error instanceof StatementRefused) return false;
      if (!(error instanceof ConnectionLost)) throw error;
    }
    return true;
  }

  /**
   * Takes the lock again if its connection broke, without waiting for it. @throws {LogLost} as `isHeld`, one call later
   */
  keep(): void {
    if (this.failure) throw this.failure;
    this.looking ??= this.isHeld()
      .catch((error: Error) => {
        this.failure = error;
      })
      .finally(() => {
        this.looking = null;
      });
  }

  /** @throws {Error} the connection of a lock from `takeOnce` has ended, so a gym may have started since */
  async expectKept(): Promise<void> {
    try {
      await this.session.run({ text: "SELECT 1" });
    } catch (error) {
      const { message } = error as Error;
      throw new Error(
        "expected to keep the lock against gyms on the database during the copy, but its connection ended" +
          `${message && ` (${message})`}. A gym may have started since. Stop all gyms, and run the same command again`,
        { cause: error },
      );
    }
  }

  release(): Promise<void> {
    return this.session.close();
  }
}

async function takeLock(client: pg.Client, mode: "alone" | "shared"): Promise<void> {
  const suffix = mode === "shared" ? "_shared" : "";
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock${suffix}(${gymLock}) AS taken`);
  if (rows[0]?.taken) return;
  const [other, remedy] =
    mode === "shared"
      ? ["a gym without a fleet uses the database", "Stop that gym, or choose another database"]
      : ["another gym uses the database", "Stop that gym, choose another database, or let both be gyms of a fleet"];
  throw new StatementRefused(`${other}. ${remedy}`);
}

/** Returns whether the database was reached and refuses this user, password or database. */
function isFinal(error: unknown): boolean {
  return error instanceof StatementRefused && error.cause !== undefined;
}
