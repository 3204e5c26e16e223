/**
 * A log whose newest steps are indexed in memory only, read as if their extents were in its table. The copy therefore has
 * the extents of all steps.
 */
import { LogDamage } from "../damage.js";
import { addPage, extentRows, pageFrom } from "../postgres/extents.js";
import { UnindexedSteps } from "../unindexed-steps.js";
import { mostChunkRows } from "./chunks.js";
import type { TableReader } from "./table-reader.js";
import { compareKeys, type Key, keyOfRow, type LogTable, type Row } from "./tables.js";

export class ReaderWithNewest implements TableReader {
  /** Rows of the missing extents, in the order of their keys. */
  private readonly newest: readonly Row[];

  /** @param gyms pages that no extent has, with their numbers, of each gym that wrote some */
  constructor(
    private readonly stored: TableReader,
    gyms: Iterable<Iterable<readonly [number, string]>>,
  ) {
    const rows = [...gyms].flatMap((pages) => {
      const steps = new UnindexedSteps();
      for (const [page, lines] of pages) addIntact(steps, page, lines);
      return extentRows(steps);
    });
    rows.sort((a, b) => a.episode - b.episode || a.lastIndex - b.lastIndex);
    this.newest = rows.map(({ episode, lastIndex, firstPage, lastPage, places, bytes }) => [
      episode,
      lastIndex,
      firstPage,
      lastPage,
      places,
      bytes,
    ]);
  }

  async read(table: LogTable, after: Key | null, most?: number): Promise<readonly Row[]> {
    const rows = await this.stored.read(table, after, most);
    if (table.name !== "extents") return rows;
    const key = (row: Row) => keyOfRow(table, row);
    const last = rows.at(-1);
    const added = this.newest.filter(
      (row) => (after === null || compareKeys(key(row), after) > 0) && (!last || compareKeys(key(row), key(last)) < 0),
    );
    const all = [...rows, ...added].sort((a, b) => compareKeys(key(a), key(b)));
    return all.slice(0, most ?? mostChunkRows);
  }

  async lastKey(table: LogTable): Promise<Key | null> {
    const last = await this.stored.lastKey(table);
    const newest = this.newest.at(-1);
    if (table.name !== "extents" || !newest) return last;
    const key = keyOfRow(table, newest);
    return last && compareKeys(last, key) > 0 ? last : key;
  }

  async count(table: LogTable): Promise<number> {
    return (await this.stored.count(table)) + (table.name === "extents" ? this.newest.length : 0);
  }
}

/** @throws {LogDamage} the first lines of the steps are not JSON, although the page has no checksum or a right one */
function addIntact(steps: UnindexedSteps, page: number, lines: string): void {
  try {
    addPage(steps, page, pageFrom(lines));
  } catch {
    throw new LogDamage(`Page ${page}`);
  }
}
