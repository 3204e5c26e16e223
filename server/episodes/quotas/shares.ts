import { Places } from "./places.js";

/** Places that callers share by the rule of `Places`, with the number that each caller holds. */
export class Shares {
  private readonly places: Places;
  private readonly held = new Map<string, number>();

  constructor(readonly count: number) {
    this.places = new Places(count);
  }

  /** Number of places that all callers hold. */
  get taken(): number {
    return this.places.taken;
  }

  /** Returns the number of places that a caller holds. */
  of(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  /** Takes places for a caller. Returns false, and takes none, if they exceed the caller's share. */
  take(owner: string, wanted = 1): boolean {
    if (!this.places.hasRoom(this.of(owner), wanted)) return false;
    this.change(owner, wanted);
    return true;
  }

  give(owner: string, places = 1): void {
    this.change(owner, -places);
  }

  private change(owner: string, change: number): void {
    const held = this.of(owner) + change;
    this.places.taken += change;
    if (held > 0) this.held.set(owner, held);
    else this.held.delete(owner);
  }
}
