import { placesPerPage } from "./step-page.js";

/** Where consecutive steps of one episode are: `page * placesPerPage + place` of each. */
export interface Extent {
  lastIndex: number;
  places: number[];
}

/** The newest steps, which no index on disk has yet. What was added since a checkpoint can be taken back. */
export class UnindexedSteps {
  private readonly extents = new Map<number, Extent>();
  private added: { places: readonly number[]; characters: number }[] = [];
  /** Of the pages that hold the steps. */
  characters = 0;
  count = 0;

  /** @param places episode and index of each step of the page, in turn */
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

  /** Takes back what was added since the checkpoint. */
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
