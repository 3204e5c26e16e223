/** Ids of sessions as random numbers and as text, and values of sessions that are not in the log. */
import { randomBytes } from "node:crypto";

/** Returns a random integer of 53 bits. */
export function randomId(): number {
  return Number(randomBytes(8).readBigUInt64BE() >> 11n);
}

/** Writes a random id as text. */
export function nameOf(id: number): string {
  return `s${id.toString(36)}`;
}

/** Returns the id in a text of `nameOf`, or null if the text is different. */
export function idOf(name: string): number | null {
  const id = /^s[0-9a-z]{1,11}$/.test(name) ? Number.parseInt(name.slice(1), 36) : Number.NaN;
  return Number.isSafeInteger(id) && nameOf(id) === name ? id : null;
}

/**
 * Values of sessions that are kept in memory only, with a limit for each owner. A further value of an owner replaces the
 * owner's oldest, so that a client without end costs little memory, and costs no other owner a value.
 */
export class OwnedValues<T> {
  /** Values from the oldest to the newest, by session. */
  private readonly values = new Map<number, { owner: string; value: T }>();
  private readonly byOwner = new Map<string, Set<number>>();

  constructor(private readonly mostPerOwner: number) {}

  has(id: number): boolean {
    return this.values.has(id);
  }

  get(id: number): T | undefined {
    return this.values.get(id)?.value;
  }

  /** Sets the value of a session. Returns the session whose value it replaces, or undefined. */
  set(owner: string, id: number, value: T): number | undefined {
    this.delete(id);
    const own = this.byOwner.get(owner) ?? new Set();
    this.byOwner.set(owner, own.add(id));
    this.values.set(id, { owner, value });
    if (own.size <= this.mostPerOwner) return undefined;
    const [oldest] = own;
    this.delete(oldest as number);
    return oldest;
  }

  delete(id: number): void {
    const owner = this.values.get(id)?.owner;
    if (owner === undefined) return;
    this.values.delete(id);
    const own = this.byOwner.get(owner);
    own?.delete(id);
    if (own?.size === 0) this.byOwner.delete(owner);
  }
}
