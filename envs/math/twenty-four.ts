/** The 24 game: combine four numbers from 1 to 13, each used once, with + - * / and brackets to make 24. */
import { evaluate } from "../shared/arithmetic/evaluate.js";
import { parseFormula } from "../shared/arithmetic/parser.js";
import {
  add,
  compare,
  divide,
  equals,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../shared/arithmetic/rational.js";
import { nodesOf, type Tree } from "../shared/arithmetic/tree.js";
import { isExact } from "../shared/arithmetic/value.js";

export const goal = 24;
const highest = 13;
const target = rational(goal);

/** Subexpression of a solution, with its value and text. */
interface Part {
  value: Rational;
  text: string;
  /** Outermost operator, which determines whether the text needs brackets. */
  sign: "" | "+" | "-" | "*" | "/";
}

let solvable: (readonly number[])[] | undefined;

/** Returns the 1,362 hands (of 1,820) that can make 24, in ascending order. Each hand is sorted. */
export function solvableHands(): readonly (readonly number[])[] {
  solvable ??= allHands().filter(canBeSolved);
  return solvable;
}

/** Returns a formula that makes 24, or null if the hand has no solution. */
export function solutionOf(hand: readonly number[]): string | null {
  for (const solution of solutions(partsOf(hand))) return solution;
  return null;
}

/**
 * Returns all formulas that make 24, without formulas that differ only in the order of the operands of a sum or
 * product.
 */
export function allSolutions(hand: readonly number[]): string[] {
  return [...new Set(solutions(partsOf(hand)))].sort();
}

/** Returns the error in a submitted formula, or null if the formula is right. The formula may end with `= 24`. */
export function faultOf(hand: readonly number[], text: string): string | null {
  let tree: Tree;
  try {
    tree = parseFormula(text.replace(/=\s*24\s*$/, ""));
  } catch (error) {
    return (error as Error).message;
  }
  const used: number[] = [];
  for (const node of nodesOf(tree)) {
    if (node.kind === "number") used.push(Number(node.value.top) / Number(node.value.bottom));
    else if (node.kind !== "binary" || node.sign === "^") return "expected only numbers, + - * / and brackets";
  }
  const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b).join(", ");
  if (sorted(used) !== sorted(hand))
    return `expected each of the numbers ${sorted(hand)} once, but received ${sorted(used) || "none"}`;
  try {
    const value = evaluate(tree);
    return isExact(value) && equals(value, target)
      ? null
      : `expected a formula with the value ${goal}, but received a formula with a different value`;
  } catch (error) {
    return (error as Error).message;
  }
}

function allHands(): number[][] {
  const hands: number[][] = [];
  for (let a = 1; a <= highest; a++)
    for (let b = a; b <= highest; b++)
      for (let c = b; c <= highest; c++) for (let d = c; d <= highest; d++) hands.push([a, b, c, d]);
  return hands;
}

/**
 * Whether a hand can make 24. Floating-point numbers are precise enough: a value different from 24 is a fraction of
 * small numbers and differs by at least 1/13^3.
 */
function canBeSolved(values: readonly number[]): boolean {
  if (values.length === 1) return Math.abs((values[0] as number) - goal) < 1e-6;
  for (let left = 0; left < values.length; left++)
    for (let right = 0; right < values.length; right++) {
      if (left === right) continue;
      const [a, b] = [values[left] as number, values[right] as number];
      const rest = values.filter((_, at) => at !== left && at !== right);
      const joined = left < right ? [a + b, a * b, a - b, a / b] : [a - b, a / b];
      if (joined.some((value) => Number.isFinite(value) && canBeSolved([...rest, value]))) return true;
    }
  return false;
}

function partsOf(hand: readonly number[]): Part[] {
  return hand.map((number) => ({ value: rational(number), text: `${number}`, sign: "" }));
}

/** Yields all solutions: replaces two parts by each of their combinations until only one part is left. */
function* solutions(parts: readonly Part[]): Generator<string> {
  if (parts.length === 1) {
    const [{ value, text }] = parts as [Part];
    if (equals(value, target)) yield text;
    return;
  }
  for (let left = 0; left < parts.length; left++)
    for (let right = left + 1; right < parts.length; right++) {
      const rest = parts.filter((_, at) => at !== left && at !== right);
      for (const joined of joins(parts[left] as Part, parts[right] as Part)) yield* solutions([...rest, joined]);
    }
}

function* joins(a: Part, b: Part): Generator<Part> {
  // The larger operand comes first, so that each sum is written in only one way.
  const [first, second] =
    compare(a.value, b.value) < 0 || (equals(a.value, b.value) && a.text < b.text) ? [b, a] : [a, b];
  yield { value: add(first.value, second.value), text: `${first.text} + ${second.text}`, sign: "+" };
  yield { value: multiply(first.value, second.value), text: `${factor(first)} * ${factor(second)}`, sign: "*" };
  for (const [left, right] of [
    [first, second],
    [second, first],
  ] as const) {
    yield { value: subtract(left.value, right.value), text: `${left.text} - ${factor(right)}`, sign: "-" };
    if (right.value.top !== 0n)
      yield { value: divide(left.value, right.value), text: `${factor(left)} / ${divisor(right)}`, sign: "/" };
  }
}

const bracketed = ({ text }: Part) => `(${text})`;
const isSum = ({ sign }: Part) => sign === "+" || sign === "-";
/** Formats an operand of a product, difference or quotient: a sum gets brackets. */
const factor = (part: Part) => (isSum(part) ? bracketed(part) : part.text);
const divisor = (part: Part) => (part.sign === "" ? part.text : bracketed(part));
