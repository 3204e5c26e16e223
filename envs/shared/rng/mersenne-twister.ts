/**
 * CPython 3.11's `random.Random(seed)` for integer seeds, bit for bit: MT19937 (Matsumoto and Nishimura 1998), seeded
 * with `init_by_array`, and Python's methods on top of it.
 */

const N = 624;
const M = 397;

export class MersenneTwister {
  private readonly state = new Uint32Array(N);
  /** Index of the next word in `state`. If it is N, all words are used and the next N words must be computed. */
  private position = N;

  /**
   * @param seed an integer of any size. The sign is ignored, as in Python
   * @throws {RangeError} `seed` is a number (not a bigint) that has a fraction or exceeds 2^53 - 1
   */
  constructor(seed: number | bigint) {
    initByArray(this.state, keyOf(seed));
  }

  /** Returns an independent copy in the same state. */
  clone(): MersenneTwister {
    const copy = new MersenneTwister(0);
    copy.state.set(this.state);
    copy.position = this.position;
    return copy;
  }

  /** Returns an unsigned 32-bit integer: `genrand_int32` of the reference implementation. */
  nextUint32(): number {
    if (this.position === N) {
      twist(this.state);
      this.position = 0;
    }
    let word = this.state[this.position++] as number;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** Returns a number in [0, 1) with 53 random bits. */
  random(): number {
    const high = this.nextUint32() >>> 5;
    const low = this.nextUint32() >>> 6;
    return (high * 2 ** 26 + low) * 2 ** -53;
  }

  /** Returns a number from `low` to `high`. Because of rounding, the number can equal `high`. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  /**
   * Returns an integer of `k` random bits: a number if `k` is at most 32, else a bigint. For 0 bits no draw is made.
   *
   * @throws {RangeError} `k` is negative or has a fraction
   */
  getrandbits(k: number): number | bigint {
    if (!Number.isSafeInteger(k) || k < 0)
      throw new RangeError(`expected an integer of at least 0 as the number of bits, but received ${k}`);
    if (k <= 32) return k === 0 ? 0 : this.nextUint32() >>> (32 - k);
    let bits = 0n;
    for (let filled = 0; filled < k; filled += 32) {
      bits |= BigInt(this.nextUint32() >>> Math.max(0, 32 - (k - filled))) << BigInt(filled);
    }
    return bits;
  }

  /**
   * Returns an integer in [0, n): `_randbelow` of Python's standard library.
   *
   * @param n from 1 to 2^53
   * @throws {RangeError}
   */
  randbelow(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 2 ** 53) {
      throw new RangeError(`expected an integer from 1 to 2^53, but received ${n}`);
    }
    if (n < 2 ** 32) {
      const shift = Math.clz32(n);
      let drawn = this.nextUint32() >>> shift;
      while (drawn >= n) drawn = this.nextUint32() >>> shift;
      return drawn;
    }
    const shift = Math.clz32(n / 2 ** 32);
    let drawn = this.nextUint32() + (this.nextUint32() >>> shift) * 2 ** 32;
    while (drawn >= n) drawn = this.nextUint32() + (this.nextUint32() >>> shift) * 2 ** 32;
    return drawn;
  }

  /** Returns an integer from `low` to `high` inclusive. @throws {RangeError} the range is empty or has more than 2^53 values */
  randint(low: number, high: number): number {
    return low + this.randbelow(high - low + 1);
  }

  /**
   * Returns an integer of a range, with the arguments of Python's `randrange(stop)`, `randrange(start, stop)` or
   * `randrange(start, stop, step)`.
   *
   * @throws {RangeError} the range is empty or has more than 2^53 values, or the step is 0
   */
  randrange(start: number, stop?: number, step = 1): number {
    if (stop === undefined) return this.randbelow(start);
    return start + step * this.randbelow(Math.ceil((stop - start) / step));
  }

  /** Returns one of `items`, each with the same probability. @throws {RangeError} the list is empty */
  choice<T>(items: readonly T[]): T {
    return items[this.randbelow(items.length)] as T;
  }

  /** Shuffles a list in place. */
  shuffle<T>(items: T[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.randbelow(i + 1);
      const moved = items[i] as T;
      items[i] = items[j] as T;
      items[j] = moved;
    }
  }

  /**
   * Returns `k` items from different positions of a list, in the order in which they were drawn.
   *
   * @throws {RangeError} `k` is not from 0 to the number of items
   */
  sample<T>(items: readonly T[], k: number): T[] {
    const n = items.length;
    if (!Number.isInteger(k) || k < 0 || k > n)
      throw new RangeError(`expected an integer from 0 to ${n} as the number of items, but received ${k}`);
    return n <= setSize(k) ? this.sampleFromPool(items, k) : this.sampleBySet(items, k);
  }

  private sampleFromPool<T>(items: readonly T[], k: number): T[] {
    const pool = [...items];
    return Array.from({ length: k }, (_, i) => {
      const left = pool.length - i;
      const j = this.randbelow(left);
      const selected = pool[j] as T;
      pool[j] = pool[left - 1] as T;
      return selected;
    });
  }

  private sampleBySet<T>(items: readonly T[], k: number): T[] {
    const selected = new Set<number>();
    while (selected.size < k) selected.add(this.randbelow(items.length));
    return [...selected].map((j) => items[j] as T);
  }
}

/**
 * Returns CPython's estimate of the memory of a set with `k` entries. `sample` copies the list if it is not longer than
 * this.
 */
function setSize(k: number): number {
  if (k <= 5) return 21;
  // Computes 4 ** ceil(log(3k, 4)) in integers. 3k is never a power of 4, so CPython's rounding of the logarithm has no
  // effect.
  let table = 1;
  while (table < 3 * k) table *= 4;
  return 21 + table;
}

function keyOf(seed: number | bigint): number[] {
  if (typeof seed === "number" && !Number.isSafeInteger(seed)) {
    throw new RangeError(`expected an integer as the seed (a bigint above 2^53 - 1), but received ${seed}`);
  }
  const key: number[] = [];
  const wide = BigInt(seed);
  for (let rest = wide < 0n ? -wide : wide; rest > 0n; rest >>= 32n) key.push(Number(rest & 0xffffffffn));
  return key.length > 0 ? key : [0];
}

/** Seeds the state like the reference implementation of 2002: `init_genrand(19650218)`, then `init_by_array`. */
function initByArray(state: Uint32Array, key: readonly number[]): void {
  const previous = (i: number) => {
    const word = state[i - 1] as number;
    return word ^ (word >>> 30);
  };
  state[0] = 19650218;
  for (let i = 1; i < N; i++) state[i] = Math.imul(previous(i), 1812433253) + i;

  let i = 1;
  const advance = () => {
    i += 1;
    if (i < N) return;
    state[0] = state[N - 1] as number;
    i = 1;
  };
  for (let k = 0; k < Math.max(N, key.length); k++) {
    const j = k % key.length;
    state[i] = ((state[i] as number) ^ Math.imul(previous(i), 1664525)) + (key[j] as number) + j;
    advance();
  }
  for (let k = 1; k < N; k++) {
    state[i] = ((state[i] as number) ^ Math.imul(previous(i), 1566083941)) - i;
    advance();
  }
  state[0] = 0x80000000;
}

/** Replaces the 624 words of the state with the next 624 words of MT19937's recurrence. */
function twist(state: Uint32Array): void {
  for (let i = 0; i < N; i++) {
    const next = state[i + 1 === N ? 0 : i + 1] as number;
    const y = ((state[i] as number) & 0x80000000) | (next & 0x7fffffff);
    const far = state[i + M < N ? i + M : i + M - N] as number;
    state[i] = far ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}
