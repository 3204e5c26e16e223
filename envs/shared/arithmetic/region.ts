/** Reads inequalities and unions of intervals, and brings them into a normal form. */
import type { Answer, Bound, Part, Region } from "./answer.js";
import { evaluate } from "./evaluate.js";
import { isThousands, splitAtTop } from "./split.js";
import { variablesOf } from "./tree.js";
import { digitsOf, isSame, type Value } from "./value.js";

/** Reads a part of the text of an answer. */
type Read = (text: string) => Answer;

const infinite: Bound = { at: null, isClosed: false };
const whole: Region = { kind: "region", variable: null, parts: [{ low: infinite, high: infinite }] };
const builder = /^\\\{\s*([A-Za-z])\s*(?:in\s+reals\s*)?[|:](.*)\\\}$/s;
const allReals = /^(?:[A-Za-z]\s+in\s+)?(?:reals|all\s+real(?:s|\s+numbers))$/i;
const without = /^(?:[A-Za-z]\s+in\s+)?reals\s*(?:setminus|-)\s*(\\?\{.*\})$/is;
const name = /^\s*([A-Za-z](?:_\{?\w+\}?)?)\s*$/;
const signs = /(<=|>=|!=|<|>)/;
const mostSigns = 40;

/** Returns the region that a plain text describes, or an inequality of formulas, or null if the text is neither. */
export function readRegion(text: string, read: Read): Answer | null {
  const bare = text.trim();
  if (allReals.test(bare)) return whole;
  const excluded = without.exec(bare)?.[1];
  if (excluded !== undefined) return complement(null, pointsOf(read(excluded)));
  const cups = splitAtTop(bare, /^\s+cup\s+/);
  if (cups.length > 1 && cups.length <= mostSigns) return union(cups.map((cup) => regionOf(read(cup), true)));
  if (!signs.test(bare) || bare.split(signs).length > 2 * mostSigns) return null;
  const [, variable, condition] = builder.exec(bare) ?? [];
  const region = readConditions(condition ?? bare, read);
  return variable === undefined || (region?.kind === "region" && region.variable === variable) ? region : null;
}

function readConditions(text: string, read: Read): Answer | null {
  const cases = splitAtTop(text, /^(?:,?\s+or\s+|\s*;\s*)/);
  if (cases.length > 1) return union(cases.map((each) => asRegion(readConditions(each, read))));
  const together = splitAtTop(text, /^(?:,?\s+and\s+|\s*,\s*)/, isThousands);
  if (together.length === 1) return readInequality(text, read);
  const each = together.map((one) => asRegion(readConditions(one, read)));
  // "x < 1, x > 5" can only mean "or".
  return intersection(each) ?? (/\band\b/.test(text) ? null : union(each));
}

const asRegion = (answer: Answer | null): Region | null => (answer?.kind === "region" ? answer : null);

function readInequality(text: string, read: Read): Answer | null {
  const [first = "", sign = "", middle = "", second, last] = text.split(signs);
  if (text.split(signs).length > 5 || middle.trim() === "") return null;
  if (second !== undefined) {
    if (sign[0] !== second[0] || sign[0] === "!") return null;
    const [low, high] = [
      readInequality(`${first}${sign}${middle}`, read),
      readInequality(`${middle}${second}${last}`, read),
    ];
    return intersection([asRegion(low), asRegion(high)]);
  }
  const [left, right] = [name.exec(first)?.[1], name.exec(middle)?.[1]];
  const at =
    left !== undefined && right === undefined
      ? read(middle)
      : right !== undefined && left === undefined
        ? read(first)
        : null;
  if (sign === "!=") return at ? complement((left ?? right) as string, [at]) : null;
  if (at && endOf(at)) return halfLine((left ?? right) as string, left !== undefined ? sign : turned(sign), at);
  return relation(read(first), sign, read(middle));
}

const turned = (sign: string) => (sign[0] === "<" ? ">" : "<") + sign.slice(1);

function halfLine(variable: string, sign: string, at: Answer): Region | null {
  const end = endOf(at) as Bound;
  const bound = { at: end.at, isClosed: sign.length === 2 && end.at !== null };
  const part = sign[0] === "<" ? { low: infinite, high: bound } : { low: bound, high: infinite };
  return { kind: "region", variable, parts: [part] };
}

function relation(left: Answer, sign: string, right: Answer): Answer | null {
  if (left.kind !== "formula" || right.kind !== "formula" || left.unit || right.unit) return null;
  const strict = sign.length === 1 ? "<" : "<=";
  return sign[0] === "<"
    ? { kind: "relation", sign: strict, left: left.tree, right: right.tree }
    : { kind: "relation", sign: strict, left: right.tree, right: left.tree };
}

/** Returns the end of an interval, or null if the answer has no fixed value. */
function endOf(answer: Answer): Bound | null {
  if (answer.kind === "text" && /^[+-]?infinity$/.test(answer.text)) return infinite;
  return numberIn(answer) === null ? null : { at: answer, isClosed: true };
}

function numberIn(answer: Answer | null): Value | null {
  if (answer?.kind !== "formula" || variablesOf(answer.tree).size > 0) return null;
  try {
    return evaluate(answer.tree);
  } catch {
    return null;
  }
}

/**
 * Returns the region of an answer that can be an interval: `(2, 5)` is a point or an interval.
 *
 * @param isUnion whether the answer is a part of a union, in which `\{8\}` is a number
 */
export function regionOf(answer: Answer, isUnion = false): Region | null {
  if (answer.kind === "region") return answer;
  if (answer.kind === "set" && isUnion && answer.isBraced)
    return union(answer.items.map((at) => between({ at, isClosed: true }, { at, isClosed: true })));
  if (answer.kind !== "tuple" || answer.items.length !== 2 || !/^[([][)\]]$/.test(answer.brackets)) return null;
  const [from, to] = answer.items as [Answer, Answer];
  const [low, high] = [endOf(from), endOf(to)];
  if (!low || !high) return null;
  if (low.at === null && (from.kind !== "text" || from.text !== "-infinity" || answer.brackets[0] === "[")) return null;
  if (high.at === null && (to.kind !== "text" || to.text === "-infinity" || answer.brackets[1] === "]")) return null;
  return between(
    { at: low.at, isClosed: low.at !== null && answer.brackets[0] === "[" },
    { at: high.at, isClosed: high.at !== null && answer.brackets[1] === "]" },
  );
}

function between(low: Bound, high: Bound): Region | null {
  return isEmpty({ low, high }) ? null : { kind: "region", variable: null, parts: [{ low, high }] };
}

function isEmpty({ low, high }: Part): boolean {
  const order = compared(low, high, -1, 1);
  return order > 0 || (order === 0 && !(low.isClosed && high.isClosed));
}

/** Compares two ends. An infinite end counts as the given sign. */
function compared(a: Bound, b: Bound, infiniteA: number, infiniteB: number): number {
  if (a.at === null || b.at === null)
    return (a.at === null ? infiniteA * 2 : 0) - (b.at === null ? infiniteB * 2 : 0) || 0;
  const [left, right] = [numberIn(a.at), numberIn(b.at)];
  if (left === null || right === null) throw new RangeError("expected ends of intervals that are numbers");
  if (isSame(left, right)) return 0;
  return digitsOf(left).lt(digitsOf(right)) ? -1 : 1;
}

function union(regions: readonly (Region | null)[]): Region | null {
  const variable = commonName(regions);
  if (variable === undefined) return null;
  const parts = (regions as Region[]).flatMap((region) => region.parts);
  parts.sort((a, b) => compared(a.low, b.low, -1, -1) || Number(b.low.isClosed) - Number(a.low.isClosed));
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    const gap = last ? compared(part.low, last.high, -1, 1) : 1;
    if (!last || gap > 0 || (gap === 0 && !part.low.isClosed && !last.high.isClosed)) merged.push({ ...part });
    else {
      const order = compared(part.high, last.high, 1, 1);
      if (order > 0 || (order === 0 && part.high.isClosed)) last.high = part.high;
    }
  }
  return { kind: "region", variable, parts: merged };
}

/** Returns the common part of all regions, or null if it is empty or if a region is missing. */
function intersection(regions: readonly (Region | null)[]): Region | null {
  const variable = commonName(regions);
  if (variable === undefined) return null;
  let parts = (regions[0] as Region).parts;
  for (const { parts: others } of regions.slice(1) as Region[])
    parts = parts.flatMap((a) => others.map((b) => common(a, b)).filter((part) => !isEmpty(part)));
  return parts.length === 0 || parts.length > mostSigns ? null : { kind: "region", variable, parts };
}

function common(a: Part, b: Part): Part {
  const low = compared(a.low, b.low, -1, -1) || Number(b.low.isClosed) - Number(a.low.isClosed);
  const high = compared(a.high, b.high, 1, 1) || Number(a.high.isClosed) - Number(b.high.isClosed);
  return { low: low >= 0 ? a.low : b.low, high: high <= 0 ? a.high : b.high };
}

/** Returns the name that all regions share. Returns undefined if a region is missing or the names differ. */
function commonName(regions: readonly (Region | null)[]): string | null | undefined {
  if (regions.some((region) => region === null)) return undefined;
  const names = new Set((regions as Region[]).map(({ variable }) => variable));
  return names.size === 1 ? [...names][0] : undefined;
}

function complement(variable: string | null, points: readonly Answer[]): Region | null {
  if (points.length === 0 || points.some((at) => numberIn(at) === null)) return null;
  const sorted = points
    .map((at): Bound => ({ at, isClosed: false }))
    .sort((a, b) => compared(a, b, 0, 0))
    .filter((end, index, all) => index === 0 || compared(all[index - 1] as Bound, end, 0, 0) !== 0);
  const parts = [infinite, ...sorted].map((low, at) => ({ low, high: sorted[at] ?? infinite }));
  return { kind: "region", variable, parts };
}

function pointsOf(answer: Answer): readonly Answer[] {
  return answer.kind === "set" ? answer.items : [answer];
}
