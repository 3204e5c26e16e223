/** LRU cache for values that are expensive to compute and depend only on their keys. */
export class Recent<T> {
  /** Values by key, with the least recently used value first. */
  private readonly values = new Map<string, T>();

  /**
   * @param most maximum number of values
   * @param onDropped function called with each evicted value
   */
  constructor(
    private readonly most: number,
    private readonly onDropped: (value: T) => void = () => {},
  ) {}

  get(key: string): T | undefined {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  set(key: string, value: T): T {
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.most) this.dropOldest();
    return value;
  }

  private dropOldest(): void {
    const [key, value] = this.values.entries().next().value as [string, T];
    this.values.delete(key);
    this.onDropped(value);
  }
}
