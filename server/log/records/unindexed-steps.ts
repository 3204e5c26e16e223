import { LogDamage } from "./damage.js";
import { placesPerPage } from "./step-page.js";

/** Places of consecutive steps of one episode, each as `page * placesPerPage + place`. */
export interface Extent {
  lastIndex: number;
  places: number[];
}

/**
 * Checks an extent that should continue the steps before an index, and returns it.
 *
 * @param next index of the first step that the extent should have @throws {LogDamage} it begins later
 */
export function following(episode: number, next: number, extent: Extent): Extent {
  if (extent.lastIndex + 1 - extent.places.length > next)
    throw new LogDamage(`Step ${next} of episode ${episode}`, "it is missing in the index of steps");
  return extent;
}

interface UnindexedExtent extends Extent {
  /** Bytes of the steps. */
  bytes: number;
}

/** Steps of a page. */
interface PageSteps {
  /** Episode key and index of each step, in alternation. */
  places: readonly number[];
  /** Bytes of each step. */
  bytes: readonly number[];
  /** Number of characters of the page. */
  characters: number;
}

/**
 * Index in memory of the newest steps, which are not yet in the index on disk. Additions since a checkpoint can be
 * reverted.
 */
export class UnindexedSteps {
  private readonly extents = new Map<number, UnindexedExtent>();
  private added: PageSteps[] = [];
  /** Number of characters of the pages with the steps. */
  characters = 0;
  count = 0;

  add(page: number, steps: PageSteps): void {
    const { places, bytes, characters } = steps;
    for (let i = 0; i < places.length; i += 2) {
      const [episode, lastIndex] = [places[i] as number, places[i + 1] as number];
      const place = page * placesPerPage + i / 2;
      const size = bytes[i / 2] ?? 0;
      const extent = this.extents.get(episode);
      if (extent) {
        extent.places.push(place);
        extent.lastIndex = lastIndex;
        extent.bytes += size;
      } else {
        this.extents.set(episode, { lastIndex, places: [place], bytes: size });
      }
    }
    this.count += places.length / 2;
    this.characters += characters;
    this.added.push(steps);
  }

  checkpoint(): void {
    this.added = [];
  }

  /** Removes all additions since the checkpoint. */
  revert(): void {
    for (const { places, bytes, characters } of this.added.reverse()) {
      for (let i = places.length - 2; i >= 0; i -= 2) this.removeLast(places[i] as number, bytes[i / 2] ?? 0);
      this.count -= places.length / 2;
      this.characters -= characters;
    }
    this.added = [];
  }

  of(episode: number): Extent | undefined {
    return this.extents.get(episode);
  }

  /** Returns the bytes of the steps of each episode, by key. */
  *bytes(): Iterable<readonly [number, number]> {
    for (const [episode, { bytes }] of this.extents) yield [episode, bytes];
  }

  byEpisode(): [number, UnindexedExtent][] {
    return [...this.extents].sort(([a], [b]) => a - b);
  }

  private removeLast(episode: number, bytes: number): void {
    const extent = this.extents.get(episode) as UnindexedExtent;
    extent.places.pop();
    extent.bytes -= bytes;
    extent.lastIndex -= 1;
    if (extent.places.length === 0) this.extents.delete(episode);
  }
}
