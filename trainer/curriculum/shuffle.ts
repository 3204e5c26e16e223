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

/** 0 to count - 1 in an order of their own for every key (Fisher and Yates). */
export function shuffled(count: number, ...key: number[]): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    // 53 bits over at most 2^32 places: the bias is below 1 in 2 million.
    const draw = mixed(...key, last) * 2 ** 21 + (mixed(...key, last, 1) >>> 11);
    const place = Math.floor((draw / 2 ** 53) * (last + 1));
    const moved = order[last] as number;
    order[last] = order[place] as number;
    order[place] = moved;
  }
  return order;
}
