/** Milliseconds in which an instance that was parked frees its place. */
const freeingMs = 2_000;

/** Frees the places of episodes without a client for openings that wait for a sandbox. */
export class PlaceRequests {
  /** Times at which places were freed a short while ago, by host. */
  private readonly freedMs = new Map<string, number[]>();

  /** @param yieldOne frees one place of a host, and returns whether there was one */
  constructor(private readonly yieldOne: (host: string) => boolean) {}

  /**
   * Called again and again while openings wait, and with 0 when none waits any more.
   *
   * @param host host of the openings, in which the sandboxes are
   * @param waiting number of openings that wait
   */
  onWaiting(host: string, waiting: number): void {
    if (waiting === 0) return void this.freedMs.delete(host);
    const now = performance.now();
    const freed = (this.freedMs.get(host) ?? []).filter((ms) => now - ms < freeingMs);
    while (freed.length < waiting && this.yieldOne(host)) freed.push(now);
    this.freedMs.set(host, freed);
  }
}
