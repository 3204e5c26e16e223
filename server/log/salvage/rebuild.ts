/**
 * Builds the index of steps and the states of the episodes of a new log from salvaged rows. The bytes of the episodes are
 * counted afterwards.
 */
import type Database from "better-sqlite3";
import type { ErrorBody } from "../../errors.js";
import { checksum } from "../records/damage.js";
import { keyOf } from "../records/episode-id.js";
import { placesPerPage } from "../records/step-page.js";
import type { SalvagedRows } from "./salvaged-rows.js";

/** An episode that has lost a part. */
export interface CutEpisode {
  id: string;
  /** Number of steps that are kept. They have the indexes from 0 on. */
  steps: number;
  /** Sentence that describes the lost part. */
  loss: string;
}

interface EpisodeKey {
  key: number;
  id: string;
  parent: string | null;
}

/** Largest number of places in a row of the index. */
const placesPerExtent = 4_096;

export class Rebuild {
  readonly cut: CutEpisode[] = [];
  private readonly select: Record<
    "own" | "extents" | "indexAt" | "mentioned" | "resetResult" | "failures",
    Database.Statement
  >;
  private readonly insertExtent: Database.Statement;
  /** Whether rows of the index of steps are lost. */
  readonly isIndexDamaged: boolean;

  constructor(
    private readonly database: Database.Database,
    private readonly rows: SalvagedRows,
    /** Whether pages of steps may be missing. */
    private readonly mayMissPages: boolean,
  ) {
    const prepare = (sql: string) => database.prepare(sql);
    this.select = {
      own: prepare(`SELECT stepIndex, place FROM steps WHERE episode = ? ORDER BY stepIndex`),
      extents: prepare(`SELECT lastIndex, places FROM oldExtents WHERE episode = ? ORDER BY lastIndex`),
      indexAt: prepare(`SELECT stepIndex FROM steps WHERE place = ?`).pluck(),
      mentioned: prepare(
        `SELECT max(coalesce((SELECT max(stepIndex) FROM mentions WHERE episode = @key), -1),
           coalesce((SELECT max(lastIndex) FROM oldExtents WHERE episode = @key), -1),
           coalesce((SELECT max(stepIndex) FROM steps WHERE episode = @key), -1)) + 1`,
      ).pluck(),
      failures: prepare(`SELECT detail FROM marks WHERE episode = ? AND kind = 'failed'`).pluck(),
      resetResult: prepare(`SELECT opening, sum FROM openings WHERE episode = ?`),
    };
    this.insertExtent = prepare(
      `INSERT INTO extents (episode, lastIndex, firstPage, places, lastPage, bytes) VALUES (?, ?, ?, ?, 0, 0)`,
    );
    this.database.exec(`CREATE INDEX temp.mentionsByEpisode ON mentions (episode)`);
    this.isIndexDamaged = this.missesExtents();
  }

  /** Calls `onEpisode` after each episode. */
  episodes(onEpisode: () => void): void {
    const all = this.database.prepare(`SELECT key, id, parent FROM episodes ORDER BY key`).all() as EpisodeKey[];
    for (const episode of all) {
      this.rebuild(episode);
      onEpisode();
    }
  }

  /** Removes the remaining rows of episodes whose own row is lost, and returns the keys of these episodes. */
  removeLost(): number[] {
    const orphans = `SELECT episode FROM openings UNION SELECT episode FROM oldExtents UNION SELECT episode FROM marks`;
    const damaged = JSON.stringify([...this.rows.damagedResetResults]);
    const lost = this.database
      .prepare(
        `SELECT episode FROM (${orphans} UNION SELECT value FROM json_each(?)) WHERE episode NOT IN (SELECT key FROM episodes)
           ORDER BY episode`,
      )
      .pluck()
      .all(damaged) as number[];
    for (const table of ["openings", "marks"])
      this.database.exec(`DELETE FROM ${table} WHERE episode NOT IN (SELECT key FROM episodes)`);
    return lost;
  }

  /** Continues the numbers of pages and episodes after those of the damaged log. */
  continueNumbers(): void {
    const { upTo, lastKey, damagedPages } = this.rows;
    const newest = this.database.prepare(`SELECT coalesce(max(page), 0) FROM pages`).pluck().get() as number;
    const lastPage = [...damagedPages].reduce((most, page) => Math.max(most, page), Math.max(newest, upTo));
    this.database.prepare(`UPDATE indexed SET upTo = ?`).run(lastPage);
    const seen = [
      `SELECT max(key) FROM episodes`,
      `SELECT max(episode) FROM oldExtents`,
      `SELECT max(episode) FROM steps`,
    ];
    const keys = seen.map((sql) => (this.database.prepare(sql).pluck().get() as number | null) ?? 0);
    const last = Math.max(lastKey, ...keys, ...this.rows.damagedResetResults);
    this.database.exec(`DELETE FROM sqlite_sequence WHERE name = 'episodes'`);
    this.database.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('episodes', ?)`).run(last);
  }

  private rebuild(episode: EpisodeKey): void {
    const places = this.placesOf(episode);
    this.writeExtents(episode.key, places);
    const known = this.select.mentioned.get({ key: episode.key }) as number;
    const isUnknownFork = episode.parent !== null && places.length === 0 && this.isIndexDamaged;
    const losses: string[] = [];
    if (!this.keepResetResult(episode)) losses.push("The reset result of the episode is lost");
    if (places.length < known) losses.push(`Step ${places.length} and all later steps of the episode are lost`);
    else if (isUnknownFork) losses.push("The steps that the episode shares with its parent are lost");
    if (this.rows.damagedMarks.has(episode.key)) losses.push("A mark of the episode, such as its end, is lost");
    if (losses.length === 0 || this.wasCutAt(episode.key, places.length)) return;
    const loss = `${losses.join(". ")}.`;
    this.cut.push({ id: episode.id, steps: places.length, loss });
    this.markFailed(episode.key, loss, places.length);
  }

  /** Returns the places of the episode's intact steps, from index 0 up to the first missing step. */
  private placesOf({ key, parent }: EpisodeKey): number[] {
    const own = this.select.own.all(key) as { stepIndex: number; place: number }[];
    const places = parent === null ? [] : this.sharedPlaces(key, parent, own[0]?.stepIndex);
    for (const { stepIndex, place } of own) if (stepIndex === places.length) places.push(place);
    return places;
  }

  /**
   * Returns the places of the steps that a fork shares with its parent. The index of steps has them. If only the index is
   * damaged, they are the parent's steps before the fork's first own step. If that own step may be missing, the parent's
   * step with the same index would take its place.
   */
  private sharedPlaces(key: number, parent: string, firstOwn = Number.POSITIVE_INFINITY): number[] {
    const places: number[] = [];
    for (const extent of this.select.extents.all(key) as { lastIndex: number; places: string }[]) {
      for (const place of JSON.parse(extent.places) as number[]) {
        if (places.length === firstOwn) return places;
        if (this.select.indexAt.get(place) !== places.length) return this.parentPlaces(places, parent, firstOwn);
        places.push(place);
      }
    }
    return this.parentPlaces(places, parent, firstOwn);
  }

  private parentPlaces(places: number[], parent: string, firstOwn: number): number[] {
    if (!this.isIndexDamaged || this.mayMissPages) return places;
    if (!Number.isFinite(firstOwn) || places.length >= firstOwn) return places;
    const key = keyOf(parent);
    const find = this.database.prepare(`SELECT parent FROM episodes WHERE key = ?`).pluck();
    const grandparent = key === null ? null : ((find.get(key) as string | null | undefined) ?? null);
    const all = key === null ? [] : this.placesOf({ key, id: parent, parent: grandparent });
    return all.length > places.length ? all.slice(0, firstOwn) : places;
  }

  private writeExtents(key: number, places: readonly number[]): void {
    for (let from = 0; from < places.length; from += placesPerExtent) {
      const some = places.slice(from, from + placesPerExtent);
      const firstPage = some.reduce((least, place) => Math.min(least, Math.floor(place / placesPerPage)), Infinity);
      this.insertExtent.run(key, from + some.length - 1, firstPage, JSON.stringify(some));
    }
  }

  /**
   * Returns whether the reset result is intact. A lost one is copied from the fork's parent, or otherwise replaced by a
   * note.
   */
  private keepResetResult({ key, parent }: EpisodeKey): boolean {
    if (this.select.resetResult.get(key)) return true;
    const insert = this.database.prepare(`INSERT INTO openings (episode, opening, sum) VALUES (?, ?, ?)`);
    const parentKey = parent === null ? null : keyOf(parent);
    const found = this.select.resetResult.get(parentKey) as { opening: string; sum: number | null } | undefined;
    const isOfParent = found !== undefined && !found.opening.startsWith(lostResetResult);
    const opening = isOfParent ? found.opening : lostResetResult;
    insert.run(key, opening, checksum(opening));
    return isOfParent;
  }

  /**
   * Returns whether an earlier repair cut the episode at this step. Later steps of the episode may still be in the
   * pages.
   */
  private wasCutAt(key: number, step: number): boolean {
    const details = this.select.failures.all(key) as string[];
    return details.some((detail) => {
      const { code, details: found } = JSON.parse(detail) as ErrorBody;
      return code === "LOG_CORRUPT" && found?.step === step;
    });
  }

  /** @param step index of the first lost step */
  private markFailed(key: number, loss: string, step: number): void {
    const message = `${loss} The episode log was damaged, and was repaired.`;
    const failure: ErrorBody = { code: "LOG_CORRUPT", class: "infrastructure", message, details: { step } };
    this.database
      .prepare(`INSERT INTO marks (episode, kind, detail, atMs) VALUES (?, 'failed', ?, ?)`)
      .run(key, JSON.stringify(failure), Date.now());
  }

  /** Returns whether the index on disk has fewer steps of original episodes than the pages that it covers. */
  private missesExtents(): boolean {
    const originals = `SELECT key FROM episodes WHERE parent IS NULL`;
    const count = (sql: string, ...values: unknown[]) =>
      (this.database
        .prepare(sql)
        .pluck()
        .get(...values) as number | null) ?? 0;
    const indexed = count(`SELECT sum(count) FROM oldExtents WHERE episode IN (${originals})`);
    const limit = (this.rows.upTo + 1) * placesPerPage;
    return indexed < count(`SELECT count(*) FROM steps WHERE place < ? AND episode IN (${originals})`, limit);
  }
}

/** Replaces a lost reset result, so that the episode can still be read. */
const lostResetResult = JSON.stringify({
  observation: "The reset result was lost, because the episode log was damaged.",
  info: {},
});
