/** Pseudorandom numbers that depend only on keys, so that the draws of each turn of an episode can be repeated. */

/** Makes a generator of uniform 32-bit numbers in [0, 1). Equal keys give equal sequences. Not for secrets. */
export function keyedRandom(...keys: readonly number[]): () => number {
  let state = keyedHash(...keys);
  // SplitMix32: a Weyl sequence through MurmurHash3's finalizer.
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** Hashes integers of up to 53 bits to a number from 0 to 2^32 - 1. */
export function keyedHash(...keys: readonly number[]): number {
  return keys.reduce(
    (hash, key) => mix((mix((hash ^ (key >>> 0)) >>> 0) + Math.floor(key / 2 ** 32)) >>> 0),
    keys.length,
  );
}

/** MurmurHash3's finalizer: each bit of the input changes half of the output's bits on average. */
function mix(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
