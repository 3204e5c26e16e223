/** Finds the pages of steps that no episode needs any more. */
import type Database from "better-sqlite3";

/** First and last page of the steps of an extent. */
export interface PageRange {
  firstPage: number;
  lastPage: number;
}

/** An extent needs no page outside of its range, and counts as needing every page in it. */
export class UnneededPages {
  private readonly selectRanges: Database.Statement;
  private readonly deletePages: Database.Statement;
  private widest: number | null = null;

  constructor(private readonly database: Database.Database) {
    this.selectRanges = database.prepare(
      `SELECT firstPage, lastPage FROM extents
         WHERE firstPage BETWEEN @from AND @lastPage AND lastPage >= @firstPage ORDER BY firstPage`,
    );
    this.deletePages = database.prepare(`DELETE FROM pages WHERE page BETWEEN ? AND ?`);
  }

  /** Called for each new extent. */
  onExtent({ firstPage, lastPage }: PageRange): void {
    if (this.widest !== null) this.widest = Math.max(this.widest, lastPage - firstPage);
  }

  /** Called when a transaction was rolled back, which may have removed extents or read the widest one. */
  rollback(): void {
    this.widest = null;
  }

  /** Deletes the pages that no remaining extent needs. @param removed ranges of extents that were removed */
  delete(removed: readonly PageRange[]): void {
    for (const range of merged(removed)) {
      for (const { firstPage, lastPage } of this.gapsIn(range)) this.deletePages.run(firstPage, lastPage);
    }
  }

  private gapsIn(range: PageRange): PageRange[] {
    this.widest ??= this.readWidest();
    // An extent that reaches into the range begins at most the width of the widest extent before the range.
    const covering = this.selectRanges.all({ ...range, from: range.firstPage - this.widest }) as PageRange[];
    const gaps: PageRange[] = [];
    let next = range.firstPage;
    for (const { firstPage, lastPage } of covering) {
      if (firstPage > next) gaps.push({ firstPage: next, lastPage: firstPage - 1 });
      next = Math.max(next, lastPage + 1);
    }
    if (next <= range.lastPage) gaps.push({ firstPage: next, lastPage: range.lastPage });
    return gaps;
  }

  private readWidest(): number {
    const widest = this.database.prepare(`SELECT max(lastPage - firstPage) FROM extents`).pluck().get();
    return (widest as number | null) ?? 0;
  }
}

/** Joins the ranges that overlap or follow one another. */
export function merged(ranges: readonly PageRange[]): PageRange[] {
  const joined: PageRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.firstPage - b.firstPage)) {
    const last = joined.at(-1);
    if (last && range.firstPage <= last.lastPage + 1) last.lastPage = Math.max(last.lastPage, range.lastPage);
    else joined.push({ ...range });
  }
  return joined;
}
