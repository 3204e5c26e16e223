/** Events in the order of their times. Events of equal time keep the order in which they were added. */
export class EventHeap<T> {
  private readonly times: number[] = [];
  private readonly orders: number[] = [];
  private readonly values: T[] = [];
  private added = 0;

  get size(): number {
    return this.times.length;
  }

  /** Time of the first event, or infinity if there is none. */
  get nextAt(): number {
    return this.times[0] ?? Number.POSITIVE_INFINITY;
  }

  add(at: number, value: T): void {
    const order = this.added++;
    let hole = this.times.length;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!this.isAfter(parent, at, order)) break;
      this.move(parent, hole);
      hole = parent;
    }
    this.put(hole, at, order, value);
  }

  /** Removes the first event. The heap must not be empty. */
  take(): T {
    const first = this.values[0] as T;
    const last = this.times.length - 1;
    const [at, order, value] = [this.times[last] as number, this.orders[last] as number, this.values[last] as T];
    this.times.pop();
    this.orders.pop();
    this.values.pop();
    if (last > 0) this.put(this.sink(at, order), at, order, value);
    return first;
  }

  /** Moves a hole from the top to the place of an event. */
  private sink(at: number, order: number): number {
    const size = this.times.length;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) return hole;
      const right = child + 1;
      if (right < size && this.isAfter(child, this.times[right] as number, this.orders[right] as number)) child = right;
      if (this.isAfter(child, at, order)) return hole;
      this.move(child, hole);
      hole = child;
    }
  }

  private isAfter(place: number, at: number, order: number): boolean {
    const other = this.times[place] as number;
    return other > at || (other === at && (this.orders[place] as number) > order);
  }

  private move(from: number, to: number): void {
    this.put(to, this.times[from] as number, this.orders[from] as number, this.values[from] as T);
  }

  private put(place: number, at: number, order: number, value: T): void {
    this.times[place] = at;
    this.orders[place] = order;
    this.values[place] = value;
  }
}
