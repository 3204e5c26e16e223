import { randomBytes } from "node:crypto";

/**
 * Episode ids are `ep-<key>-<nonce>`: the key finds the row in the log without another index, the nonce (80 random
 * bits) keeps one caller from guessing another's.
 */
const pattern = /^ep-([1-9][0-9]{0,14})-[0-9a-f]{20}$/;

export function createEpisodeId(key: number): string {
  return `ep-${key}-${randomBytes(10).toString("hex")}`;
}

/** The key within an id, or null where it is none of ours. */
export function keyOf(id: string): number | null {
  const match = pattern.exec(id);
  return match ? Number(match[1]) : null;
}
