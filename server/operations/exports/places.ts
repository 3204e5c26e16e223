import { GymError } from "../../errors.js";

/** Exports that are being sent. Their number is limited, since each of them holds a part of its file in memory. */
export class ExportPlaces {
  private readonly byOwner = new Map<string, number>();
  private total = 0;

  constructor(private readonly most: { readonly perOwner: number; readonly inAll: number }) {}

  /** Takes a place, and returns a function that gives it back. @throws {GymError} LIMIT_EXPORTS */
  take(owner: string): () => void {
    const own = this.byOwner.get(owner) ?? 0;
    const { perOwner, inAll } = this.most;
    if (own >= perOwner)
      throw new GymError("LIMIT_EXPORTS", `at most ${perOwner} exports of a caller at a time`, `${own + 1}`);
    if (this.total >= inAll)
      throw new GymError("LIMIT_EXPORTS", `at most ${inAll} exports at a time`, `${this.total + 1}`);
    this.count(owner, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.count(owner, -1);
      isTaken = false;
    };
  }

  private count(owner: string, change: 1 | -1): void {
    this.total += change;
    const own = (this.byOwner.get(owner) ?? 0) + change;
    if (own > 0) this.byOwner.set(owner, own);
    else this.byOwner.delete(owner);
  }
}
