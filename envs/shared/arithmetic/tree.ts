/** The syntax tree of a formula. */
import type { Rational } from "./rational.js";

export type Tree =
  /** A number. `text` is the number as it was written. */
  | { kind: "number"; value: Rational; text: string }
  | { kind: "name"; name: string }
  | { kind: "call"; name: string; of: Tree[] }
  | { kind: "negative"; of: Tree }
  | { kind: "factorial"; of: Tree }
  | { kind: "percent"; of: Tree }
  /** Mixed number, such as `2 1/2`: an integer and a fraction. */
  | { kind: "mixed"; whole: Tree; part: Tree }
  | { kind: "binary"; sign: "+" | "-" | "*" | "/" | "^"; left: Tree; right: Tree };

export class NotAFormula extends SyntaxError {}

/** Minimum and maximum number of arguments, by the name of the function. */
export const functions: Readonly<Record<string, readonly [least: number, most: number]>> = {
  sqrt: [1, 1],
  root: [2, 2],
  abs: [1, 1],
  floor: [1, 1],
  ceil: [1, 1],
  round: [1, 2],
  min: [1, 20],
  max: [1, 20],
  gcd: [2, 20],
  lcm: [2, 20],
  mod: [2, 2],
  factorial: [1, 1],
  binom: [2, 2],
  exp: [1, 1],
  ln: [1, 1],
  log: [1, 2],
  sin: [1, 1],
  cos: [1, 1],
  tan: [1, 1],
  sec: [1, 1],
  csc: [1, 1],
  cot: [1, 1],
  asin: [1, 1],
  acos: [1, 1],
  atan: [1, 1],
};

/** Functions whose argument needs no brackets, as in `sin 2x` and `ln x`. */
export const bare: ReadonlySet<string> = new Set([
  "sin",
  "cos",
  "tan",
  "sec",
  "csc",
  "cot",
  "asin",
  "acos",
  "atan",
  "ln",
  "log",
  "exp",
]);

export const constants: ReadonlySet<string> = new Set(["pi", "e"]);

/** Returns the names of the variables in a tree. */
export function variablesOf(tree: Tree): Set<string> {
  const names = new Set<string>();
  for (const { kind, ...rest } of nodesOf(tree))
    if (kind === "name" && "name" in rest && !constants.has(rest.name as string)) names.add(rest.name as string);
  return names;
}

export function* nodesOf(tree: Tree): Generator<Tree> {
  yield tree;
  if (tree.kind === "binary") {
    yield* nodesOf(tree.left);
    yield* nodesOf(tree.right);
  } else if (tree.kind === "mixed") {
    yield* nodesOf(tree.whole);
    yield* nodesOf(tree.part);
  } else if (tree.kind === "call") for (const each of tree.of) yield* nodesOf(each);
  else if ("of" in tree) yield* nodesOf(tree.of);
}
