/**
 * `numpy.random.default_rng(seed)`, that is `Generator(PCG64(SeedSequence(seed)))`, bit for bit.
 *
 * PCG64 is the setseq-128 XSL-RR member of the PCG family (O'Neill 2014): a 128-bit linear congruential generator. Each
 * call advances the state and reduces the new state to 64 bits. SeedSequence is numpy's seeding algorithm, which is
 * based on O'Neill's `seed_seq_fe`. Numbers of more than 32 bits are stored in 32-bit limbs, least significant first.
 */

const TWO_32 = 2 ** 32;
const HIGH_WORD = 2 ** -32;
/** The product of a smaller number and 32 bits is exact in a double. */
const EXACT_COUNT = 2 ** 21;
const POOL_WORDS = 4;
const INIT_A = 0x43b0d7e5;
const MULT_A = 0x931e8875;
const INIT_B = 0x8b51f9dd;
const MULT_B = 0x58f38ded;
const MIX_MULT_L = 0xca01f9dd;
const MIX_MULT_R = 0x4973f715;

/** numpy's `SeedSequence(entropy)` without a spawn key. */
export class SeedSequence {
  /** Pool of 128 bits, into which all bits of the entropy are mixed. */
  readonly pool: number[] = [0, 0, 0, 0];

  /**
   * @param entropy a non-negative integer of any size
   * @throws {RangeError} `entropy` is negative, or a number (not a bigint) that has a fraction or exceeds 2^53 - 1
   */
  constructor(entropy: number | bigint) {
    const words = toWords(entropy);
    const { pool } = this;
    const hash = hasher(INIT_A, MULT_A);
    const mixInto = (target: number, word: number) => {
      pool[target] = mix(pool[target] as number, hash(word));
    };
    for (let i = 0; i < POOL_WORDS; i++) pool[i] = hash(words[i] ?? 0);
    for (let source = 0; source < POOL_WORDS; source++) {
      for (let target = 0; target < POOL_WORDS; target++) {
        if (source !== target) mixInto(target, pool[source] as number);
      }
    }
    for (let i = POOL_WORDS; i < words.length; i++) {
      for (let target = 0; target < POOL_WORDS; target++) mixInto(target, words[i] as number);
    }
  }

  /** Returns the first `count` 32-bit words of seed material: numpy's `generate_state(count)`. */
  generateState(count: number): number[] {
    const hash = hasher(INIT_B, MULT_B);
    const words: number[] = [];
    for (let i = 0; i < count; i++) words.push(hash(this.pool[i % POOL_WORDS] as number));
    return words;
  }
}

function hasher(initial: number, multiplier: number): (word: number) => number {
  let constant = initial;
  return (word) => {
    const mixed = word ^ constant;
    constant = Math.imul(constant, multiplier);
    const product = Math.imul(mixed, constant);
    return (product ^ (product >>> 16)) >>> 0;
  };
}

function mix(x: number, y: number): number {
  const sum = (Math.imul(MIX_MULT_L, x) - Math.imul(MIX_MULT_R, y)) | 0;
  return (sum ^ (sum >>> 16)) >>> 0;
}

function toWords(entropy: number | bigint): number[] {
  if (entropy < 0 || (typeof entropy === "number" && !Number.isSafeInteger(entropy))) {
    throw new RangeError(
      `expected an integer of at least 0 as the seed (a bigint above 2^53 - 1), but received ${entropy}`,
    );
  }
  if (typeof entropy === "number") return [entropy >>> 0, Math.floor(entropy / TWO_32)];
  const words: number[] = [];
  for (let rest = entropy; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words;
}

/** `numpy.random.default_rng(seed)`, with the methods that environments use. */
export class Pcg64 {
  /** Limbs 0 to 3 are the state, 4 to 7 the increment, 8 and 9 the latest 64-bit output. */
  private readonly limbs = new Uint32Array(10);
  /**
   * Whether `spare` contains the unused high half of the last output drawn by `nextUint32`. Other draws do not use or
   * change it.
   */
  private hasSpare = false;
  private spare = 0;

  /**
   * @param seed a non-negative integer of any size
   * @throws {RangeError} as for `SeedSequence`
   */
  constructor(seed: number | bigint) {
    this.seed(seed);
  }

  /** Resets the generator to the state of a new generator with this seed. @throws {RangeError} as in the constructor */
  seed(seed: number | bigint): void {
    const { limbs } = this;
    const words = new SeedSequence(seed).generateState(8);
    let carry = 0;
    let shifted = 1;
    for (let i = 0; i < 4; i++) {
      // The words come in pairs: the high and the low half of a 64-bit number.
      const source = (i + 2) & 3;
      const increment = words[4 + source] as number;
      limbs[4 + i] = (increment << 1) | shifted;
      shifted = increment >>> 31;
      const sum = (words[source] as number) + (limbs[4 + i] as number) + carry;
      limbs[i] = sum;
      carry = sum >= TWO_32 ? 1 : 0;
    }
    step(limbs);
    this.hasSpare = false;
  }

  /** Returns an independent copy in the same state. */
  clone(): Pcg64 {
    const copy = new Pcg64(0);
    copy.limbs.set(this.limbs);
    copy.hasSpare = this.hasSpare;
    copy.spare = this.spare;
    return copy;
  }

  /** Returns an unsigned 64-bit integer: the next output of the generator. */
  nextUint64(): bigint {
    const { limbs } = this;
    step(limbs);
    fold(limbs);
    return (BigInt(limbs[9] as number) << 32n) | BigInt(limbs[8] as number);
  }

  /** Returns an unsigned 32-bit integer: first the low half of an output and, at the next call, its high half. */
  nextUint32(): number {
    if (this.hasSpare) {
      this.hasSpare = false;
      return this.spare;
    }
    const { limbs } = this;
    step(limbs);
    fold(limbs);
    this.hasSpare = true;
    this.spare = limbs[9] as number;
    return limbs[8] as number;
  }

  /** Returns a number in [0, 1) with 53 random bits. */
  random(): number {
    const { limbs } = this;
    step(limbs);
    fold(limbs);
    return ((limbs[9] as number) * 2 ** 21 + ((limbs[8] as number) >>> 11)) * 2 ** -53;
  }

  /** Returns a number from `low` to `high`. Because of rounding, the number can equal `high`. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  /**
   * Returns an integer in [low, high), like numpy's `integers` with its default type int64. If only one value is
   * possible, no draw is made.
   *
   * @throws {RangeError} `low` or `high` is not a safe integer, or the range is empty or has more than 2^53 values
   */
  integers(low: number, high: number): number {
    const count = high - low;
    if (!(count >= 1 && count <= 2 ** 53 && Number.isSafeInteger(low) && Number.isSafeInteger(high))) {
      throw new RangeError(
        `expected safe integers low and high with 1 to 2^53 integers in [low, high), but received [${low}, ${high})`,
      );
    }
    if (count < TWO_32) return low + this.below(count);
    return low + (count === TWO_32 ? this.nextUint32() : this.below64(count));
  }

  /** Returns `integers(0, count)`, without a check of the argument. @param count an integer from 1 to 2^32 - 1 */
  below(count: number): number {
    return count === 1 ? 0 : this.below32(count);
  }

  /** Returns one of `items`, each with the same probability. @throws {RangeError} the list is empty */
  choice<T>(items: readonly T[]): T {
    return items[this.integers(0, items.length)] as T;
  }

  /** Shuffles a list in place. As in numpy, indices are drawn by masked rejection sampling, not with `integers`. */
  shuffle<T>(items: T[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const mask = 0xffffffff >>> Math.clz32(i);
      let j = (this.nextUint32() & mask) >>> 0;
      while (j > i) j = (this.nextUint32() & mask) >>> 0;
      const moved = items[i] as T;
      items[i] = items[j] as T;
      items[j] = moved;
    }
  }

  /**
   * Returns an integer in [0, count) for a `count` below 2^32. Source: Lemire 2019, "Fast random integer generation in
   * an interval".
   */
  private below32(count: number): number {
    let draw = this.nextUint32();
    let low = Math.imul(draw, count) >>> 0;
    if (low < count) {
      const threshold = (TWO_32 - count) % count;
      while (low < threshold) {
        draw = this.nextUint32();
        low = Math.imul(draw, count) >>> 0;
      }
    }
    if (count < EXACT_COUNT) return (draw * count * HIGH_WORD) | 0;
    // The product of up to 64 bits is rounded to 53, but without `low` the difference is a multiple of 2^32.
    return Math.round((draw * count - low) / TWO_32);
  }

  /**
   * Returns an integer in [0, count) for a `count` above 2^32, with the method of `below32`. BigInt is slow, but no
   * environment makes such draws in a loop.
   */
  private below64(count: number): number {
    const wide = BigInt(count);
    const threshold = (2n ** 64n - wide) % wide;
    let product = this.nextUint64() * wide;
    while (BigInt.asUintN(64, product) < threshold) product = this.nextUint64() * wide;
    return Number(product >> 64n);
  }
}

// The multiplier 0x2360ed051fc65da44385df649fccf645 in 32-bit limbs, and the lower three in 16-bit pieces.
const M0 = 0x9fccf645;
const M1 = 0x4385df64;
const M2 = 0x1fc65da4;
const M3 = 0x2360ed05;
const A0 = M0 & 0xffff;
const A1 = M0 >>> 16;
const A2 = M1 & 0xffff;
const A3 = M1 >>> 16;
const A4 = M2 & 0xffff;
const A5 = M2 >>> 16;

/**
 * Advances the state: state = state * multiplier + increment (mod 2^128).
 *
 * The product of a 32-bit limb and a 16-bit piece of the multiplier has 48 bits, so the column sums c0 to c5 (one
 * column every 16 bits) are exact in a double. Each sum is split into a low and a high word, and carries are added in
 * 16-bit digits, so the sums do not depend on each other. Carries in doubles would take 1.5 times as long. The fourth
 * limb needs no column, since its overflow is discarded.
 */
function step(limbs: Uint32Array): void {
  const a = limbs[0] as number;
  const b = limbs[1] as number;
  const c = limbs[2] as number;
  const d = limbs[3] as number;
  const c0 = a * A0 + (limbs[4] as number);
  const c1 = a * A1;
  const c2 = a * A2 + b * A0 + (limbs[5] as number);
  const c3 = a * A3 + b * A1;
  const c4 = a * A4 + b * A2 + c * A0 + (limbs[6] as number);
  const c5 = a * A5 + b * A3 + c * A1;
  const digit1 = (c0 >>> 16) + (c1 & 0xffff);
  const digit2 = ((c0 * HIGH_WORD) | 0) + (c1 >>> 16) + (c2 & 0xffff) + (digit1 >>> 16);
  const digit3 = ((c1 * HIGH_WORD) | 0) + (c2 >>> 16) + (c3 & 0xffff) + (digit2 >>> 16);
  const digit4 = ((c2 * HIGH_WORD) | 0) + (c3 >>> 16) + (c4 & 0xffff) + (digit3 >>> 16);
  const digit5 = ((c3 * HIGH_WORD) | 0) + (c4 >>> 16) + (c5 & 0xffff) + (digit4 >>> 16);
  const above = ((c4 * HIGH_WORD) | 0) + (c5 >>> 16) + (digit5 >>> 16) + (((c5 * HIGH_WORD) | 0) << 16);
  const products = Math.imul(a, M3) + Math.imul(b, M2) + Math.imul(c, M1) + Math.imul(d, M0);
  limbs[0] = (c0 & 0xffff) | (digit1 << 16);
  limbs[1] = (digit2 & 0xffff) | (digit3 << 16);
  limbs[2] = (digit4 & 0xffff) | (digit5 << 16);
  limbs[3] = (products + above + (limbs[7] as number)) | 0;
}

/**
 * Writes the 64-bit output (XSL-RR): the xor of the state's halves, rotated right by the value of the state's top six
 * bits.
 */
function fold(limbs: Uint32Array): void {
  const top = limbs[3] as number;
  const low = (limbs[0] as number) ^ (limbs[2] as number);
  const high = (limbs[1] as number) ^ top;
  const rotation = top >>> 26;
  const first = rotation & 32 ? high : low;
  const second = rotation & 32 ? low : high;
  const shift = rotation & 31;
  // The other part is shifted twice, since JavaScript performs a shift by 32 as a shift by 0.
  limbs[8] = (first >>> shift) | ((second << 1) << (31 - shift));
  limbs[9] = (second >>> shift) | ((first << 1) << (31 - shift));
}
