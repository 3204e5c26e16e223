/**
 * The steps of all episodes in one SQLite table, in the order in which they were taken.
 *
 * An ordinary index by episode would cost five times the insert: steps of a thousand episodes arrive interleaved, and
 * each would dirty a page of its own in every commit. So the newest steps are indexed in memory, and the index on disk,
 * `places`, gets them by the thousand, sorted. What was not indexed when the process died is read again at the start.
 */
import type Database from "better-sqlite3";
import type { Ended } from "./host-protocol.js";
import { cellsPerStep, type StepCells, type StepRow } from "./log-protocol.js";

export const stepTableSchema = `
  CREATE TABLE steps (
    row INTEGER PRIMARY KEY, episode INTEGER NOT NULL, "index" INTEGER NOT NULL, action TEXT NOT NULL,
    reply TEXT NOT NULL, ended INTEGER NOT NULL
  );
  CREATE TABLE places (
    episode INTEGER NOT NULL, "index" INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (episode, "index")
  ) WITHOUT ROWID;
  CREATE TABLE placed (upTo INTEGER NOT NULL);
  INSERT INTO placed VALUES (0);
`;

/** Steps that are indexed in memory only, at most: some 10 ms of work once they go to disk. */
const mostUnplaced = 16_384;

const columns = `"index", action, reply, ended`;

export interface LoggedStep extends StepRow {
  ended: Ended;
}

export class StepTable {
  private readonly insert: Database.Statement;
  private readonly selectRow: Database.Statement;
  private readonly selectPlaced: Database.Statement;
  private readonly selectLastPlaced: Database.Statement;
  private nextRow = 1;
  private unplacedCount = 0;
  /** Rows that `places` does not have yet, by episode, in the order of their index. */
  private readonly unplaced = new Map<number, number[]>();

  constructor(private readonly database: Database.Database) {
    this.insert = database.prepare(`INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)`);
    this.selectRow = database.prepare(`SELECT ${columns} FROM steps WHERE row = ?`);
    const placed = `SELECT steps."index", action, reply, ended FROM places JOIN steps USING (row) WHERE places.episode = ?`;
    this.selectPlaced = database.prepare(`${placed} AND places."index" >= ? ORDER BY places."index" LIMIT ?`);
    this.selectLastPlaced = database.prepare(`${placed} ORDER BY places."index" DESC LIMIT 1`);
    this.recover();
  }

  append(cells: StepCells): void {
    for (let i = 0; i < cells.length; i += cellsPerStep) {
      const row = this.nextRow++;
      this.insert.run(row, cells[i], cells[i + 1], cells[i + 2], cells[i + 3], cells[i + 4]);
      this.remember(cells[i] as number, row);
    }
    if (this.unplacedCount >= mostUnplaced) this.place();
  }

  read(episode: number, from: number, limit: number): LoggedStep[] {
    const steps = this.selectPlaced.all(episode, from, limit) as LoggedStep[];
    for (const row of this.unplaced.get(episode) ?? []) {
      if (steps.length >= limit) break;
      const step = this.selectRow.get(row) as LoggedStep;
      if (step.index >= from) steps.push(step);
    }
    return steps;
  }

  last(episode: number): LoggedStep | null {
    const row = this.unplaced.get(episode)?.at(-1);
    const step = row === undefined ? this.selectLastPlaced.get(episode) : this.selectRow.get(row);
    return (step as LoggedStep | undefined) ?? null;
  }

  delete(episode: number): void {
    if (this.unplaced.has(episode)) this.place();
    this.database.prepare(`DELETE FROM steps WHERE row IN (SELECT row FROM places WHERE episode = ?)`).run(episode);
    this.database.prepare(`DELETE FROM places WHERE episode = ?`).run(episode);
  }

  /** Reads what is kept in memory off the disk: at the start, and after a transaction was rolled back. */
  recover(): void {
    this.unplaced.clear();
    this.unplacedCount = 0;
    const { upTo } = this.database.prepare(`SELECT upTo FROM placed`).get() as { upTo: number };
    this.nextRow = upTo + 1;
    const rows = this.database.prepare(`SELECT row, episode FROM steps WHERE row > ? ORDER BY row`).all(upTo);
    for (const { row, episode } of rows as { row: number; episode: number }[]) {
      this.remember(episode, row);
      this.nextRow = row + 1;
    }
  }

  private remember(episode: number, row: number): void {
    const rows = this.unplaced.get(episode);
    if (rows) rows.push(row);
    else this.unplaced.set(episode, [row]);
    this.unplacedCount += 1;
  }

  private place(): void {
    this.database
      .prepare(
        `INSERT INTO places SELECT episode, "index", row FROM steps WHERE row > (SELECT upTo FROM placed)
         ORDER BY episode, "index"`,
      )
      .run();
    this.database.prepare(`UPDATE placed SET upTo = ?`).run(this.nextRow - 1);
    this.unplaced.clear();
    this.unplacedCount = 0;
  }
}
