/** Regular expressions of JSON Schema (ECMA-262 with the flag u) as automata over characters. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { invalid } from "../addon/errors.js";
import { addRepeats } from "./automaton.js";
import { anyCharacter, complement, type Ranges, union } from "./characters.js";
import { Text } from "./text.js";

const digits: Ranges = [[0x30, 0x39]];
const word = union(digits, [
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
const space = union([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
const lineEnds: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/**
 * Returns the texts in which a pattern is found. `^` and `$` may stand at the ends of the pattern and of its
 * alternatives.
 *
 * @param at place of the schema, for errors
 */
export function patternText(source: string, at: string): Text {
  const pattern = parsed(source, at);
  const builder = new PatternBuilder(at);
  for (const alternative of pattern.alternatives) builder.addAnchored(alternative);
  return builder.text;
}

function parsed(source: string, at: string): AST.Pattern {
  try {
    return new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    throw invalid(`a regular expression at ${at}/pattern`, (error as Error).message);
  }
}

class PatternBuilder {
  readonly text = new Text();

  constructor(private readonly at: string) {}

  addAnchored({ elements }: AST.Alternative): void {
    const begins = isAnchor(elements[0], "start");
    const ends = elements.length > Number(begins) && isAnchor(elements.at(-1), "end");
    const inner = elements.slice(Number(begins), ends ? -1 : undefined);
    const { text } = this;
    const first = text.state();
    const last = text.state();
    text.join(0, first);
    if (!begins) text.add(first, anyCharacter, first);
    this.#sequence(inner, first, last);
    if (!ends) text.add(last, anyCharacter, last);
    text.ends.add(last);
  }

  #sequence(elements: readonly AST.Element[], from: number, to: number): void {
    let at = from;
    for (const element of elements) {
      const next = this.text.state();
      this.#element(element, at, next);
      at = next;
    }
    this.text.join(at, to);
  }

  #element(element: AST.Element, from: number, to: number): void {
    if (element.type === "Quantifier") return this.#quantifier(element, from, to);
    if (element.type === "Group" || element.type === "CapturingGroup") {
      if (element.type === "Group" && element.modifiers) throw this.#unsupported(element);
      for (const { elements } of element.alternatives) this.#sequence(elements, from, to);
      return;
    }
    if (element.type === "Character" || element.type === "CharacterSet" || element.type === "CharacterClass") {
      return this.text.add(from, this.#set(element), to);
    }
    throw this.#unsupported(element);
  }

  #quantifier({ min, max, element }: AST.Quantifier, from: number, to: number): void {
    const part = (start: number, end: number) => this.#element(element, start, end);
    addRepeats(this.text, part, { least: min, most: max }, { from, to });
  }

  #set(element: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassRange): Ranges {
    switch (element.type) {
      case "Character":
        return [[element.value, element.value]];
      case "CharacterClassRange":
        return [[element.min.value, element.max.value]];
      case "CharacterClass": {
        const set = union(...element.elements.map((each) => this.#member(each)));
        return element.negate ? complement(set) : set;
      }
      default:
        return this.#namedSet(element);
    }
  }

  #member(element: AST.CharacterClassElement): Ranges {
    const isSimple =
      element.type === "Character" || element.type === "CharacterClassRange" || element.type === "CharacterSet";
    if (!isSimple) throw this.#unsupported(element);
    return this.#set(element);
  }

  #namedSet(set: AST.CharacterSet): Ranges {
    if (set.kind === "any") return complement(lineEnds);
    if (set.kind === "property") throw this.#unsupported(set);
    const named = { digit: digits, word, space }[set.kind];
    return set.negate ? complement(named) : named;
  }

  #unsupported({ raw }: { readonly raw: string }): Error {
    const expected = "without assertions inside, back references and classes by property";
    return invalid(`a pattern ${expected} at ${this.at}/pattern`, `"${raw}"`);
  }
}

function isAnchor(element: AST.Element | undefined, kind: "start" | "end"): boolean {
  return element?.type === "Assertion" && element.kind === kind;
}
