/**
 * Detects gyms of a fleet that may be dead. The silence of a gym is the smaller of two measurements: by the clock of
 * the database, and by the monotonic clock of this gym, which counts only while this gym reaches the database. So after
 * an outage of the database, or a jump of its clock, each gym has the full time to renew its membership.
 */
import { type FleetTimes, usualTimes } from "../../../config/times.js";

interface Heartbeat {
  incarnation: number;
  /** Time of the newest heartbeat in microseconds, from the database's clock. */
  heartbeatAt: number;
  /** Milliseconds since the newest heartbeat, from the database's clock. */
  ageMs: number;
}

export class Suspicion {
  /** The newest heartbeat of each gym, and the monotonic time at which it was seen first. */
  private readonly seen = new Map<number, { heartbeatAt: number; sinceMs: number }>();
  private lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Milliseconds for which each gym has been silent at the last look, by incarnation. */
  silences: ReadonlyMap<number, number> = new Map();

  constructor(private readonly times: FleetTimes = usualTimes.fleet) {}

  /** Forgets the heartbeats, since the database could not be reached. */
  forget(): void {
    this.seen.clear();
    this.silences = new Map();
  }

  /** Returns the new `silences`. It must be called with each renewal. */
  look(heartbeats: readonly Heartbeat[], nowMs = performance.now()): ReadonlyMap<number, number> {
    if (nowMs - this.lookedAtMs > this.times.interruptedMs) this.forget();
    this.lookedAtMs = nowMs;
    const live = new Set(heartbeats.map(({ incarnation }) => incarnation));
    for (const incarnation of this.seen.keys()) if (!live.has(incarnation)) this.seen.delete(incarnation);
    this.silences = new Map(heartbeats.map((heartbeat) => [heartbeat.incarnation, this.silenceOf(heartbeat, nowMs)]));
    return this.silences;
  }

  private silenceOf({ incarnation, heartbeatAt, ageMs }: Heartbeat, nowMs: number): number {
    const known = this.seen.get(incarnation);
    // This gym looks once per interval, so the heartbeat may have come up to one interval before the look.
    if (known?.heartbeatAt === heartbeatAt) return Math.min(ageMs, nowMs - known.sinceMs + this.times.renewalMs);
    this.seen.set(incarnation, { heartbeatAt, sinceMs: nowMs });
    return 0;
  }
}
