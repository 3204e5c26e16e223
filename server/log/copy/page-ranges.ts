/**
 * A set of page numbers. Most pages of a log follow each other, so it keeps ranges of them. A `Set` cannot have more than
 * 2^24 numbers, which is fewer pages than a log may have.
 */
export class PageRanges {
  /** First page of each range, in ascending order. */
  private readonly firsts: number[] = [];
  /** Last page of each range. */
  private readonly lasts: number[] = [];

  /** @param page number that is greater than those before */
  add(page: number): void {
    const newest = this.lasts.length - 1;
    const last = this.lasts[newest] ?? Number.NEGATIVE_INFINITY;
    if (page <= last) throw new Error(`expected a page after page ${last}, but received page ${page}`);
    if (page === last + 1) this.lasts[newest] = page;
    else {
      this.firsts.push(page);
      this.lasts.push(page);
    }
  }

  has(page: number): boolean {
    let [from, to] = [0, this.lasts.length];
    // Finds the first range that ends at the page or after it.
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.lasts[middle] as number) < page) from = middle + 1;
      else to = middle;
    }
    const first = this.firsts[from];
    return first !== undefined && first <= page;
  }
}
