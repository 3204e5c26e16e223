/**
 * SQLite tables of the steps of all episodes: pages in the order in which they were written, and an index of the pages.
 *
 * The steps of a thousand episodes arrive interleaved. With an ordinary index by episode, every commit would therefore
 * change a database page for each episode. Instead, the newest steps are indexed in memory, and moved to the index on
 * disk in groups of thousands. An extent lists the places of some consecutive steps of one episode. After a crash, the
 * next start indexes the steps that are missing in the index on disk.
 *
 * A fork has its own extents, which refer to its parent's first steps. Each step is stored once, and kept as long as an
 * extent refers to it. The bytes of an extent are those of its own steps and of its list of places.
 */
import type Database from "better-sqlite3";
import { checkedText, checksum, LogDamage, type StoredText } from "../records/damage.js";
import { expectSoundRow, nameOfRow } from "../records/row-sums.js";
import {
  bytesOfSteps,
  type LoggedStep,
  placesPerPage,
  readPlaces,
  readStep,
  type StepPage,
} from "../records/step-page.js";
import { type Extent, following, UnindexedSteps } from "../records/unindexed-steps.js";
import type { BytesByOwner, Usage } from "../records/usage.js";
import { PageCache, type StoredPage } from "./page-cache.js";
import { type PageRange, UnneededPages } from "./unneeded-pages.js";

export const stepTableSchema = `
  CREATE TABLE pages (page INTEGER PRIMARY KEY, lines TEXT NOT NULL, sum INTEGER, atMs INTEGER);
  CREATE TABLE extents (
    episode INTEGER NOT NULL, lastIndex INTEGER NOT NULL, firstPage INTEGER NOT NULL, places TEXT NOT NULL,
    lastPage INTEGER NOT NULL, bytes INTEGER NOT NULL, sum INTEGER,
    PRIMARY KEY (episode, lastIndex)
  ) WITHOUT ROWID;
  CREATE INDEX extents_by_page ON extents (firstPage, lastPage);
  CREATE TABLE indexed (upTo INTEGER NOT NULL, sum INTEGER);
  INSERT INTO indexed VALUES (0, rowSum(0));
`;

/**
 * Limits on the number of steps that are indexed only in memory, and on the characters of their pages. After a restart,
 * these pages are read again.
 */
const mostUnindexed = 65_536;
const mostUnindexedCharacters = 2 ** 26;

/**
 * Number of page characters that a read may load for each character of steps. Steps in distant places need many pages.
 */
const pageCharactersPerCharacter = 2;

export class StepTable {
  private readonly insertPage: Database.Statement;
  private readonly insertExtent: Database.Statement;
  private readonly selectExtent: Database.Statement;
  private readonly selectLastIndex: Database.Statement;
  private readonly pages: PageCache;
  private readonly unneeded: UnneededPages;
  private nextPage = 1;
  /** Bytes of all pages that were added since the start. */
  private written = 0;
  private unindexed = new UnindexedSteps();
  /** Time of the transaction in milliseconds since the Unix epoch. All of its steps get this time. */
  private atMs = 0;
  /** State when the transaction began. */
  private before = { nextPage: 1, written: 0, unindexed: this.unindexed };

  constructor(
    private readonly database: Database.Database,
    private readonly usage: Usage,
  ) {
    this.insertPage = database.prepare(`INSERT INTO pages VALUES (?, ?, ?, ?)`);
    this.insertExtent = database.prepare(
      `INSERT INTO extents VALUES (@episode, @lastIndex, @firstPage, @places, @lastPage, @bytes,
         rowSum(@episode, @lastIndex, @firstPage, @lastPage, @places, @bytes))`,
    );
    this.selectExtent = database.prepare(
      `SELECT * FROM extents WHERE episode = ? AND lastIndex >= ? ORDER BY lastIndex LIMIT 1`,
    );
    this.selectLastIndex = database.prepare(`SELECT max(lastIndex) FROM extents WHERE episode = ?`).pluck();
    const selectPage = database.prepare(`SELECT lines AS text, sum, atMs FROM pages WHERE page = ?`);
    this.pages = new PageCache((page) => {
      const stored = selectPage.get(page) as (StoredPage & StoredText) | undefined;
      return { text: checkedPage(page, stored), atMs: stored?.atMs ?? null };
    });
    this.unneeded = new UnneededPages(database);
    this.recover();
  }

  get writtenBytes(): number {
    return this.written;
  }

  /** @throws {Error} if there are too many steps: the rest would get the places of the next page */
  append({ places, lines }: StepPage): void {
    if (places.length > 2 * placesPerPage)
      throw new Error(`expected at most ${placesPerPage} steps in a page, but received ${places.length / 2}`);
    // A report without steps, such as that of a reset, needs no page.
    if (places.length === 0) return;
    const page = this.nextPage++;
    this.insertPage.run(page, lines, checksum(lines), this.atMs);
    this.written += this.addUnindexed(page, places, lines);
    const { count, characters } = this.unindexed;
    if (count >= mostUnindexed || characters >= mostUnindexedCharacters) this.index();
  }

  /**
   * Returns up to `limit` steps. Fewer steps are returned if they exceed `maxCharacters`, but at least one step.
   *
   * @param maxCharacters limit on the characters of actions, replies and answers together. All pages that are read,
   *   except the first, may together have twice as many characters.
   */
  read(episode: number, from: number, limit: number, maxCharacters = Number.POSITIVE_INFINITY): LoggedStep[] {
    const steps: LoggedStep[] = [];
    let [characters, pageCharacters] = [0, 0];
    let page = null;
    for (const place of this.places(episode, from)) {
      if (steps.length >= limit) break;
      const holder = this.pages.pageOf(place);
      if (page && holder !== page) pageCharacters += holder.characters;
      page = holder;
      const step = readStep(page, place % placesPerPage, from + steps.length);
      characters += step.action.length + step.reply.length + step.answers.length;
      const full = characters > maxCharacters || pageCharacters > maxCharacters * pageCharactersPerCharacter;
      if (full && steps.length > 0) break;
      steps.push(step);
    }
    return steps;
  }

  last(episode: number): LoggedStep | null {
    const lastIndex = this.unindexed.of(episode)?.lastIndex ?? (this.selectLastIndex.get(episode) as number | null);
    return lastIndex === null ? null : (this.read(episode, lastIndex, 1)[0] ?? null);
  }

  /**
   * Adds the first `count` steps of the episode `from` to the episode `to`, without copying them. @throws {Error} if
   * `from` has fewer steps
   */
  share(from: number, count: number, to: number): void {
    let [shared, bytes] = [0, 0];
    for (const { places } of this.extents(from, 0)) {
      if (shared === count) break;
      const first = places.slice(0, count - shared);
      shared += first.length;
      bytes += this.addExtent(to, { lastIndex: shared - 1, places: first }, 0);
    }
    if (shared < count) throw new Error(`expected at least ${count} steps in episode ${from}, but received ${shared}`);
    this.usage.addSteps([[to, bytes]]);
  }

  /**
   * Removes the steps of episodes whose rows still exist, and the pages that no other episode needs. An episode needs all
   * pages from its first to its last step of a group.
   */
  delete(episodes: readonly number[]): void {
    this.index();
    const select = this.database.prepare(`SELECT firstPage, lastPage, bytes FROM extents WHERE episode = ?`);
    const remove = this.database.prepare(`DELETE FROM extents WHERE episode = ?`);
    const removed: PageRange[] = [];
    for (const episode of episodes) {
      const extents = select.all(episode) as (PageRange & { bytes: number })[];
      removed.push(...extents);
      this.usage.addSteps([[episode, -extents.reduce((sum, { bytes }) => sum + bytes, 0)]]);
      remove.run(episode);
    }
    this.unneeded.delete(removed);
    // Logs of earlier versions also have pages outside the range of every extent.
    this.database
      .prepare(`DELETE FROM pages WHERE page < (SELECT coalesce(min(firstPage), @next) FROM extents)`)
      .run({ next: this.nextPage });
  }

  /** Returns the bytes that the episodes of each owner take. */
  readUsage(): BytesByOwner {
    return this.usage.read(this.unindexed.bytes());
  }

  /** Called when a transaction begins. @param atMs time of the transaction's steps */
  begin(atMs: number): void {
    this.atMs = atMs;
    this.unindexed.checkpoint();
    this.before = { nextPage: this.nextPage, written: this.written, unindexed: this.unindexed };
  }

  /** Restores the state in memory after a transaction was rolled back. */
  rollback(): void {
    this.nextPage = this.before.nextPage;
    this.written = this.before.written;
    this.unindexed = this.before.unindexed;
    this.unindexed.revert();
    this.pages.clear();
    this.usage.rollback();
    this.unneeded.rollback();
  }

  /** Indexes the pages that are not in the index on disk. */
  private recover(): void {
    const upTo = this.database.prepare(`SELECT upTo FROM indexed`).pluck().get() as number;
    this.nextPage = upTo + 1;
    const pages = this.database
      .prepare(`SELECT page, lines AS text, sum FROM pages WHERE page > ? ORDER BY page`)
      .iterate(upTo);
    for (const { page, ...stored } of pages as Iterable<StoredText & { page: number }>) {
      const lines = checkedPage(page, stored);
      this.addUnindexed(page, readPlaces(lines), lines);
      this.nextPage = page + 1;
    }
  }

  private *places(episode: number, from: number): Iterable<number> {
    for (const { lastIndex, places } of this.extents(episode, from)) {
      const firstIndex = lastIndex + 1 - places.length;
      for (let i = Math.max(0, from - firstIndex); i < places.length; i++) yield places[i] as number;
    }
  }

  private *extents(episode: number, from: number): Iterable<Extent> {
    let next = from;
    for (;;) {
      const indexed = this.selectExtent.get(episode, next) as { lastIndex: number; places: string } | undefined;
      if (!indexed) break;
      const { lastIndex, places } = indexed;
      expectSoundRow("extents", indexed, nameOfRow("extents", [episode, lastIndex]));
      yield following(episode, next, { lastIndex, places: JSON.parse(places) as number[] });
      next = lastIndex + 1;
    }
    const newest = this.unindexed.of(episode);
    if (newest) yield following(episode, next, newest);
  }

  /** Returns the bytes of the page. */
  private addUnindexed(page: number, places: readonly number[], lines: string): number {
    const bytes = bytesOfSteps(lines);
    this.unindexed.add(page, { places, bytes, characters: lines.length });
    return bytes.reduce((sum, size) => sum + size, 0);
  }

  /** Moves the index of the newest steps from memory to the disk. */
  index(): void {
    const sizes = this.unindexed
      .byEpisode()
      .map(([episode, extent]) => [episode, this.addExtent(episode, extent, extent.bytes)] as const);
    this.usage.addSteps(sizes);
    this.database.prepare(`UPDATE indexed SET upTo = @upTo, sum = rowSum(@upTo)`).run({ upTo: this.nextPage - 1 });
    this.unindexed = new UnindexedSteps();
  }

  /** Returns the bytes of the extent. @param stepBytes bytes of its steps, or 0 if another extent counts them */
  private addExtent(episode: number, { lastIndex, places }: Extent, stepBytes: number): number {
    const [firstPage, lastPage] = [pageOf(places[0] as number), pageOf(places.at(-1) as number)];
    const text = JSON.stringify(places);
    const bytes = stepBytes + text.length;
    this.insertExtent.run({ episode, lastIndex, firstPage, places: text, lastPage, bytes });
    this.unneeded.onExtent({ firstPage, lastPage });
    return bytes;
  }
}

function pageOf(place: number): number {
  return Math.floor(place / placesPerPage);
}

/** @throws {LogDamage} */
function checkedPage(page: number, stored: StoredText | undefined): string {
  const what = `Page ${page}`;
  if (!stored) throw new LogDamage(what);
  return checkedText(stored, what);
}
