import { randomBytes } from "node:crypto";

/**
 * Episode ids are `ep-<key>-<nonce>`. The key identifies the row in the log, so no other index is needed. The nonce (80
 * random bits) prevents callers from guessing ids of other callers.
 */
const pattern = /^ep-([1-9][0-9]{0,14})-[0-9a-f]{20}$/;

export function createEpisodeId(key: number): string {
  return `ep-${key}-${randomBytes(10).toString("hex")}`;
}

/** Returns the key in an id, or null if the id is malformed. */
export function keyOf(id: string): number | null {
  const match = pattern.exec(id);
  return match ? Number(match[1]) : null;
}
