/** Parses the text of an answer: a number with a unit, a pair, an interval, a set, an equation, a matrix or a word. */
import { checked, withoutThousands } from "./calculate.js";
import { evaluate } from "./evaluate.js";
import { parseFormula } from "./parser.js";
import { plain } from "./plain.js";
import { type Tree, variablesOf } from "./tree.js";
import { readUnit, type Unit } from "./units.js";
import { isSame } from "./value.js";

export type Answer =
  | { kind: "formula"; tree: Tree; unit: Unit | null }
  | { kind: "equation"; left: Tree; right: Tree }
  /** A named value: `x = ...` */
  | { kind: "named"; name: string; value: Answer }
  /** Ordered items in brackets: a point, an interval, or a row of a matrix. */
  | { kind: "tuple"; brackets: string; items: Answer[] }
  /** Unordered items in braces. */
  | { kind: "set"; items: Answer[] }
  /** Text with letters in lower case, and without white space around signs. */
  | { kind: "text"; text: string };

/** Maximum length of an answer that is parsed, in UTF-16 units. A longer answer is compared as text. */
const longest = 2_000;
const mostItems = 200;
const deepest = 8;

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
    .replace(/\bleq?\b/g, "<=")
    .replace(/\bgeq?\b/g, ">=")
    .replace(/\s*([^\w\s])\s*/g, "$1")
    .replace(/\s+/g, " ")
    .replace(/[.,;:]+$/, "")
    .replace(/^\(([a-z])\)$/, "$1");
}

function readPlain(text: string, depth: number): Answer {
  const within = (part: string) => readAnswer(part, depth + 1);
  if (/\bpm\b|±/.test(text)) {
    const both = ["+", "-"].map((sign) => text.replace(/\bpm\b|±/g, sign));
    return { kind: "set", items: both.map(within) };
  }
  const parts = splitAtTop(text, /^(?:\s+(?:and|or|cup)\s+|\s*;\s*|,\s*(?:and|or)\s+|,)/, isThousands);
  if (parts.length > mostItems) return { kind: "text", text: normalText(text) };
  if (parts.length > 1) return { kind: "set", items: parts.map(within) };
  return (
    readBrackets(text, depth) ??
    readEquation(text, depth) ??
    readNumber(text) ?? { kind: "text", text: normalText(text) }
  );
}

function readBrackets(text: string, depth: number): Answer | null {
  const open = text.startsWith("\\{") ? "\\{" : (text[0] ?? "");
  const closes = { "(": [")", "]"], "[": [")", "]"], "\\{": ["\\}"], "{": ["}"] }[open];
  const close = closes?.find((end) => text.endsWith(end));
  if (!close) return null;
  const inside = text.slice(open.length, text.length - close.length);
  // In (1,000) the comma separates a pair. In (1,000, 2,000) only a comma before white space separates items.
  const isPart = /,\s/.test(inside) ? isThousands : () => false;
  const items = splitAtTop(inside, /^[,;]/, isPart, true);
  if (items === null || items.length > mostItems) return null;
  const read = () => items.map((item) => readAnswer(item, depth + 1));
  if (open === "\\{") return { kind: "set", items: inside.trim() === "" ? [] : read() };
  // A single item in brackets is the item itself.
  if (items.length === 1) return null;
  return open === "{" ? { kind: "set", items: read() } : { kind: "tuple", brackets: open + close, items: read() };
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
  const [, amount = "", name = ""] =
    /^(.*[\d)}%!¤](?:\s*(?=\s[A-Za-z])|(?=[A-Za-z]{2})))\s*([A-Za-z€£][A-Za-z€£ .'/^23-]*)$/s.exec(text) ?? [];
  const unit = name === "" ? null : readUnit(name.replaceAll("¤", "usd"));
  const tree = unit && formulaOf(amount);
  if (tree && (unit.dimension !== undefined || formulaOf(text) === null)) return { kind: "formula", tree, unit };
  const whole = formulaOf(text.replace(/\s*¤$/, ""));
  return whole && { kind: "formula", tree: whole, unit: null };
}

function formulaOf(text: string): Tree | null {
  try {
    return checked(parseFormula(withoutThousands(text)));
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
  let bare = text.trim().replaceAll("\\$", "¤");
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

/** Whether the comma at index `at` separates thousands, as in `1,234`. */
function isThousands(text: string, at: number): boolean {
  return /(?:^|[^\d.])[1-9]\d{0,2}(?:,\d{3})*$/.test(text.slice(0, at)) && /^,\d{3}(?!\d)/.test(text.slice(at));
}

/** Splits a text at the separators that are outside all brackets. */
function splitAtTop(text: string, separator: RegExp, isPart: (text: string, at: number) => boolean): string[];
function splitAtTop(
  text: string,
  separator: RegExp,
  isPart: (text: string, at: number) => boolean,
  isInside: true,
): string[] | null;
function splitAtTop(
  text: string,
  separator: RegExp,
  isPart: (text: string, at: number) => boolean,
  isInside = false,
): string[] | null {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if ("([{".includes(text[at] as string)) depth++;
    if (")]}".includes(text[at] as string)) depth--;
    // Brackets that close before they open do not enclose the whole text.
    if (depth < 0 && isInside) return null;
    const [found] = depth === 0 ? (separator.exec(text.slice(at, at + 20)) ?? []) : [];
    if (found === undefined || isPart(text, at)) continue;
    parts.push(text.slice(start, at));
    start = at + found.length;
    at = start - 1;
  }
  parts.push(text.slice(start));
  return isInside ? parts : parts.filter((part) => part.trim() !== "");
}
