import { functionValue } from "./functions.js";
import * as rationals from "./rational.js";
import { type Rational, rational } from "./rational.js";
import { NotAFormula, type Tree } from "./tree.js";
import { bounded, Digits, digitsOf, isExact, type Value } from "./value.js";

/**
 * Returns the value of a formula.
 *
 * @param variables values of the variables by name
 * @throws {NotAFormula} a variable has no value
 * @throws {RangeError} the formula has no value, such as a division by 0 or a root of a negative number
 * @throws {OutOfBounds} the value is too large
 */
export function evaluate(tree: Tree, variables: ReadonlyMap<string, Rational> = new Map()): Value {
  const of = (part: Tree) => evaluate(part, variables);
  switch (tree.kind) {
    case "number":
      return tree.value;
    case "name":
      return valueOfName(tree.name, variables);
    case "negative":
      return negate(of(tree.of));
    case "percent":
      return binary("/", of(tree.of), rational(100));
    case "mixed":
      return binary("+", of(tree.whole), of(tree.part));
    case "factorial":
      return functionValue("factorial", [of(tree.of)]);
    case "call":
      return functionValue(tree.name, tree.of.map(of));
    case "binary":
      return binary(tree.sign, of(tree.left), of(tree.right));
  }
}

function valueOfName(name: string, variables: ReadonlyMap<string, Rational>): Value {
  const value = variables.get(name);
  if (value) return value;
  if (name === "pi") return Digits.acos(-1);
  if (name === "e") return Digits.exp(1);
  throw new NotAFormula(`expected numbers, signs and functions, but received the name ${JSON.stringify(name)}`);
}

function negate(value: Value): Value {
  return isExact(value) ? rationals.negate(value) : value.neg();
}

function binary(sign: "+" | "-" | "*" | "/" | "^", a: Value, b: Value): Value {
  if (sign === "^") return power(a, b);
  if (isExact(a) && isExact(b)) {
    const { add, subtract, multiply, divide } = rationals;
    return { "+": add, "-": subtract, "*": multiply, "/": divide }[sign](a, b);
  }
  const [left, right] = [digitsOf(a), digitsOf(b)];
  if (sign === "/" && right.isZero()) throw new RangeError("expected a nonzero divisor, but received 0");
  const name = { "+": "add", "-": "sub", "*": "mul", "/": "div" } as const;
  return bounded(left[name[sign]](right));
}

function power(base: Value, exponent: Value): Value {
  if (isExact(base) && isExact(exponent)) {
    if (rationals.isWhole(exponent)) return rationals.power(base, exponent.top);
    // The root is taken first, so that an exact root stays exact.
    const root = rationals.exactRoot(base, exponent.bottom);
    if (root) return rationals.power(root, exponent.top);
  }
  const [left, right] = [digitsOf(base), digitsOf(exponent)];
  if (left.isZero() && right.isNeg()) throw new RangeError("expected a nonzero divisor, but received 0");
  // The cube root of a negative number is real.
  if (left.isNeg() && isExact(exponent) && exponent.bottom % 2n === 1n && exponent.bottom > 1n) {
    const magnitude = bounded(left.neg().pow(right));
    return exponent.top % 2n === 0n ? magnitude : magnitude.neg();
  }
  if (left.isNeg() && !left.isZero() && !right.isInteger())
    throw new RangeError(
      `expected a base of at least 0 for a fractional exponent, but received ${left.toSignificantDigits(6)}`,
    );
  return bounded(left.pow(right));
}
