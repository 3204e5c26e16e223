/**
 * The steps of all episodes in SQLite: pages in the order in which they were written, and an index over them.
 *
 * Steps of a thousand episodes arrive interleaved, so an ordinary index by episode would dirty a database page for each
 * of them in every commit. Here the newest steps are indexed in memory, and the index on disk gets them by the thousand:
 * an extent lists the places of some consecutive steps of one episode. What was not indexed when the process died is
 * read again at the start.
 */
import type Database from "better-sqlite3";
import { type LoggedStep, placesPerPage, readPlaces, readStep, type StepPage, StepPageWriter } from "./step-page.js";

export const stepTableSchema = `
  CREATE TABLE pages (page INTEGER PRIMARY KEY, lines TEXT NOT NULL);
  CREATE TABLE extents (
    episode INTEGER NOT NULL, lastIndex INTEGER NOT NULL, firstPage INTEGER NOT NULL, places TEXT NOT NULL,
    PRIMARY KEY (episode, lastIndex)
  ) WITHOUT ROWID;
  CREATE INDEX extents_by_page ON extents (firstPage);
  CREATE TABLE indexed (upTo INTEGER NOT NULL);
  INSERT INTO indexed VALUES (0);
`;

/** Steps that are indexed in memory only, and characters of their pages: what a start may have to read. */
const mostUnindexed = 65_536;
const mostUnindexedCharacters = 2 ** 26;

/** Where consecutive steps of one episode are: `page * placesPerPage + place` of each. */
interface Extent {
  lastIndex: number;
  places: number[];
}

export class StepTable {
  private readonly insertPage: Database.Statement;
  private readonly insertExtent: Database.Statement;
  private readonly selectPage: Database.Statement;
  private readonly selectExtents: Database.Statement;
  private readonly selectLastIndex: Database.Statement;
  private nextPage = 1;
  private unindexedCount = 0;
  private unindexedCharacters = 0;
  /** The newest steps, which no extent on disk has yet, by episode. */
  private readonly unindexed = new Map<number, Extent>();

  constructor(private readonly database: Database.Database) {
    this.insertPage = database.prepare(`INSERT INTO pages VALUES (?, ?)`);
    this.insertExtent = database.prepare(`INSERT INTO extents VALUES (?, ?, ?, ?)`);
    this.selectPage = database.prepare(`SELECT lines FROM pages WHERE page = ?`).pluck();
    this.selectExtents = database.prepare(
      `SELECT lastIndex, places FROM extents WHERE episode = ? AND lastIndex >= ? ORDER BY lastIndex`,
    );
    this.selectLastIndex = database.prepare(`SELECT max(lastIndex) FROM extents WHERE episode = ?`).pluck();
    this.recover();
  }

  append({ places, lines }: StepPage): void {
    const page = this.nextPage++;
    this.insertPage.run(page, lines);
    this.remember(page, places);
    this.unindexedCharacters += lines.length;
    if (this.unindexedCount >= mostUnindexed || this.unindexedCharacters >= mostUnindexedCharacters) this.index();
  }

  /** @param maxCharacters of actions and replies together; a first step that is longer still comes */
  read(episode: number, from: number, limit: number, maxCharacters = Number.POSITIVE_INFINITY): LoggedStep[] {
    const steps: LoggedStep[] = [];
    let characters = 0;
    for (const step of this.walk(episode, from)) {
      characters += step.action.length + step.reply.length;
      if (steps.length === limit || (characters > maxCharacters && steps.length > 0)) break;
      steps.push(step);
    }
    return steps;
  }

  last(episode: number): LoggedStep | null {
    const lastIndex = this.unindexed.get(episode)?.lastIndex ?? (this.selectLastIndex.get(episode) as number | null);
    return lastIndex === null ? null : (this.read(episode, lastIndex, 1)[0] ?? null);
  }

  /** Writes the first `count` steps of one episode once more, as those of another. */
  copy(from: number, count: number, to: number): void {
    const page = new StepPageWriter();
    for (const { index, action, reply, ended } of this.walk(from, 0)) {
      if (index >= count) break;
      if (page.isFull) this.append(page.take());
      page.add(to, index, action, reply, ended);
    }
    if (!page.isEmpty) this.append(page.take());
  }

  /** Forgets the episodes, and the pages in which no other one has a step. */
  delete(episodes: readonly number[]): void {
    this.index();
    const remove = this.database.prepare(`DELETE FROM extents WHERE episode = ?`);
    for (const episode of episodes) remove.run(episode);
    this.database
      .prepare(`DELETE FROM pages WHERE page < (SELECT coalesce(min(firstPage), @next) FROM extents)`)
      .run({ next: this.nextPage });
  }

  /** Reads what is kept in memory off the disk: at the start, and after a transaction was rolled back. */
  recover(): void {
    this.forget();
    const upTo = this.database.prepare(`SELECT upTo FROM indexed`).pluck().get() as number;
    this.nextPage = upTo + 1;
    const pages = this.database.prepare(`SELECT page, lines FROM pages WHERE page > ? ORDER BY page`).iterate(upTo);
    for (const { page, lines } of pages as Iterable<{ page: number; lines: string }>) {
      this.remember(page, readPlaces(lines));
      this.unindexedCharacters += lines.length;
      this.nextPage = page + 1;
    }
  }

  private *walk(episode: number, from: number): Iterable<LoggedStep> {
    let read = 0;
    let lines: string[] = [];
    for (const { lastIndex, places } of this.extents(episode, from)) {
      const firstIndex = lastIndex + 1 - places.length;
      for (const place of places.slice(Math.max(0, from - firstIndex))) {
        const page = Math.floor(place / placesPerPage);
        if (page !== read) lines = (this.selectPage.get(page) as string).split("\n");
        read = page;
        yield readStep(lines, place % placesPerPage);
      }
    }
  }

  private extents(episode: number, from: number): Extent[] {
    const indexed = this.selectExtents.all(episode, from) as { lastIndex: number; places: string }[];
    const extents = indexed.map(({ lastIndex, places }) => ({ lastIndex, places: JSON.parse(places) as number[] }));
    const newest = this.unindexed.get(episode);
    return newest ? [...extents, newest] : extents;
  }

  private remember(page: number, places: readonly number[]): void {
    for (let i = 0; i < places.length; i += 2) {
      const [episode, lastIndex] = [places[i] as number, places[i + 1] as number];
      const place = page * placesPerPage + i / 2;
      const extent = this.unindexed.get(episode);
      if (extent) {
        extent.places.push(place);
        extent.lastIndex = lastIndex;
      } else {
        this.unindexed.set(episode, { lastIndex, places: [place] });
      }
    }
    this.unindexedCount += places.length / 2;
  }

  private index(): void {
    const extents = [...this.unindexed].sort(([a], [b]) => a - b);
    for (const [episode, { lastIndex, places }] of extents) {
      const firstPage = Math.floor((places[0] as number) / placesPerPage);
      this.insertExtent.run(episode, lastIndex, firstPage, JSON.stringify(places));
    }
    this.database.prepare(`UPDATE indexed SET upTo = ?`).run(this.nextPage - 1);
    this.forget();
  }

  private forget(): void {
    this.unindexed.clear();
    this.unindexedCount = 0;
    this.unindexedCharacters = 0;
  }
}
