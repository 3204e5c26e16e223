/** Values that are derived from files, and derived again only when a file has changed. */
import { type Stats, statSync } from "node:fs";

/**
 * Returns a text that changes when one of the files or folders is written, replaced, created or removed. A missing one has
 * an empty stamp.
 */
export function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const found = statsOf(path);
      return found ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : "";
    })
    .join("\n");
}

/**
 * Returns the stats of a file, or undefined if it cannot be read. The call is synchronous: in a thread of its own it costs
 * a tenth of an asynchronous one.
 */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export class Derived<T> {
  private stamp: string | undefined;
  private value: Promise<T> | undefined;

  /** @param derive reads the files. An error is not kept */
  constructor(
    private readonly paths: readonly string[],
    private readonly derive: () => Promise<T>,
  ) {}

  get(): Promise<T> {
    const stamp = stampOf(this.paths);
    if (this.value && stamp === this.stamp) return this.value;
    // The stamp is older than the value, so that a change in between derives it again.
    this.stamp = stamp;
    const value = this.derive();
    this.value = value;
    value.catch(() => {
      if (this.value === value) this.value = undefined;
    });
    return value;
  }
}
