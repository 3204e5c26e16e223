/** Orders and seeds that follow from numbers alone, so that they need no state to come again. */

/** A number of 32 random bits for any list of whole numbers: SplitMix32's finaliser (Steele et al. 2014), chained. */
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
 * The number at a place of an order of 0 to count - 1, of which every key has its own: a Feistel network over the next
 * power of 4, walked until it comes back below count (Black and Rogaway 2002). It needs no list, so that the orders of
 * splits as large as all seeds cost nothing.
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

/** A permutation of the numbers of `2 * bits` bits. */
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
