/** Values that are expensive to make and follow from their key alone. The ones used last are kept. */
export class Recent<T> {
  /** The one used longest ago first. */
  private readonly values = new Map<string, T>();

  /**
   * @param most values that are kept at a time
   * @param onDropped is called with a value that is kept no longer
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
