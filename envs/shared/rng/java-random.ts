/**
 * `java.util.Random`, bit for bit, as specified in the Java API: a 48-bit linear congruential generator that outputs
 * its high bits (Knuth, The Art of Computer Programming 2, 3.2.1). The state is stored in two halves of 24 bits, so
 * that every product is exact in a double.
 */

const MULTIPLIER = 0x5deece66dn;
const MULTIPLIER_HIGH = Number(MULTIPLIER >> 24n);
const MULTIPLIER_LOW = Number(MULTIPLIER & 0xffffffn);
const ADDEND = 0xb;
const HALF = 2 ** 24;

export class JavaRandom {
  private high = 0;
  private low = 0;
  /** Second number of the last pair that `nextGaussian` computed, if it is unused. */
  private spareGaussian: number | null = null;

  /**
   * @param seed an integer, of which only the low 48 bits are used
   * @throws {RangeError} `seed` is a number (not a bigint) that has a fraction or exceeds 2^53 - 1
   */
  constructor(seed: number | bigint) {
    this.setSeed(seed);
  }

  /** Resets the generator to the state of a new generator with this seed. @throws {RangeError} as in the constructor */
  setSeed(seed: number | bigint): void {
    if (typeof seed === "number" && !Number.isSafeInteger(seed)) {
      throw new RangeError(`expected an integer as the seed (a bigint above 2^53 - 1), but received ${seed}`);
    }
    const state = BigInt.asUintN(48, BigInt(seed) ^ MULTIPLIER);
    this.high = Number(state >> 24n);
    this.low = Number(state & 0xffffffn);
    this.spareGaussian = null;
  }

  /** Returns an independent copy in the same state. */
  clone(): JavaRandom {
    const copy = new JavaRandom(0);
    copy.high = this.high;
    copy.low = this.low;
    copy.spareGaussian = this.spareGaussian;
    return copy;
  }

  /** Returns the next `bits` bits (1 to 32). The result for 32 bits is a signed integer. */
  next(bits: number): number {
    const low = this.low * MULTIPLIER_LOW + ADDEND;
    const carry = Math.floor(low / HALF);
    this.high = (Math.imul(this.high, MULTIPLIER_LOW) + Math.imul(this.low, MULTIPLIER_HIGH) + carry) & 0xffffff;
    this.low = low % HALF;
    const word = (this.high << 8) | (this.low >>> 16);
    return bits === 32 ? word : word >>> (32 - bits);
  }

  /**
   * Returns an integer in [0, bound), or a signed 32-bit integer if `bound` is omitted.
   *
   * @throws {RangeError} `bound` is not an integer from 1 to 2^31 - 1
   */
  nextInt(bound?: number): number {
    if (bound === undefined) return this.next(32);
    if (!Number.isInteger(bound) || bound < 1 || bound > 0x7fffffff) {
      throw new RangeError(`expected an integer from 1 to 2^31 - 1 as the bound, but received ${bound}`);
    }
    // For a power of two, Java takes the high bits, which are more random in this generator.
    if ((bound & (bound - 1)) === 0) return this.next(31) >>> Math.clz32(bound);
    let drawn = this.next(31);
    let value = drawn % bound;
    while (drawn - value + bound - 1 > 0x7fffffff) {
      drawn = this.next(31);
      value = drawn % bound;
    }
    return value;
  }

  nextLong(): bigint {
    const high = BigInt(this.next(32));
    return BigInt.asIntN(64, (high << 32n) + BigInt(this.next(32)));
  }

  nextBoolean(): boolean {
    return this.next(1) !== 0;
  }

  /** Returns a number in [0, 1) with 24 random bits. */
  nextFloat(): number {
    return this.next(24) / HALF;
  }

  /** Returns a number in [0, 1) with 53 random bits. */
  nextDouble(): number {
    const high = this.next(26) * 2 ** 27;
    return (high + this.next(27)) * 2 ** -53;
  }

  /**
   * Returns a sample of the standard normal distribution, computed with the polar method (Knuth 3.4.1, algorithm P).
   */
  nextGaussian(): number {
    if (this.spareGaussian !== null) {
      const spare = this.spareGaussian;
      this.spareGaussian = null;
      return spare;
    }
    for (;;) {
      const v1 = 2 * this.nextDouble() - 1;
      const v2 = 2 * this.nextDouble() - 1;
      const s = v1 * v1 + v2 * v2;
      if (s >= 1 || s === 0) continue;
      // Java uses the logarithm of fdlibm, as V8 does.
      const multiplier = Math.sqrt((-2 * Math.log(s)) / s);
      this.spareGaussian = v2 * multiplier;
      return v1 * multiplier;
    }
  }
}

/** Returns a shuffled copy, with the same draws as `java.util.Collections.shuffle` and Scala's `Random.shuffle`. */
export function shuffled<T>(values: readonly T[], random: JavaRandom): T[] {
  const out = [...values];
  for (let left = out.length; left >= 2; left--) {
    const drawn = random.nextInt(left);
    [out[left - 1], out[drawn]] = [out[drawn] as T, out[left - 1] as T];
  }
  return out;
}
