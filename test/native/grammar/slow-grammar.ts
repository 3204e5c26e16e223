/**
 * A slow proof of the engine's grammars: follows the table of a grammar with a set of whole stacks, one byte at a time,
 * without memory of earlier steps.
 */

/** A state, and the states to which the rules that are open return, innermost last. */
type Place = readonly [state: number, ...returns: number[]];

export class SlowGrammar {
  private readonly states: number;
  private readonly edges: number;

  constructor(private readonly table: Int32Array) {
    this.states = table[0] as number;
    this.edges = 3 + 2 * this.states + 1;
  }

  get start(): Place[] {
    return this.closed([[this.table[2] as number]]);
  }

  next(places: readonly Place[], byte: number): Place[] {
    const after: Place[] = [];
    for (const [state, ...returns] of places) {
      for (const { low, high, to } of this.edgesOf(state))
        if (low >= 0 && low <= byte && byte <= high) after.push([to, ...returns]);
    }
    return this.closed(after);
  }

  /** Whether the text so far is one of the grammar's. */
  isComplete(places: readonly Place[]): boolean {
    return places.some(([state, ...returns]) => returns.length === 0 && this.isEnd(state));
  }

  /** The bytes that can follow. */
  bytesAfter(places: readonly Place[]): number[] {
    const bytes = new Set<number>();
    for (const [state] of places) {
      for (const { low, high } of this.edgesOf(state))
        for (let byte = low; low >= 0 && byte <= high; byte++) bytes.add(byte);
    }
    return [...bytes].sort((one, other) => one - other);
  }

  private closed(places: readonly Place[]): Place[] {
    const found = new Map(places.map((place) => [place.join(" "), place]));
    for (const [state, ...returns] of found.values()) {
      const next: Place[] = this.edgesOf(state)
        .filter(({ low }) => low < 0)
        .map(({ to, callee }): Place => (callee < 0 ? [to, ...returns] : [callee, ...returns, to]));
      const last = returns.at(-1);
      if (this.isEnd(state) && last !== undefined) next.push([last, ...returns.slice(0, -1)]);
      for (const place of next) if (!found.has(place.join(" "))) found.set(place.join(" "), place);
    }
    return [...found.values()];
  }

  private isEnd(state: number): boolean {
    return this.table[3 + this.states + 1 + state] === 1;
  }

  private edgesOf(state: number) {
    const [first, end] = [this.table[3 + state] as number, this.table[4 + state] as number];
    return Array.from({ length: end - first }, (_, index) => {
      const at = this.edges + 4 * (first + index);
      const [low, high, to, callee] = this.table.subarray(at, at + 4) as unknown as [number, number, number, number];
      return { low, high, to, callee };
    });
  }
}
