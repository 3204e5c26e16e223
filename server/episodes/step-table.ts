/**
 * The steps of all episodes in one SQLite table, in the order in which they were taken.
 *
 * An ordinary index by episode would cost five times the insert: steps of a thousand episodes arrive interleaved, and
 * each would dirty a page of its own in every commit. So the newest steps are indexed in memory, and the index on disk
 * gets them by the thousand: an extent lists the rows of some consecutive steps of one episode. What was not indexed
 * when the process died is read again at the start.
 */
import type Database from "better-sqlite3";
import type { Ended } from "./host-protocol.js";
import { cellsPerStep, type StepCells, type StepRow } from "./log-protocol.js";

export const stepTableSchema = `
  CREATE TABLE steps (
    row INTEGER PRIMARY KEY, episode INTEGER NOT NULL, "index" INTEGER NOT NULL, action TEXT NOT NULL,
    reply TEXT NOT NULL, ended INTEGER NOT NULL
  );
  CREATE TABLE extents (
    episode INTEGER NOT NULL, lastIndex INTEGER NOT NULL, rows TEXT NOT NULL, PRIMARY KEY (episode, lastIndex)
  ) WITHOUT ROWID;
  CREATE TABLE indexed (upTo INTEGER NOT NULL);
  INSERT INTO indexed VALUES (0);
`;

/** Steps that are indexed in memory only, at most. */
const mostUnindexed = 16_384;

export interface LoggedStep extends StepRow {
  ended: Ended;
}

export class StepTable {
  private readonly insert: Database.Statement;
  private readonly insertExtent: Database.Statement;
  private readonly selectRow: Database.Statement;
  private readonly selectIndexed: Database.Statement;
  private readonly selectLastIndex: Database.Statement;
  private nextRow = 1;
  private unindexedCount = 0;
  /** What no extent has yet, by episode: the rows of its newest steps, and the index of the last of them. */
  private readonly unindexed = new Map<number, { lastIndex: number; rows: number[] }>();

  constructor(private readonly database: Database.Database) {
    this.insert = database.prepare(`INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)`);
    this.insertExtent = database.prepare(`INSERT INTO extents VALUES (?, ?, ?)`);
    this.selectRow = database.prepare(`SELECT "index", action, reply, ended FROM steps WHERE row = ?`);
    this.selectIndexed = database.prepare(
      `SELECT "index", action, reply, ended
       FROM (SELECT lastIndex, rows FROM extents WHERE episode = @episode AND lastIndex >= @from ORDER BY lastIndex)
         JOIN json_each(rows) AS place JOIN steps ON steps.row = place.value
       WHERE "index" >= @from LIMIT @limit`,
    );
    this.selectLastIndex = database.prepare(`SELECT max(lastIndex) AS last FROM extents WHERE episode = ?`);
    this.recover();
  }

  append(cells: StepCells): void {
    for (let i = 0; i < cells.length; i += cellsPerStep) {
      const row = this.nextRow++;
      this.insert.run(row, cells[i], cells[i + 1], cells[i + 2], cells[i + 3], cells[i + 4]);
      this.remember(row, cells[i] as number, cells[i + 1] as number);
    }
    if (this.unindexedCount >= mostUnindexed) this.index();
  }

  read(episode: number, from: number, limit: number): LoggedStep[] {
    const steps = this.selectIndexed.all({ episode, from, limit }) as LoggedStep[];
    const { lastIndex, rows } = this.unindexed.get(episode) ?? { lastIndex: -1, rows: [] };
    const firstIndex = lastIndex + 1 - rows.length;
    const wanted = rows.slice(Math.max(0, from - firstIndex), Math.max(0, from - firstIndex) + limit - steps.length);
    return [...steps, ...wanted.map((row) => this.selectRow.get(row) as LoggedStep)];
  }

  last(episode: number): LoggedStep | null {
    const lastIndex =
      this.unindexed.get(episode)?.lastIndex ?? (this.selectLastIndex.get(episode) as { last: number | null }).last;
    return lastIndex === null ? null : (this.read(episode, lastIndex, 1)[0] ?? null);
  }

  delete(episode: number): void {
    if (this.unindexed.has(episode)) this.index();
    const rows = `SELECT place.value FROM extents JOIN json_each(rows) AS place WHERE episode = ?`;
    this.database.prepare(`DELETE FROM steps WHERE row IN (${rows})`).run(episode);
    this.database.prepare(`DELETE FROM extents WHERE episode = ?`).run(episode);
  }

  /** Reads what is kept in memory off the disk: at the start, and after a transaction was rolled back. */
  recover(): void {
    this.forget();
    const { upTo } = this.database.prepare(`SELECT upTo FROM indexed`).get() as { upTo: number };
    this.nextRow = upTo + 1;
    const steps = this.database.prepare(`SELECT row, episode, "index" FROM steps WHERE row > ? ORDER BY row`).all(upTo);
    for (const { row, episode, index } of steps as { row: number; episode: number; index: number }[]) {
      this.remember(row, episode, index);
      this.nextRow = row + 1;
    }
  }

  private remember(row: number, episode: number, index: number): void {
    const newest = this.unindexed.get(episode);
    if (newest) {
      newest.rows.push(row);
      newest.lastIndex = index;
    } else {
      this.unindexed.set(episode, { lastIndex: index, rows: [row] });
    }
    this.unindexedCount += 1;
  }

  private index(): void {
    const extents = [...this.unindexed].sort(([a], [b]) => a - b);
    for (const [episode, { lastIndex, rows }] of extents) {
      this.insertExtent.run(episode, lastIndex, JSON.stringify(rows));
    }
    this.database.prepare(`UPDATE indexed SET upTo = ?`).run(this.nextRow - 1);
    this.forget();
  }

  private forget(): void {
    this.unindexed.clear();
    this.unindexedCount = 0;
  }
}
