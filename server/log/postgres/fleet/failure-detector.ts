/**
 * Ends the dead gyms of a fleet: fences them, indexes their newest steps and frees their shards. This work has its own
 * connection, since it may have to wait, and a gym that does not renew its row meanwhile would look silent.
 */
import type { FleetTimes } from "../../../config/times.js";
import { Session } from "../session/session.js";
import type { HeartbeatMember } from "./fleet-map.js";
import { fence, settleEnded } from "./incarnation.js";
import { Suspicion } from "./suspicion.js";

/** Class of the advisory locks of incarnations. A gym holds its own lock as long as its connection lasts. */
export const lockClass = "x'50414c46'::int";

interface FailureDetectorOptions {
  url: string;
  /** Incarnation of this gym. */
  own: number;
  times: FleetTimes;
  onTrouble(message: string): void;
}

export class FailureDetector {
  private readonly session: Session;
  private readonly suspicion: Suspicion;
  /** Settles when the running check has ended the dead gyms, or null if no check is running. */
  private ending: Promise<void> | null = null;

  constructor(private readonly options: FailureDetectorOptions) {
    this.session = new Session(options.url);
    this.suspicion = new Suspicion(options.times);
  }

  /** Looks for dead gyms and begins to end them, unless an earlier check is still running. */
  look(members: readonly HeartbeatMember[]): void {
    this.suspicion.look(members);
    this.ending ??= this.end()
      // The database cannot be reached, or refuses a statement. The next renewal reports this and tries again.
      .catch(() => {})
      .finally(() => {
        this.ending = null;
      });
  }

  /** Trusts all gyms again, since the database could not be reached. */
  forget(): void {
    this.suspicion.forget();
  }

  close(): Promise<void> {
    return this.session.close();
  }

  private async end(): Promise<void> {
    const { lateMs, silentMs, fencingMs } = this.options.times;
    for (const incarnation of this.suspicion.silences.keys()) {
      // The fence of one gym may take long, and the next gym may have renewed its membership meanwhile.
      const silence = () => this.suspicion.silences.get(incarnation) ?? 0;
      if (incarnation === this.options.own || silence() <= lateMs) continue;
      const isGone = silence() > silentMs || (await this.isDisconnected(incarnation));
      // A long transaction of this gym must not delay the fence of the other gyms.
      if (isGone) await fence(this.session, incarnation, performance.now() + fencingMs).catch(() => {});
    }
    const onTrouble = ({ message }: Error) =>
      this.options.onTrouble(`the newest steps of a gym that has ended cannot be indexed: ${message}`);
    await settleEnded(this.session, { onTrouble });
  }

  private async isDisconnected(incarnation: number): Promise<boolean> {
    const [tried] = await this.session.run<{ taken: boolean }>({
      text: `SELECT pg_try_advisory_lock(${lockClass}, $1::int) AND pg_advisory_unlock(${lockClass}, $1::int) AS taken`,
      values: [incarnation],
    });
    return tried?.taken ?? false;
  }
}
