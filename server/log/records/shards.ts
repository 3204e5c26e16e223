/** Shards of episodes, by which the gyms of a fleet share them. */

/** Number of shards. An episode's shard is its key modulo this number, and a shard has at most one owner. */
export const shardCount = 4_096;

/** Number of keys of each shard that a gym of a fleet takes at a time. */
export const keysPerBlock = 1_000;

export function shardOf(key: number): number {
  return key % shardCount;
}

/** Returns the first and the last shard of each range of shards. @param shards in ascending order */
export function rangesOf(shards: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const shard of shards) {
    const last = ranges.at(-1);
    if (last && last[1] === shard - 1) last[1] = shard;
    else ranges.push([shard, shard]);
  }
  return ranges;
}
