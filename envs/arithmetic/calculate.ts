/** The calculator: a formula's value, exact where it is a fraction. */
import { evaluate } from "./evaluate.js";
import { parseFormula } from "./parser.js";
import { finiteDecimal } from "./rational.js";
import { NotAFormula, nodesOf, type Tree } from "./tree.js";
import { digitsOf, isExact, type Value } from "./value.js";

/** UTF-16 units of a formula, at most. */
const longest = 2_000;
/** Numbers and signs of a formula, at most: each may be of thousands of bits. */
const mostNodes = 200;
/** Characters of a number that is written out; a longer one is rounded. */
const mostDigits = 60;
const significant = 20;

/**
 * `0.1 + 0.2` is `0.3`, `2/3` is `2/3 (about 0.66666666666666666667)`, `sqrt(2)` is `about 1.4142135623730950488`.
 *
 * @throws {NotAFormula} @throws {RangeError} there is no such value, or it is too large
 */
export function calculate(formula: string): string {
  if (formula.length > longest)
    throw new NotAFormula(`expected a formula of ${longest} characters at most, but received ${formula.length}`);
  return written(evaluate(checked(parseFormula(withoutThousands(formula)))));
}

/** @throws {NotAFormula} it has too many numbers and signs */
export function checked(tree: Tree): Tree {
  let count = 0;
  for (const _ of nodesOf(tree)) count++;
  if (count > mostNodes)
    throw new NotAFormula(`expected ${mostNodes} numbers and signs at most, but received ${count}`);
  return tree;
}

/** `1,000` is `1000`, unless its comma may stand between a function's arguments. */
export function withoutThousands(text: string): string {
  if (/[a-z]\s*\(/i.test(text)) return text;
  return text.replace(/(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])/g, (number) => number.replaceAll(",", ""));
}

function written(value: Value): string {
  if (!isExact(value)) return `about ${value.toSignificantDigits(significant)}`;
  const decimal = finiteDecimal(value, mostDigits);
  const about = () => `about ${digitsOf(value).toSignificantDigits(significant)}`;
  if (decimal !== null) return decimal.length <= mostDigits ? decimal : about();
  const fraction = `${value.top}/${value.bottom}`;
  return fraction.length <= mostDigits ? `${fraction} (${about()})` : about();
}
