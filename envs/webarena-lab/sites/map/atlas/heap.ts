/** A binary heap of items with costs. The item with the lowest cost comes first. */
interface Entry {
  item: number;
  cost: number;
}

export class Heap {
  private readonly entries: Entry[] = [];

  push(item: number, cost: number): void {
    const { entries } = this;
    entries.push({ item, cost });
    for (let at = entries.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if ((entries[parent] as Entry).cost <= (entries[at] as Entry).cost) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  pop(): Entry | undefined {
    const { entries } = this;
    const [first] = entries;
    const last = entries.pop();
    if (!first || !last || entries.length === 0) return first;
    entries[0] = last;
    this.sink();
    return first;
  }

  private sink(): void {
    const { entries } = this;
    for (let at = 0; ; ) {
      const children = [at * 2 + 1, at * 2 + 2].filter((child) => child < entries.length);
      const [best] = children.sort((one, other) => this.cost(one) - this.cost(other));
      if (best === undefined || this.cost(best) >= this.cost(at)) return;
      this.swap(at, best);
      at = best;
    }
  }

  private cost(at: number): number {
    return (this.entries[at] as Entry).cost;
  }

  private swap(one: number, other: number): void {
    const kept = this.entries[one] as Entry;
    this.entries[one] = this.entries[other] as Entry;
    this.entries[other] = kept;
  }
}
