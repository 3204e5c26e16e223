/** The values that were used last, by key. */
export class RecentCache<T> {
  private readonly values = new Map<string, T>();

  constructor(private readonly most: number) {}

  get(key: string, create: () => T): T {
    const value = this.values.get(key) ?? create();
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.most) this.values.delete(this.values.keys().next().value as string);
    return value;
  }
}
