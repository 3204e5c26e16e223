/** Compares formulas with variables by their values at many points. */
import type { Decimal } from "decimal.js";
import { evaluate } from "./evaluate.js";
import { OutOfBounds, one, type Rational, rational } from "./rational.js";
import { nodesOf, type Tree, variablesOf } from "./tree.js";
import { digitsOf, isSame, type Value } from "./value.js";

/** Sizes of the numbers at which formulas are compared. Small ones are in the domain of functions such as `asin`. */
const sizes = [1, 12, 1, 12, -1, 12, 1, -12, 1, 12, -1, 12] as const;
/** Sizes of further numbers, for formulas that are undefined at most of the first ones. */
const largeSizes = [100, 1_000, 100, 1_000, -100, 1_000, 100, 1_000] as const;
/** Minimum number of points at which both formulas must be defined. */
const leastPoints = 4;
/** Functions of integers. */
const ofIntegers = new Set(["factorial", "binom", "gcd", "lcm", "mod"]);

/**
 * Whether two formulas have the same values and are defined at the same points. The points depend on both formulas, so
 * that no formula can be made to agree at the points alone.
 */
export function agree(expected: Tree, given: Tree): boolean {
  return together(expected, given, (left, right) => isSame(left, right));
}

/** Returns the constant sign of the ratio of two formulas, or 0 if the ratio is not constant. */
export function ratioSign(expected: Tree, given: Tree): -1 | 0 | 1 {
  let ratio: Decimal | null = null;
  const isConstant = together(expected, given, (a, b) => {
    const [left, right] = [digitsOf(a), digitsOf(b)];
    if (left.isZero() || right.isZero()) return left.isZero() && right.isZero();
    const here = left.div(right);
    if (ratio !== null && !isSame(here.div(ratio), one)) return false;
    ratio = here;
    return true;
  });
  if (!isConstant || ratio === null) return 0;
  return (ratio as Decimal).isNeg() ? -1 : 1;
}

/** Whether a condition holds at every point where a formula is defined, and no formula is defined alone at a point. */
function together(expected: Tree, given: Tree, holds: (left: Value, right: Value) => boolean): boolean {
  let both = 0;
  const rounds = usesIntegers(expected) || usesIntegers(given) ? [[]] : [sizes, largeSizes];
  for (const round of [...rounds, []]) {
    for (const values of pointsOf(expected, given, round)) {
      const [left, right] = [valueAt(expected, values), valueAt(given, values)];
      if (left === null && right === null) continue;
      if (left === null || right === null || !holds(left, right)) return false;
      both++;
    }
    if (both >= leastPoints) return haveSameGaps(expected, given);
  }
  return false;
}

/** Whether both formulas are undefined at the same small integers: `1/x` is not `x/x^2 + 0/(x - 1)`. */
function haveSameGaps(expected: Tree, given: Tree): boolean {
  if (usesIntegers(expected) || usesIntegers(given)) return true;
  for (const values of gridOf(expected, given))
    if (isDefinedAt(expected, values) !== isDefinedAt(given, values)) return false;
  return true;
}

function isDefinedAt(tree: Tree, values: ReadonlyMap<string, Rational>): boolean {
  try {
    return valueAt(tree, values) !== null;
  } catch {
    // The value exists, but is too large.
    return true;
  }
}

/** Whether a formula is defined for integers only, such as `n!`. */
function usesIntegers(tree: Tree): boolean {
  for (const node of nodesOf(tree))
    if (node.kind === "factorial" || (node.kind === "call" && ofIntegers.has(node.name))) return true;
  return false;
}

/** Returns fractions of the given sizes as values of the variables or, without sizes, distinct integers from 1 to 24. */
function* pointsOf(expected: Tree, given: Tree, round: readonly number[]): Generator<Map<string, Rational>> {
  const names = namesIn(expected, given);
  const next = randomOf(expected, given);
  if (round.length === 0)
    for (let at = 0; at < 12; at++) yield new Map(names.map((name) => [name, rational(2 * at + 1 + (next() % 2))]));
  for (const size of round)
    yield new Map(
      names.map((name) => {
        const bottom = 64 + (next() % 64);
        return [name, rational(size * (1 + (next() % (bottom - 1))), bottom)];
      }),
    );
}

/** Returns points of small integers. For several variables, some of the points have equal values. */
function* gridOf(expected: Tree, given: Tree): Generator<Map<string, Rational>> {
  const names = namesIn(expected, given);
  for (let at = 0; at < 11; at++)
    yield new Map(names.map((name, place) => [name, rational(place === 0 ? at - 5 : ((at * (place + 1)) % 4) - 1)]));
  for (const same of [-1, 0, 1, 2]) yield new Map(names.map((name) => [name, rational(same)]));
}

function namesIn(expected: Tree, given: Tree): string[] {
  return [...new Set([expected, given].flatMap((tree) => [...variablesOf(tree)]))].sort();
}

/** Returns a generator of 31-bit numbers that depends on both formulas. */
function randomOf(...trees: readonly Tree[]): () => number {
  let state = 0x811c9dc5;
  for (const tree of trees)
    for (const node of nodesOf(tree)) {
      const text = `${node.kind} ${"text" in node ? node.text : "name" in node ? node.name : "sign" in node ? node.sign : ""} `;
      for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193) >>> 0;
    }
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 1;
  };
}

function valueAt(tree: Tree, values: ReadonlyMap<string, Rational>): Value | null {
  try {
    return evaluate(tree, values);
  } catch (error) {
    if (error instanceof OutOfBounds) throw error;
    return null;
  }
}
