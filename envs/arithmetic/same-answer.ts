/** Compares an answer with the expected answer by value, not by notation. */
import type { Decimal } from "decimal.js";
import { type Answer, normalText, readAnswer } from "./answer.js";
import { evaluate } from "./evaluate.js";
import { OutOfBounds, one, power, type Rational, rational } from "./rational.js";
import { nodesOf, type Tree, variablesOf } from "./tree.js";
import { conversion } from "./units.js";
import { Digits, digitsOf, isExact, isSame, type Value } from "./value.js";

/** Number of points at which two formulas are compared. */
const points = 8;
/** Minimum number of points at which both formulas must be defined. */
const leastPoints = 4;
/** Minimum number of digits of an answer that rounds a number with infinitely many decimals. */
const leastDigits = 6;

/**
 * Whether an answer is right.
 *
 * @param expected an answer as a person writes it: `3/4`, `\frac{3}{4}`, `[1, 2)`, `x = 5 \text{ cm}`, `50%`
 * @param given the model's answer. The model must calculate the number: `2 + 3` does not match `5`.
 */
export function isSameAnswer(expected: string, given: string): boolean {
  const [left, right] = [normalText(expected), normalText(given)];
  if (left === "" || right === "") return false;
  if (left === right) return true;
  if (/^[a-j]$/.test(left) && choiceIn(right) === left) return true;
  try {
    return areSame(readAnswer(expected), readAnswer(given));
  } catch (error) {
    // A formula without a value, or with one that is too large, is not an answer.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the letter that a text chooses: `B` for `(B) Paris`, and undefined for `(B) and (C)`. */
function choiceIn(text: string): string | undefined {
  const choice = /^\(?([a-j])[).:]/.exec(text)?.[1];
  const named = text.replace(/\bi\.e\b|\be\.g\b/g, "").matchAll(/(?<![a-z'])([a-j])(?:[):]|$|\.[a-j](?![a-z]))/g);
  return [...named].every(([, other]) => other === choice) ? choice : undefined;
}

function areSame(expected: Answer, given: Answer): boolean {
  if (given.kind === "named" && expected.kind === "named")
    return expected.name === given.name && areSame(expected.value, given.value);
  if (given.kind === "equation" || expected.kind === "equation") return areSameEquations(expected, given);
  if (expected.kind === "named") return areSame(expected.value, given);
  if (given.kind === "named") return areSame(expected, given.value);
  if (expected.kind === "formula" && given.kind === "formula") return areSameFormulas(expected, given);
  if (expected.kind === "set") return isSameSet(expected.items, given.kind === "set" ? given.items : [given]);
  if (expected.kind === "tuple" && given.kind === "tuple")
    return (
      expected.brackets === given.brackets &&
      expected.items.length === given.items.length &&
      expected.items.every((item, at) => areSame(item, given.items[at] as Answer))
    );
  return areSameTexts(expected, given);
}

function isSameSet(expected: Answer[], given: Answer[]): boolean {
  if (expected.length !== given.length) return false;
  const left = [...given];
  return expected.every((item) => {
    const at = left.findIndex((each) => areSame(item, each));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function areSameTexts(expected: Answer, given: Answer): boolean {
  if (expected.kind !== "text" || given.kind !== "text") return false;
  return expected.text !== "" && expected.text === given.text;
}

type Formula = Extract<Answer, { kind: "formula" }>;

function areSameFormulas(expected: Formula, given: Formula): boolean {
  const factor = conversion(expected.unit, given.unit);
  if (factor === null || !usesNoOther(expected.tree, given.tree)) return false;
  if (variablesOf(expected.tree).size > 0) return agree(expected.tree, given.tree);
  if (variablesOf(given.tree).size > 0) return false;
  if (isWorkedOut(expected.tree) ? !isWorkedOut(given.tree) : isReduced(expected.tree) && !isReduced(given.tree))
    return false;
  const wanted = evaluate(expected.tree);
  return readings(given.tree, expected.tree).some(([tree, scale]) => {
    const value = scaled(evaluate(tree), scale, factor);
    return isSame(wanted, value) || isRounding(tree, value, expected.tree, wanted);
  });
}

/**
 * Returns the possible interpretations of an answer. A percent sign can be a factor or a unit: `50%` matches `0.5`, and
 * also `50` if the question asks for percent.
 */
function readings(given: Tree, expected: Tree): [tree: Tree, scale: Rational][] {
  const asUnit = (tree: Tree) => (tree.kind === "percent" ? tree.of : tree);
  if (given.kind === "percent" && expected.kind !== "percent")
    return [
      [given, one],
      [given.of, one],
    ];
  if (expected.kind === "percent" && given.kind !== "percent")
    return [
      [given, one],
      [given, rational(1, 100)],
    ];
  return [[asUnit(given), expected.kind === "percent" ? rational(1, 100) : one]];
}

function scaled(value: Value, scale: Rational, factor: Rational): Value {
  if (isExact(value)) return rational(value.top * scale.top * factor.top, value.bottom * scale.bottom * factor.bottom);
  return value.times(digitsOf(scale)).times(digitsOf(factor));
}

/**
 * Whether a formula has no numbers left to add or multiply. `3 sqrt(2)` is reduced, but `sqrt(3^2 + 9)` and `2 * 3 pi`
 * are not.
 */
function isReduced(tree: Tree): boolean {
  for (const node of nodesOf(tree)) {
    if (node.kind !== "binary" || isWorkedOut(node)) continue;
    if ((node.sign === "+" || node.sign === "-") && isRational(node.left) && isRational(node.right)) return false;
    if (node.sign === "*" && factorsOf(node).filter(isRational).length > 1) return false;
  }
  return true;
}

function factorsOf(tree: Tree): Tree[] {
  if (tree.kind === "negative") return factorsOf(tree.of);
  if (tree.kind !== "binary" || tree.sign !== "*" || isWorkedOut(tree)) return [tree];
  return [...factorsOf(tree.left), ...factorsOf(tree.right)];
}

function isRational(tree: Tree): boolean {
  for (const { kind } of nodesOf(tree)) if (kind === "name" || kind === "call") return false;
  return true;
}

/** Whether the answer is a number, a fraction, a power or a mixed number, not a sum that is still to be calculated. */
function isWorkedOut(tree: Tree): boolean {
  switch (tree.kind) {
    case "number":
      return true;
    case "negative":
    case "percent":
      return isWorkedOut(tree.of);
    case "mixed":
      return true;
    case "binary":
      if (tree.sign === "/" || tree.sign === "^") return isSigned(tree.left) && isSigned(tree.right);
      // For example, `1.5 * 10^3` counts as worked out.
      return tree.sign === "*" && isSigned(tree.left) && isPowerOfTen(tree.right);
    default:
      return false;
  }
}

function isSigned(tree: Tree): boolean {
  return tree.kind === "number" || (tree.kind === "negative" && isSigned(tree.of));
}

function isPowerOfTen(tree: Tree): boolean {
  const { kind } = tree;
  return (
    kind === "binary" &&
    tree.sign === "^" &&
    tree.left.kind === "number" &&
    tree.left.text === "10" &&
    isSigned(tree.right)
  );
}

/**
 * Whether the answer uses only roots and functions that occur in the expected answer. Without this check, `sin(1)`
 * would be a right answer to "what is sin(1)?".
 */
function usesNoOther(expected: Tree, given: Tree): boolean {
  const free = new Set(["sqrt", "root"]);
  for (const tree of nodesOf(expected)) if (tree.kind === "call") free.add(tree.name);
  for (const tree of nodesOf(given)) if (tree.kind === "call" && !free.has(tree.name)) return false;
  return true;
}

/**
 * Whether the answer is the expected value rounded to at least six digits, where the exact value has infinitely many
 * decimals.
 */
function isRounding(given: Tree, value: Value, expected: Tree, wanted: Value): boolean {
  const literal = literalOf(given);
  if (literal === null || literalOf(expected) !== null) return false;
  const [, whole = "", fraction = ""] = /^(\d*)\.(\d+)$/.exec(literal) ?? [];
  if (`${whole}${fraction}`.replace(/^0+/, "").length < leastDigits) return false;
  const half = new Digits(5).times(digitsOf(power(rational(10), BigInt(-fraction.length - 1))));
  const scale = given.kind === "percent" ? new Digits("0.01") : new Digits(1);
  return digitsOf(value).minus(digitsOf(wanted)).abs().lte(half.times(scale));
}

function literalOf(tree: Tree): string | null {
  if (tree.kind === "number") return tree.text;
  return tree.kind === "negative" || tree.kind === "percent" ? literalOf(tree.of) : null;
}

/**
 * Whether two formulas have the same value at points where both formulas are defined. The names of the variables
 * determine the points.
 */
function agree(expected: Tree, given: Tree): boolean {
  let both = 0;
  for (const values of pointsOf(expected, given)) {
    const [left, right] = [valueAt(expected, values), valueAt(given, values)];
    if (left === null && right === null) continue;
    if (left === null || right === null || !isSame(left, right)) return false;
    both++;
  }
  return both >= leastPoints;
}

/** Whether one equation is a multiple of the other. */
function areSameEquations(expected: Answer, given: Answer): boolean {
  const [left, right] = [differenceOf(expected), differenceOf(given)];
  if (!left || !right) return false;
  let ratio: Decimal | null = null;
  let both = 0;
  for (const values of pointsOf(left, right)) {
    const [a, b] = [valueAt(left, values), valueAt(right, values)];
    if (a === null || b === null || digitsOf(a).isZero() || digitsOf(b).isZero()) continue;
    const here = digitsOf(a).div(digitsOf(b));
    // The ratios are compared relative to each other, since any two ratios near 0 are close.
    if (ratio !== null && !isSame(here.div(ratio), one)) return false;
    ratio = here;
    both++;
  }
  return both >= leastPoints;
}

function differenceOf(answer: Answer): Tree | null {
  if (answer.kind === "equation") return { kind: "binary", sign: "-", left: answer.left, right: answer.right };
  if (answer.kind !== "named" || answer.value.kind !== "formula" || answer.name.length !== 1) return null;
  // `x = 5` is a solution, whereas `2x + 3 = 13` may be the equation of the question.
  if (variablesOf(answer.value.tree).size === 0) return null;
  return { kind: "binary", sign: "-", left: { kind: "name", name: answer.name }, right: answer.value.tree };
}

function* pointsOf(...trees: Tree[]): Generator<Map<string, Rational>> {
  const names = [...new Set(trees.flatMap((tree) => [...variablesOf(tree)]))].sort();
  for (let at = 0; at < points; at++) {
    // Most points are positive, because roots of positive numbers are real.
    const sign = at % 4 === 3 ? -1 : 1;
    yield new Map(
      names.map((name, place) => [
        name,
        rational(sign * (7 + 13 * at + 29 * place * (at + 1)), 3 + 2 * ((at + place) % 5)),
      ]),
    );
  }
}

function valueAt(tree: Tree, values: ReadonlyMap<string, Rational>): Value | null {
  try {
    return evaluate(tree, values);
  } catch (error) {
    if (error instanceof OutOfBounds) throw error;
    return null;
  }
}
