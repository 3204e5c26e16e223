/** Shards of episodes, by which the gyms of a fleet share them. */

/** Number of shards. An episode's shard is its key modulo this number, and a shard has at most one owner. */
export const shardCount = 4_096;

/** Number of keys of each shard that a gym of a fleet takes at a time. */
export const keysPerBlock = 1_000;

export function shardOf(key: number): number {
  return key % shardCount;
}
