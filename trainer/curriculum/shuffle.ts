/** Pseudorandom orders and seeds that are computed from numbers, so they can be repeated without a state. */

/** Hashes integers to 32 pseudorandom bits: SplitMix32's finalizer (Steele et al. 2014), chained. */
export function mixed(...numbers: number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) {
    hash = finalised((hash ^ (number >>> 0)) + 0x9e3779b9);
    hash = finalised(hash ^ Math.floor(number / 2 ** 32));
  }
  return hash;
}

function finalised(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/**
 * Returns the number at a position of a permutation of 0 to count - 1; each key has its own permutation. A Feistel
 * network over the next power of 4 is applied until the result is below count (Black and Rogaway 2002). The permutation
 * is never stored, so very large splits need no memory.
 *
 * @param count up to 2^53
 */
export function shuffled(place: number, count: number, ...key: number[]): number {
  let bits = 1;
  while (4 ** bits < count) bits += 1;
  let walked = place;
  do walked = feistel(walked, bits, key);
  while (walked >= count);
  return walked;
}

const rounds = 8;

/** Permutes numbers of `2 * bits` bits. */
function feistel(number: number, bits: number, key: readonly number[]): number {
  const half = 2 ** bits;
  let left = Math.floor(number / half);
  let right = number % half;
  for (let round = 0; round < rounds; round++) {
    const swapped = (left ^ (mixed(...key, round, right) % half)) >>> 0;
    left = right;
    right = swapped;
  }
  return left * half + right;
}
