/** Counts of durations in milliseconds. Quantiles have an error of 1 %. */
const perDecade = 116;
const decades = 9;
const lowestMs = 1e-3;

export class Histogram {
  private readonly counts = new Float64Array(perDecade * decades + 1);
  count = 0;
  sumMs = 0;
  mostMs = 0;

  add(ms: number): void {
    const at = Math.floor(Math.log10(Math.max(ms, lowestMs) / lowestMs) * perDecade);
    const place = Math.min(at, this.counts.length - 1);
    this.counts[place] = (this.counts[place] as number) + 1;
    this.count += 1;
    this.sumMs += ms;
    if (ms > this.mostMs) this.mostMs = ms;
  }

  get meanMs(): number {
    return this.count === 0 ? 0 : this.sumMs / this.count;
  }

  /** Returns the middle of the range that contains the quantile, or 0 if nothing was counted. */
  quantile(part: number): number {
    let left = part * this.count;
    if (this.count === 0) return 0;
    for (const [place, count] of this.counts.entries()) {
      left -= count;
      if (left <= 0 && count > 0) return Math.min(this.mostMs, lowestMs * 10 ** ((place + 0.5) / perDecade));
    }
    return this.mostMs;
  }

  clear(): void {
    this.counts.fill(0);
    this.count = 0;
    this.sumMs = 0;
    this.mostMs = 0;
  }
}
