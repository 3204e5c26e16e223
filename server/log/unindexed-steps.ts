import { placesPerPage } from "./step-page.js";

/** Places of consecutive steps of one episode, each as `page * placesPerPage + place`. */
export interface Extent {
  lastIndex: number;
  places: number[];
}

/**
 * Index in memory of the newest steps, which are not yet in the index on disk. Additions since a checkpoint can be
 * reverted.
 */
export class UnindexedSteps {
  private readonly extents = new Map<number, Extent>();
  private added: { places: readonly number[]; characters: number }[] = [];
  /** Number of characters of the pages with the steps. */
  characters = 0;
  count = 0;

  /** @param places episode key and index of each step of the page, in alternation */
  add(page: number, places: readonly number[], characters: number): void {
    for (let i = 0; i < places.length; i += 2) {
      const [episode, lastIndex] = [places[i] as number, places[i + 1] as number];
      const place = page * placesPerPage + i / 2;
      const extent = this.extents.get(episode);
      if (extent) {
        extent.places.push(place);
        extent.lastIndex = lastIndex;
      } else {
        this.extents.set(episode, { lastIndex, places: [place] });
      }
    }
    this.count += places.length / 2;
    this.characters += characters;
    this.added.push({ places, characters });
  }

  checkpoint(): void {
    this.added = [];
  }

  /** Removes all additions since the checkpoint. */
  revert(): void {
    for (const { places, characters } of this.added.reverse()) {
      for (let i = places.length - 2; i >= 0; i -= 2) this.removeLast(places[i] as number);
      this.count -= places.length / 2;
      this.characters -= characters;
    }
    this.added = [];
  }

  of(episode: number): Extent | undefined {
    return this.extents.get(episode);
  }

  byEpisode(): [number, Extent][] {
    return [...this.extents].sort(([a], [b]) => a - b);
  }

  private removeLast(episode: number): void {
    const extent = this.extents.get(episode) as Extent;
    extent.places.pop();
    extent.lastIndex -= 1;
    if (extent.places.length === 0) this.extents.delete(episode);
  }
}
