/**
 * Index in memory of the newest steps of this gym. A part of the index is sealed while it is moved to the database, so
 * that later steps need not wait.
 */
import { type Extent, UnindexedSteps } from "../../records/unindexed-steps.js";
import { addPage } from "./extents.js";
import type { NumberedPage } from "./turns.js";

export class NewestSteps {
  /** Oldest part, which is being moved to the database, or null. */
  private sealed: { steps: UnindexedSteps; lastPage: number } | null = null;
  private open = new UnindexedSteps();
  private lastPage = 0;

  /** Returns the bytes of the page. */
  add({ page, ...steps }: NumberedPage): number {
    this.lastPage = page;
    return addPage(this.open, page, steps);
  }

  /** Steps that are not sealed, and characters of their pages. */
  get unsealed(): { count: number; characters: number } {
    return this.open;
  }

  /** Returns the sealed part. Seals all steps if no part is sealed. Returns null if there are none. */
  seal(): { steps: UnindexedSteps; lastPage: number } | null {
    if (this.sealed === null && this.open.count > 0) {
      this.sealed = { steps: this.open, lastPage: this.lastPage };
      this.open = new UnindexedSteps();
    }
    return this.sealed;
  }

  /** Forgets the sealed part, since it is in the database. */
  forgetSealed(): void {
    this.sealed = null;
  }

  of(episode: number): Extent | undefined {
    const [older, newer] = [this.sealed?.steps.of(episode), this.open.of(episode)];
    if (!older || !newer) return older ?? newer;
    return { lastIndex: newer.lastIndex, places: [...older.places, ...newer.places] };
  }

  /** Yields the bytes of the steps of each episode, by key. An episode may have two entries. */
  *bytes(): Iterable<readonly [number, number]> {
    if (this.sealed) yield* this.sealed.steps.bytes();
    yield* this.open.bytes();
  }
}
