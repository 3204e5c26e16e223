/** Whether an answer is the result of a calculation, or a calculation that is left to the reader. */
import { power, rational } from "./rational.js";
import { nodesOf, type Tree } from "./tree.js";
import { Digits, digitsOf, type Value } from "./value.js";

/** Minimum number of digits of an answer that rounds a number with infinitely many decimals. */
const leastDigits = 6;
const sameKind = [
  ["sin", "cos", "tan", "sec", "csc", "cot"],
  ["ln", "log"],
  ["factorial", "binom"],
];

/**
 * Whether a formula has no numbers left to add or multiply. `3 sqrt(2)` is reduced, but `sqrt(3^2 + 9)` and `2 * 3 pi`
 * are not.
 */
export function isReduced(tree: Tree): boolean {
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
export function isWorkedOut(tree: Tree): boolean {
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
 * Whether the answer uses only roots and functions that occur in the expected answer, or are of the same kind. Without
 * this check, `sin(1)` would be a right answer to "what is sin(1)?".
 */
export function usesNoOther(expected: Tree, given: Tree): boolean {
  const free = new Set(["sqrt", "root"]);
  for (const tree of nodesOf(expected)) {
    const name = tree.kind === "call" ? tree.name : tree.kind === "name" && tree.name === "e" ? "exp" : undefined;
    if (name !== undefined) for (const each of sameKind.find((names) => names.includes(name)) ?? [name]) free.add(each);
  }
  for (const tree of nodesOf(given)) if (tree.kind === "call" && !free.has(tree.name)) return false;
  return true;
}

/**
 * Whether the answer is the expected value rounded to at least six digits, where the exact value has infinitely many
 * decimals.
 */
export function isRounding(given: Tree, value: Value, expected: Tree, wanted: Value, isInPercent: boolean): boolean {
  const literal = literalOf(given);
  if (literal === null || literalOf(expected) !== null) return false;
  const [, whole = "", fraction = ""] = /^(\d*)\.(\d+)$/.exec(literal) ?? [];
  if (`${whole}${fraction}`.replace(/^0+/, "").length < leastDigits) return false;
  const half = new Digits(5).times(digitsOf(power(rational(10), BigInt(-fraction.length - 1))));
  const scale = percentOf(given) !== null && !isInPercent ? new Digits("0.01") : new Digits(1);
  return digitsOf(value).minus(digitsOf(wanted)).abs().lte(half.times(scale));
}

function literalOf(tree: Tree): string | null {
  if (tree.kind === "number") return tree.text.includes("‾") ? null : tree.text;
  return tree.kind === "negative" || tree.kind === "percent" ? literalOf(tree.of) : null;
}

/** Returns the number of percent in a tree such as `-5%`, or null if the tree is no number of percent. */
export function percentOf(tree: Tree): Tree | null {
  if (tree.kind === "percent") return tree.of;
  const of = tree.kind === "negative" ? percentOf(tree.of) : null;
  return of && { kind: "negative", of };
}
