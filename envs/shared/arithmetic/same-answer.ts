/** Compares an answer with the expected answer by value, not by notation. */
import { agree, ratioSign } from "./agree.js";
import type { Answer, Based, Formula, Ratio, Region } from "./answer.js";
import { evaluate } from "./evaluate.js";
import { bareDigits, mayBeTime } from "./notations.js";
import { type Question, readQuestion } from "./question.js";
import { one, type Rational, rational } from "./rational.js";
import { normalText, readAnswer } from "./read-answer.js";
import { regionOf } from "./region.js";
import { nodesOf, type Tree, variablesOf } from "./tree.js";
import { conversion, isUnitFor } from "./units.js";
import { digitsOf, isExact, isSame, type Value } from "./value.js";
import { isReduced, isRounding, isWorkedOut, percentOf, usesNoOther } from "./worked-out.js";

/**
 * Whether an answer is right.
 *
 * @param expected an answer as a person writes it: `3/4`, `\frac{3}{4}`, `[1, 2)`, `x = 5 \text{ cm}`, `50%`
 * @param given the model's answer. The model must calculate the number: `2 + 3` does not match `5`.
 * @param question text of the question, which may ask for percent, a unit or a base
 */
export function isSameAnswer(expected: string, given: string, question = ""): boolean {
  const [left, right] = [normalText(expected), normalText(given)];
  if (left === "" || right === "") return false;
  if (left === right) return true;
  if (/^[a-j]$/.test(left) && choiceIn(right) === left) return true;
  try {
    return areSame(readAnswer(expected), readAnswer(given), readQuestion(question));
  } catch (error) {
    // A formula without a value, or with one that is too large, is not an answer.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the letter that a text chooses: `B` for `(B) Paris`, and undefined for `(B) and (C)` and `(B) is wrong`. */
function choiceIn(text: string): string | undefined {
  const [, choice, words = ""] = /^\(?([a-j])[).:](.*)$/s.exec(text) ?? [];
  if (/^\s*(?:(?:is|isn't|was|are|can|can't|cannot|does|doesn't)\b|(?:wrong|incorrect)$)/.test(words)) return undefined;
  const named = text.replace(/\bi\.e\b|\be\.g\b/g, "").matchAll(/(?<![a-z'])([a-j])(?:[):]|$|\.[a-j](?![a-z]))/g);
  return [...named].every(([, other]) => other === choice) ? choice : undefined;
}

function areSame(expected: Answer, given: Answer, asked: Question): boolean {
  if (given.kind === "named" && expected.kind === "named")
    return expected.name === given.name && areSame(expected.value, given.value, asked);
  if (given.kind === "equation" || expected.kind === "equation") return areSameEquations(expected, given);
  if (given.kind === "relation" || expected.kind === "relation") return areSameRelations(expected, given);
  if (expected.kind === "named") return areSame(expected.value, given, asked);
  if (given.kind === "named") return areSame(expected, given.value, asked);
  if (expected.kind === "region" || given.kind === "region") return areSameRegions(expected, given, asked);
  if (expected.kind === "ratio" || given.kind === "ratio") return areSameRatios(expected, given, asked);
  if (expected.kind === "based" || given.kind === "based") return areSameBased(expected, given, asked);
  if (expected.kind === "formula" && given.kind === "formula") return areSameFormulas(expected, given, asked);
  if (expected.kind === "set") return isSameSet(itemsOf(expected, asked), itemsOf(given, asked), asked);
  if (expected.kind === "tuple" && given.kind === "tuple")
    return (
      expected.brackets === given.brackets &&
      expected.items.length === given.items.length &&
      expected.items.every((item, at) => areSame(item, given.items[at] as Answer, asked))
    );
  return areSameTexts(expected, given);
}

/** Returns the items of a set. In braces, an item that occurs twice counts once. */
function itemsOf(answer: Answer, asked: Question): Answer[] {
  if (answer.kind !== "set") return [answer];
  if (!answer.isBraced) return answer.items;
  const distinct: Answer[] = [];
  for (const item of answer.items) if (!distinct.some((other) => areSame(other, item, asked))) distinct.push(item);
  return distinct;
}

function isSameSet(expected: Answer[], given: Answer[], asked: Question): boolean {
  if (expected.length !== given.length) return false;
  const left = [...given];
  return expected.every((item) => {
    const at = left.findIndex((each) => areSame(item, each, asked));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function areSameTexts(expected: Answer, given: Answer): boolean {
  if (expected.kind !== "text" || given.kind !== "text") return false;
  return expected.text !== "" && expected.text === given.text;
}

/** Compares intervals and inequalities. The name of the variable counts if both answers have one. */
function areSameRegions(expected: Answer, given: Answer, asked: Question): boolean {
  const [left, right] = [regionOf(expected), regionOf(given)];
  if (!left || !right || left.parts.length !== right.parts.length) return false;
  if (left.variable !== null && right.variable !== null && left.variable !== right.variable) return false;
  const ends = ({ parts }: Region) => parts.flatMap(({ low, high }) => [low, high]);
  return ends(left).every(({ at, isClosed }, place) => {
    const other = ends(right)[place] as { at: Answer | null; isClosed: boolean };
    if (at === null || other.at === null) return at === other.at;
    return isClosed === other.isClosed && areSame(at, other.at, asked);
  });
}

/** Compares ratios: `3:4` equals `6:8` and `3/4`. Times of day, such as `3:30`, are equal only if their texts are. */
function areSameRatios(expected: Answer, given: Answer, asked: Question): boolean {
  const isTime = (answer: Answer) => answer.kind === "ratio" && mayBeTime(answer) && !asked.asksRatio;
  if (expected.kind === "ratio" && given.kind === "ratio")
    return isTime(expected) ? expected.text === given.text : areProportional(expected, given);
  if (isTime(expected) || isTime(given)) return false;
  const [left, right] = [quotientOf(expected), quotientOf(given)];
  return left !== null && right !== null && areSameFormulas(left, right, asked);
}

function areProportional(expected: Ratio, given: Ratio): boolean {
  if (expected.items.length !== given.items.length) return false;
  const [left, right] = [expected.items, given.items].map((items) => items.map((item) => evaluate(item))) as [
    Value[],
    Value[],
  ];
  const first = left.findIndex((value) => !digitsOf(value).isZero());
  if (first < 0 || digitsOf(right[first] as Value).isZero()) return false;
  return left.every((value, at) =>
    isSame(product(value, right[first] as Value), product(left[first] as Value, right[at] as Value)),
  );
}

/** Returns a ratio of two numbers, or a fraction, as a quotient. */
function quotientOf(answer: Answer): Formula | null {
  if (answer.kind === "formula") return answer.tree.kind === "binary" && answer.tree.sign === "/" ? answer : null;
  if (answer.kind !== "ratio" || answer.items.length !== 2) return null;
  const [left, right] = answer.items as [Tree, Tree];
  return { kind: "formula", tree: { kind: "binary", sign: "/", left, right }, unit: null };
}

/** Compares numbers with a base. A bare number has the base that the question names, and otherwise base 10. */
function areSameBased(expected: Answer, given: Answer, asked: Question): boolean {
  const bases = [expected, given].flatMap((answer) => (answer.kind === "based" ? [answer.base] : []));
  const [left, right] = [expected, given].map((answer) => basedOf(answer, bases[0] as number, asked));
  return left !== null && right !== null && left?.base === right?.base && left?.digits === right?.digits;
}

function basedOf(answer: Answer, base: number, asked: Question): Based | null {
  if (answer.kind === "based") return answer;
  const isMeant = base === 10 || asked.bases.has(base);
  if (!isMeant || answer.kind !== "formula" || answer.tree.kind !== "number" || answer.unit) return null;
  return /^\d+$/.test(answer.tree.text) ? { kind: "based", digits: bareDigits(answer.tree.text), base } : null;
}

function areSameFormulas(expected: Formula, given: Formula, asked: Question): boolean {
  const factor = unitFactor(expected, given, asked);
  if (factor === null || !usesNoOther(expected.tree, given.tree)) return false;
  if (variablesOf(expected.tree).size > 0) return agree(expected.tree, given.tree);
  if (variablesOf(given.tree).size > 0) return false;
  if (isWorkedOut(expected.tree) ? !isWorkedOut(given.tree) : isReduced(expected.tree) && !isReduced(given.tree))
    return false;
  const [wanted, value] = [expected, given].map(({ tree }) => scaled(tree, asked)) as [Value, Value];
  const converted = product(value, factor);
  return isSame(wanted, converted) || isRounding(given.tree, converted, expected.tree, wanted, asked.asksPercent);
}

/** Returns the factor from the unit of an answer to the expected unit, or null if the units differ in dimension. */
function unitFactor(expected: Formula, given: Formula, asked: Question): Rational | null {
  if (given.unit && !expected.unit) {
    // A number of percent has no unit. A number of radians, such as pi/4, is not a number of degrees.
    if (isPercent(expected) && !isPercent(given)) return null;
    if (given.unit.dimension === "angle^1" && usesPi(expected.tree)) return null;
    if (!isUnitFor(given.unit, asked.words)) return null;
    return given.unit.dimension === undefined ? one : conversion(asked.unit, given.unit);
  }
  if (expected.unit && !given.unit && isPercent(given) && !isPercent(expected)) return null;
  return conversion(expected.unit, given.unit);
}

const isPercent = ({ tree }: Formula) => percentOf(tree) !== null;

function usesPi(tree: Tree): boolean {
  for (const node of nodesOf(tree)) if (node.kind === "name" && node.name === "pi") return true;
  return false;
}

/** Returns the value of a number. A percent sign counts as a hundredth, unless the question asks for percent. */
function scaled(tree: Tree, asked: Question): Value {
  return evaluate((asked.asksPercent ? percentOf(tree) : null) ?? tree);
}

function product(value: Value, factor: Value): Value {
  if (isExact(value) && isExact(factor)) return rational(value.top * factor.top, value.bottom * factor.bottom);
  return digitsOf(value).times(digitsOf(factor));
}

/** Whether one equation is a multiple of the other. */
function areSameEquations(expected: Answer, given: Answer): boolean {
  const [left, right] = [differenceOf(expected), differenceOf(given)];
  return left !== null && right !== null && ratioSign(left, right) !== 0;
}

function differenceOf(answer: Answer): Tree | null {
  if (answer.kind === "equation") return { kind: "binary", sign: "-", left: answer.left, right: answer.right };
  if (answer.kind !== "named" || answer.value.kind !== "formula" || answer.name.length !== 1) return null;
  // `x = 5` is a solution, whereas `2x + 3 = 13` may be the equation of the question.
  if (variablesOf(answer.value.tree).size === 0) return null;
  return { kind: "binary", sign: "-", left: { kind: "name", name: answer.name }, right: answer.value.tree };
}

/** Whether two inequalities have equal sides or, where the expected one has no variable alone on a side, are multiples. */
function areSameRelations(expected: Answer, given: Answer): boolean {
  if (expected.kind !== "relation" || given.kind !== "relation" || expected.sign !== given.sign) return false;
  if (isSolved(expected.left, expected.right))
    return agree(expected.left, given.left) && agree(expected.right, given.right);
  const [left, right] = [expected, given].map(({ left, right }): Tree => ({ kind: "binary", sign: "-", left, right }));
  return ratioSign(left as Tree, right as Tree) === 1;
}

/** Whether a variable stands alone on one side, as in `y < 2x + 1`. */
function isSolved(left: Tree, right: Tree): boolean {
  const isAlone = (tree: Tree, other: Tree) => tree.kind === "name" && !variablesOf(other).has(tree.name);
  return isAlone(left, right) || isAlone(right, left);
}
