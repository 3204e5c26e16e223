/** Ids of sessions: random ones as text, and those of sessions that are not in the log. */
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
 * Number of sessions of one owner that are kept in memory only. A further one replaces the oldest, so that a client that
 * opens sessions without end costs little memory, and costs no other owner a session.
 */
const mostUnstored = 1_000;

/** Ids of the sessions that are not in the log, because they have had no episode yet. */
export class UnstoredIds {
  /** Owner of each id, from the oldest id to the newest. */
  private readonly owners = new Map<number, string>();
  private readonly byOwner = new Map<string, Set<number>>();

  has(id: number): boolean {
    return this.owners.has(id);
  }

  /** Adds an id. Returns the id that it replaces, or undefined. */
  add(owner: string, id: number): number | undefined {
    const own = this.byOwner.get(owner) ?? new Set();
    this.byOwner.set(owner, own.add(id));
    this.owners.set(id, owner);
    return own.size > mostUnstored ? own.values().next().value : undefined;
  }

  delete(id: number): void {
    const owner = this.owners.get(id);
    if (owner === undefined) return;
    this.owners.delete(id);
    const own = this.byOwner.get(owner);
    own?.delete(id);
    if (own?.size === 0) this.byOwner.delete(owner);
  }
}
