/** An automaton over characters: the inside of a JSON string. */
import { invalid } from "../addon/errors.js";
import { anyCharacter, complement, type Ranges } from "./characters.js";

/** Limit on the states of a pattern, which bounds its memory. */
const mostStates = 20_000;

/** The start is state 0. */
export class Text {
  readonly edges: { readonly set: Ranges; readonly to: number }[][] = [[]];
  /** Edges without a character. */
  readonly joins: number[][] = [[]];
  readonly ends = new Set<number>();

  state(): number {
    if (this.edges.length >= mostStates) throw invalid(`a pattern of at most ${mostStates} states`, "a longer one");
    this.joins.push([]);
    return this.edges.push([]) - 1;
  }

  add(from: number, set: Ranges, to: number): void {
    this.edges[from]?.push({ set, to });
  }

  join(from: number, to: number): void {
    this.joins[from]?.push(to);
  }
}

export function anyText(): Text {
  const text = new Text();
  text.add(0, anyCharacter, 0);
  text.ends.add(0);
  return text;
}

/** Texts that are none of the names: they leave the tree of the names, or end inside it. */
export function textExcept(names: readonly string[]): Text {
  const text = new Text();
  const free = text.state();
  // Only here may a character be escaped by its number, which could spell a name in another way.
  text.add(free, anyCharacter, free);
  text.ends.add(free);
  const children: Map<number, number>[] = [];
  children[0] = new Map();
  const named = new Set<number>();
  for (const name of names) {
    let node = 0;
    for (const letter of name) node = childOf(text, children, node, letter.codePointAt(0) as number);
    named.add(node);
  }
  for (const [node, own] of children.entries()) {
    if (!own) continue;
    const codes = [...own.keys()].sort((one, other) => one - other).map((code) => [code, code] as const);
    text.add(node, complement(codes), free);
    if (!named.has(node)) text.ends.add(node);
  }
  return text;
}

function childOf(text: Text, children: Map<number, number>[], node: number, code: number): number {
  const own = children[node] as Map<number, number>;
  const known = own.get(code);
  if (known !== undefined) return known;
  const child = text.state();
  own.set(code, child);
  children[child] = new Map();
  text.add(node, [[code, code]], child);
  return child;
}
