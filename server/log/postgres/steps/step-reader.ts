/** Reads the steps of episodes, from the database's index and from the index in memory of the newest steps. */
import { checkedText, LogDamage, type StoredText } from "../../records/damage.js";
import { expectSoundRow, nameOfRow } from "../../records/row-sums.js";
import { type LoggedStep, placesPerPage, readStep, type SplitPage } from "../../records/step-page.js";
import { type Extent, following } from "../../records/unindexed-steps.js";
import type { Readers } from "../session/readers.js";
import { extentColumns, listOf } from "../session/sql.js";
import { pageOf } from "./extents.js";
import type { NewestSteps } from "./newest-steps.js";

/** Limit on the characters of the cached pages. */
const mostCachedCharacters = 2 ** 25;

/** Number of extents, and of pages, that are read at a time. */
const [extentsAtOnce, pagesAtOnce] = [16, 8];

/** See the same limit in `StepTable`. */
const pageCharactersPerCharacter = 2;

interface CachedPage extends SplitPage {
  characters: number;
}

export class StepReader {
  /** Pages that were read, from least to most recently used. */
  private readonly cache = new Map<number, CachedPage>();
  private cached = 0;

  /** @param newest index in memory */
  constructor(
    private readonly readers: Readers,
    private readonly newest: NewestSteps,
  ) {}

  /** See `StepTable.read`. */
  async read(
    episode: number,
    from: number,
    limit: number,
    maxCharacters = Number.POSITIVE_INFINITY,
  ): Promise<LoggedStep[]> {
    const steps: LoggedStep[] = [];
    let [characters, pageCharacters, last] = [0, 0, -1];
    for await (const places of this.chunks(episode, from, limit)) {
      const pages = await this.pagesOf(places);
      for (const place of places) {
        const page = pages.get(pageOf(place)) as CachedPage;
        if (last >= 0 && last !== pageOf(place)) pageCharacters += page.characters;
        last = pageOf(place);
        const step = readStep(page, place % placesPerPage, from + steps.length);
        characters += step.action.length + step.reply.length + step.answers.length;
        const isFull = characters > maxCharacters || pageCharacters > maxCharacters * pageCharactersPerCharacter;
        if (isFull && steps.length > 0) return steps;
        steps.push(step);
        if (steps.length >= limit) return steps;
      }
    }
    return steps;
  }

  /** Returns the index of the last step in memory, or null if all steps are in the database's index. */
  lastInMemory(episode: number): number | null {
    return this.newest.of(episode)?.lastIndex ?? null;
  }

  /** Returns the extents of the first `count` steps. @throws {Error} the episode has fewer steps */
  async firstExtents(episode: number, count: number): Promise<Extent[]> {
    const extents: Extent[] = [];
    let found = 0;
    for await (const { places } of this.extents(episode, 0)) {
      if (found === count) break;
      const first = places.slice(0, count - found);
      found += first.length;
      extents.push({ lastIndex: found - 1, places: first });
    }
    if (found < count) throw new Error(`expected at least ${count} steps in episode ${episode}, but received ${found}`);
    return extents;
  }

  /** Yields the places of up to `limit` steps, a few pages at a time. */
  private async *chunks(episode: number, from: number, limit: number): AsyncIterable<number[]> {
    let left = limit;
    for await (const { lastIndex, places } of this.extents(episode, from)) {
      const skipped = Math.max(0, from - (lastIndex + 1 - places.length));
      const wanted = places.slice(skipped, skipped + left);
      left -= wanted.length;
      for (let start = 0; start < wanted.length; ) {
        const end = endOfPages(wanted, start);
        yield wanted.slice(start, end);
        start = end;
      }
      if (left <= 0) return;
    }
  }

  /**
   * Yields the extents with the steps from an index on. The newest steps may be moved from memory to the database
   * meanwhile. So the generator first notes the steps in memory, and does not read these from the database.
   */
  private async *extents(episode: number, from: number): AsyncIterable<Extent> {
    const found = this.newest.of(episode);
    const newest = found && { lastIndex: found.lastIndex, places: [...found.places] };
    const inMemory = newest ? newest.lastIndex + 1 - newest.places.length : Number.POSITIVE_INFINITY;
    let next = from;
    while (next < inMemory) {
      const rows = await this.readers.run<{ lastIndex: number; places: string }>({
        name: "extents",
        text: `SELECT ${listOf(extentColumns)}, sum FROM palestra.extents
          WHERE episode = $1 AND "lastIndex" >= $2 ORDER BY "lastIndex" LIMIT ${extentsAtOnce}`,
        values: [episode, next],
      });
      for (const row of rows) {
        const { lastIndex, places } = row;
        expectSoundRow("extents", row, nameOfRow("extents", [episode, lastIndex]));
        if (lastIndex >= inMemory) break;
        yield following(episode, next, { lastIndex, places: JSON.parse(places) as number[] });
        next = lastIndex + 1;
      }
      if (rows.length < extentsAtOnce) break;
    }
    if (newest) yield following(episode, next, newest);
  }

  private async pagesOf(places: readonly number[]): Promise<Map<number, CachedPage>> {
    const pages = new Map<number, CachedPage>();
    const missing: number[] = [];
    for (const page of new Set(places.map(pageOf))) {
      const known = this.cache.get(page);
      if (known) pages.set(page, known);
      else missing.push(page);
    }
    if (missing.length > 0) {
      const rows = await this.readers.run<StoredText & { page: number; atMs: number | null }>({
        name: "pages",
        text: `SELECT page, lines AS text, sum, "atMs" FROM palestra.pages WHERE page = ANY($1::bigint[])`,
        values: [missing],
      });
      for (const { page, atMs, ...stored } of rows) {
        const text = checkedText(stored, `Page ${page}`);
        pages.set(page, { lines: text.split("\n"), atMs, characters: text.length });
      }
    }
    for (const page of missing) if (!pages.has(page)) throw new LogDamage(`Page ${page}`);
    for (const [number, page] of pages) this.remember(number, page);
    return pages;
  }

  private remember(number: number, page: CachedPage): void {
    if (this.cache.delete(number)) this.cached -= page.characters;
    this.cache.set(number, page);
    this.cached += page.characters;
    for (const [oldest, { characters }] of this.cache) {
      if (this.cached <= mostCachedCharacters) break;
      this.cache.delete(oldest);
      this.cached -= characters;
    }
  }
}

/** Returns the end of the places from `start` on that are on the same few pages. */
function endOfPages(places: readonly number[], start: number): number {
  const pages = new Set<number>();
  for (let i = start; i < places.length; i++) {
    pages.add(pageOf(places[i] as number));
    if (pages.size > pagesAtOnce) return i;
  }
  return places.length;
}
