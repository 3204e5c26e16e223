/** Parses the text of an answer: a number with a unit, a pair, an interval, a set, an equation, a matrix or a word. */
import type { Answer } from "./answer.js";
import { checked, withoutThousands } from "./calculate.js";
import { evaluate } from "./evaluate.js";
import { readBased, readRatio } from "./notations.js";
import { parseFormula } from "./parser.js";
import { plain } from "./plain.js";
import { rational } from "./rational.js";
import { readRegion } from "./region.js";
import { isThousands, splitAtTop, splitInside } from "./split.js";
import { type Tree, variablesOf } from "./tree.js";
import { readUnit } from "./units.js";
import { isSame } from "./value.js";
import { isWorkedOut } from "./worked-out.js";

/** Maximum length of an answer that is parsed, in UTF-16 units. A longer answer is compared as text. */
const longest = 2_000;
const mostItems = 200;
const deepest = 8;

/** Maximum number of places at which the words after a number may begin. */
const mostUnits = 20;
const amountEnd = /[\d)}%!¤](?=\s+[A-Za-z€£]|[A-Za-z€£]{2})/g;

/** Matches words that confirm an answer. */
const affirmed = /\s+is\s+(?:correct|right|(?:the\s+)?(?:(?:correct|right|final)\s+)?(?:answer|solution))\s*[.!]?$/i;

const matrix = /^\\begin\s*\{([bpvBV]?matrix|array)\}(?:\{[clr| ]*\})?(.*)\\end\s*\{\1\}$/s;

export function readAnswer(text: string, depth = 0): Answer {
  if (text.length > longest || depth > deepest) return { kind: "text", text: normalText(text) };
  const bare = unwrapped(text);
  const rows = matrix.exec(bare)?.[2];
  if (rows !== undefined) return ofMatrix(rows, depth);
  const read = plain(bare.replace(/\\[({[]/g, (open) => (open === "\\{" ? open : ""))).replace(
    /^[A-Za-z]\s+in\b\s*/,
    "",
  );
  return readPlain(read.replace(/^=\s*/, ""), depth);
}

/** Normalizes an answer. Two answers match if their normalized texts are equal. */
export function normalText(text: string): string {
  if (text.length > longest) return text.trim().toLowerCase();
  return plain(unwrapped(text))
    .toLowerCase()
    .replace(/\s*([^\w\s])\s*/g, "$1")
    .replace(/\s+/g, " ")
    .replace(/[.,;:]+$/, "")
    .replace(/^\(([a-z])\)$/, "$1");
}

function readPlain(text: string, depth: number): Answer {
  const within = (part: string) => readAnswer(part, depth + 1);
  if (/\bpm\b|±/.test(text)) {
    const both = ["+", "-"].map((sign) => text.replace(/\bpm\b|±/g, sign));
    return { kind: "set", items: both.map(within), isBraced: false };
  }
  const region = readRegion(text, within);
  if (region) return region;
  const parts = splitAtTop(text, /^(?:\s+(?:and|or|cup)\s+|\s*;\s*|,\s*(?:and|or)\s+|,)/, isThousands);
  if (parts.length > mostItems) return { kind: "text", text: normalText(text) };
  if (parts.length > 1) return { kind: "set", items: parts.map(within), isBraced: false };
  return (
    readBrackets(text, depth) ??
    readBased(text) ??
    readRatio(text, formulaOf) ??
    readEquation(text, depth) ??
    readNumber(text) ?? { kind: "text", text: normalText(text) }
  );
}

function readBrackets(text: string, depth: number): Answer | null {
  if (/^\s*(?:emptyset|\{\s*\})\s*$/.test(text)) return { kind: "set", items: [], isBraced: true };
  const open = text.startsWith("\\{") ? "\\{" : (text[0] ?? "");
  const closes = { "(": [")", "]"], "[": [")", "]"], "\\{": ["\\}"], "{": ["}"] }[open];
  const close = closes?.find((end) => text.endsWith(end));
  if (!close) return null;
  const inside = text.slice(open.length, text.length - close.length);
  // In (1,000) the comma separates a pair. In (1,000, 2,000) only a comma before white space separates items.
  const isPart = /,\s/.test(inside) ? isThousands : () => false;
  const items = splitInside(inside, /^[,;]/, isPart);
  if (items === null || items.length > mostItems) return null;
  const read = () => items.map((item) => readAnswer(item, depth + 1));
  if (open === "\\{") return { kind: "set", items: inside.trim() === "" ? [] : read(), isBraced: true };
  // A single item in brackets is the item itself.
  if (items.length === 1) return null;
  return open === "{"
    ? { kind: "set", items: read(), isBraced: true }
    : { kind: "tuple", brackets: open + close, items: read() };
}

function readEquation(text: string, depth: number): Answer | null {
  const sides = text.split("=");
  if (sides.length < 2 || sides.length > 20 || /[<>!]/.test(text)) return null;
  const [first, last] = [sides[0] as string, sides.at(-1) as string];
  const name = nameIn(first);
  if (name !== undefined)
    return sides.slice(1, -1).every((side) => isStepTo(side, last))
      ? { kind: "named", name, value: readAnswer(last, depth + 1) }
      : null;
  const nameBehind = sides.length === 2 ? nameIn(last) : undefined;
  if (nameBehind !== undefined) return { kind: "named", name: nameBehind, value: readAnswer(first, depth + 1) };
  const trees = sides.map(formulaOf);
  if (trees.some((tree) => tree === null)) return null;
  const [left, right] = trees as [Tree, Tree];
  if (areEqual(trees as Tree[])) return readNumber(last);
  return sides.length === 2 ? { kind: "equation", left, right } : null;
}

function nameIn(side: string): string | undefined {
  return /^\s*([A-Za-z](?:_\{?\w+\}?)?(?:\([a-z]\))?)\s*$/.exec(side)?.[1];
}

/**
 * Whether one side of an equation is an intermediate step, with the same value as the last side. For example, `6 * 7` is
 * a step in `x = 6 * 7 = 42`. In `x = 41 = 42`, 41 is not a step but a second answer.
 */
function isStepTo(side: string, last: string): boolean {
  const [step, end] = [formulaOf(side), formulaOf(last)];
  if (!step || !end) return true;
  return variablesOf(step).size > 0 || areEqual([step, end]);
}

function readNumber(text: string): Answer | null {
  const money = /^([-+]?)\s*(¤|€|£|USD\b)\s*(.*)$/s.exec(text);
  if (money) {
    const [, sign = "", currency, amount = ""] = money;
    const of = readNumber(sign + amount);
    if (of?.kind !== "formula") return null;
    return { ...of, unit: readUnit(currency === "¤" ? "usd" : (currency as string)) };
  }
  const measured = readMeasured(text);
  if (measured) return measured;
  const tree = formulaInPercent(text) ?? formulaOf(text.replace(/\s*¤$/, ""));
  return tree && { kind: "formula", tree, unit: null };
}

/** Reads a fraction of percent: `400/3%` is 133 1/3 percent, and not 400 divided by 3 percent. */
function formulaInPercent(text: string): Tree | null {
  const of = /^[^%]*\/[^%]*%\s*$/.test(text) ? formulaOf(text.replace(/%\s*$/, "")) : null;
  return of && isWorkedOut(of) ? { kind: "percent", of } : null;
}

/** Reads a formula and the words after it, such as `5 cm`, `3 sqrt(2) apples`, `12 percent` or `2 million dollars`. */
function readMeasured(text: string): Answer | null {
  let unknown: Answer | null = null;
  const flat = text.replace(/\s*frac\s*\{([a-z\s^\d]+)\}\s*\{([a-z\s^\d]+)\}\s*$/, " $1/$2");
  for (const { index } of [...flat.matchAll(amountEnd)].slice(-mostUnits)) {
    const [amount, words] = [flat.slice(0, index + 1), flat.slice(index + 1).trim()];
    const scaled = /^(percent|per\s?cent|hundred|thousand|million|billion|trillion)\b\s*(.*)$/is.exec(words);
    const name = scaled ? (scaled[2] as string) : words;
    const unit = name === "" ? null : readUnit(name.replaceAll("¤", "usd"));
    if (name !== "" && !unit) continue;
    const number = formulaOf(amount);
    const tree = scaled && number ? multiplied(number, (scaled[1] as string).toLowerCase()) : number;
    if (!tree) continue;
    if (unit?.dimension !== undefined || (scaled && !unit)) return { kind: "formula", tree, unit };
    if (unit && formulaOf(text) === null) unknown = { kind: "formula", tree, unit };
  }
  return unknown;
}

function multiplied(tree: Tree, word: string): Tree {
  const exponent = { hundred: 2, thousand: 3, million: 6, billion: 9, trillion: 12 }[word];
  if (exponent === undefined) return { kind: "percent", of: tree };
  const number = (value: number): Tree => ({ kind: "number", value: rational(value), text: `${value}` });
  const right: Tree = { kind: "binary", sign: "^", left: number(10), right: number(exponent) };
  return { kind: "binary", sign: "*", left: tree, right };
}

function formulaOf(text: string): Tree | null {
  try {
    return checked(parseFormula(withoutThousands(inOneNotation(text))));
  } catch {
    return null;
  }
}

function areEqual([first, ...others]: Tree[]): boolean {
  try {
    const value = evaluate(first as Tree);
    return others.every((tree) => isSame(value, evaluate(tree)));
  } catch {
    return false;
  }
}

function ofMatrix(rows: string, depth: number): Answer {
  const items = rows
    .trim()
    .replace(/\\\\$/, "")
    .split("\\\\")
    .map(
      (row): Answer => ({
        kind: "tuple",
        brackets: "row",
        items: row.split("&").map((each) => readAnswer(each, depth + 1)),
      }),
    );
  return { kind: "tuple", brackets: "matrix", items };
}

/** Removes decoration: dollar signs of LaTeX, stars and backticks of Markdown, and a final full stop. */
function unwrapped(text: string): string {
  let bare = text.trim().replace(affirmed, "").replaceAll("\\$", "¤");
  const dollars = bare.split("$").length - 1;
  bare = bare.replaceAll("$", dollars % 2 === 0 ? "" : "¤");
  for (let before = ""; before !== bare; ) {
    before = bare;
    bare = bare
      .trim()
      .replace(/^(\*\*|`{1,3}|"|')(.*)\1$/s, "$2")
      .replace(/^\\\((.*)\\\)$/s, "$1")
      .replace(/^\\\[(.*)\\\]$/s, "$1")
      .replace(/(?<!\\)[.,;]$/, "");
  }
  return bare;
}

/**
 * Rewrites numbers as the parser expects them: `1 000` with thin groups as `1000`, `1.2 x 10^3` with a star, and
 * `0.(3)` as a decimal whose last digit repeats.
 */
function inOneNotation(text: string): string {
  return text
    .replace(/(?<![\d.,])[1-9]\d{0,2}(?: \d{3})+(?![\d,/]| \d)/g, (number) => number.replaceAll(" ", ""))
    .replace(/(\d)\s*[xX]\s*(?=10\s*(?:\^|\*\*))/g, "$1*")
    .replace(/(?<!\d)(\d*\.\d*)\((\d+)\)(?!\d)/g, "$1‾$2");
}
