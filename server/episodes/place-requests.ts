import type { SandboxKind } from "../hosts/sandbox-kinds.js";

/** Milliseconds in which an instance that was parked frees its place. */
const freeingMs = 2_000;

/** Frees the places of episodes without a client for openings that wait for a sandbox. */
export class PlaceRequests {
  /** Times at which places were freed a short while ago, by host and kind. */
  private readonly freedMs = new Map<string, number[]>();

  /** @param yieldOne frees one place that a host can use, and returns whether there was one */
  constructor(private readonly yieldOne: (host: string, kind: SandboxKind) => boolean) {}

  /**
   * Called again and again while openings wait, and with 0 when none waits any more.
   *
   * @param host host of the openings
   * @param kind kind of sandbox that they wait for
   * @param waiting number of openings that wait
   */
  onWaiting(host: string, kind: SandboxKind, waiting: number): void {
    const key = JSON.stringify([host, kind]);
    if (waiting === 0) return void this.freedMs.delete(key);
    const now = performance.now();
    const freed = (this.freedMs.get(key) ?? []).filter((ms) => now - ms < freeingMs);
    while (freed.length < waiting && this.yieldOne(host, kind)) freed.push(now);
    this.freedMs.set(key, freed);
  }
}
