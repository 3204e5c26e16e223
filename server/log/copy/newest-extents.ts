/**
 * Reads a log whose newest steps are indexed only in memory as if the table had their extents, so that the copy has the
 * extents of all steps.
 */

import { addPage, extentRows, pageFrom } from "../postgres/steps/extents.js";
import { LogDamage } from "../records/damage.js";
import { rowSum, summedColumns } from "../records/row-sums.js";
import { UnindexedSteps } from "../records/unindexed-steps.js";
import { mostChunkRows } from "./chunks.js";
import type { TableReader } from "./table-reader.js";
import { compareKeys, type Key, keyOfRow, type LogTable, type Row } from "./tables.js";

/** Extents of the steps on pages that no extent in the table covers. */
export class NewestExtents {
  private readonly writers = new Map<number, UnindexedSteps>();

  /**
   * Adds a page after the earlier pages of the same writer. Keeps only the places of its steps.
   *
   * @param writer number of a gym, or of one of its blocks of pages
   * @throws {LogDamage} the first lines of the steps are not JSON, although the page has no checksum or a correct one
   */
  add(writer: number, page: number, lines: string): void {
    const steps = this.writers.get(writer) ?? new UnindexedSteps();
    this.writers.set(writer, steps);
    try {
      addPage(steps, page, pageFrom(lines));
    } catch {
      throw new LogDamage(`Page ${page}`);
    }
  }

  /** Returns the rows of the extents, in the order of their keys. */
  rows(): Row[] {
    const rows = [...this.writers.values()].flatMap(extentRows);
    rows.sort((a, b) => a.episode - b.episode || a.lastIndex - b.lastIndex);
    return rows.map((row) => {
      const values = summedColumns.extents.map((column) => row[column]);
      return [...values, rowSum(values)];
    });
  }
}

export class ReaderWithNewest implements TableReader {
  /** Rows of the missing extents, in the order of their keys. */
  private readonly newest: readonly Row[];

  constructor(
    private readonly stored: TableReader,
    newest: NewestExtents,
  ) {
    this.newest = newest.rows();
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
