/** Heights of the rows of a list in pixels. Rows that were not measured yet have the mean height of the first that were. */
export class Heights {
  private readonly known = new Map<number, number>();

  constructor(private estimate: number) {}

  /** Measures rendered rows, whose indexes are in the attribute `data-row`. */
  measure(rows: Iterable<Element>): void {
    const isFirst = this.known.size === 0;
    for (const row of rows) this.known.set(Number((row as HTMLElement).dataset.row), (row as HTMLElement).offsetHeight);
    if (!isFirst || this.known.size === 0) return;
    const sum = [...this.known.values()].reduce((total, height) => total + height, 0);
    this.estimate = Math.max(1, sum / this.known.size);
  }

  /** Returns the height of the rows from `from` to before `end`. */
  between(from: number, end: number): number {
    let height = 0;
    for (let index = from; index < end; index++) height += this.known.get(index) ?? this.estimate;
    return height;
  }

  /** Returns the range of rows between two places, which are in pixels from the top of the row `from`. */
  rowsIn(from: number, end: number, top: number, bottom: number): { first: number; end: number } {
    let [first, index, at] = [from, from, 0];
    for (; index < end && at < bottom; index++) {
      if (at <= top) first = index;
      at += this.known.get(index) ?? this.estimate;
    }
    return { first, end: index };
  }
}
