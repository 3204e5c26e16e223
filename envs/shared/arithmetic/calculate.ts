/** The calculator: returns the value of a formula, as an exact fraction where possible. */
import { evaluate } from "./evaluate.js";
import { parseFormula } from "./parser.js";
import { finiteDecimal } from "./rational.js";
import { NotAFormula, nodesOf, type Tree } from "./tree.js";
import { digitsOf, isExact, type Value } from "./value.js";

/** Maximum length of a formula in UTF-16 units. */
const longest = 2_000;
/** Maximum number of nodes of a formula. Numbers may have thousands of bits, so a longer formula would be slow. */
const mostNodes = 200;
/** Maximum number of characters of an exact number. A longer number is rounded. */
const mostDigits = 60;
const significant = 20;

/**
 * Calculates a formula: `0.1 + 0.2` gives `0.3`, `2/3` gives `2/3 (about 0.66666666666666666667)`, and `sqrt(2)` gives
 * `about 1.4142135623730950488`.
 *
 * @throws {NotAFormula} the text is not a formula
 * @throws {RangeError} the formula has no value, or the value is too large
 */
export function calculate(formula: string): string {
  if (formula.length > longest)
    throw new NotAFormula(`expected a formula of at most ${longest} characters, but received ${formula.length}`);
  return written(evaluate(checked(parseFormula(withoutThousands(formula)))));
}

/** @throws {NotAFormula} the formula has too many nodes */
export function checked(tree: Tree): Tree {
  let count = 0;
  for (const _ of nodesOf(tree)) count++;
  if (count > mostNodes)
    throw new NotAFormula(`expected at most ${mostNodes} numbers and signs, but received ${count}`);
  return tree;
}

/** Turns `1,000` into `1000`. A text with a function is not changed, since a comma may separate its arguments. */
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
