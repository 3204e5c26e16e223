/** Parses the subset of Python's regular expressions that task files use. */
import { isSpace } from "../python/value.js";

export type Edge = "start" | "end" | "end-or-newline" | "word-edge" | "no-word-edge";

export type Node =
  | { kind: "character"; isOne: (codePoint: number) => boolean }
  | { kind: "sequence"; items: readonly Node[] }
  | { kind: "choice"; options: readonly Node[] }
  | { kind: "repeat"; item: Node; least: number; most: number }
  | { kind: "look"; item: Node; isWanted: boolean }
  | { kind: "edge"; edge: Edge };

export interface PatternFlags {
  isCaseIgnored?: boolean;
  /** Whether `.` also matches line feeds. */
  isDotAll?: boolean;
}

/**
 * Error if a pattern is invalid or uses an unsupported feature, such as backreferences, lookbehind or possessive
 * repeats.
 */
export class UnsupportedPattern extends Error {
  constructor(expected: string, pattern: string) {
    super(`expected ${expected}, but received the pattern ${pattern}`);
  }
}

/** @throws {UnsupportedPattern} the pattern is invalid or unsupported */
export function parsePattern(pattern: string, flags: PatternFlags): Node {
  return new PatternParser(pattern, flags).whole();
}

type Test = (codePoint: number) => boolean;

const newline = 10;
const word = /[\p{L}\p{N}_]/u;
const digit = /\p{Nd}/u;

export function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && word.test(String.fromCodePoint(codePoint));
}

const classes: Readonly<Record<string, Test>> = {
  d: (codePoint) => digit.test(String.fromCodePoint(codePoint)),
  w: isWord,
  s: (codePoint) => isSpace(String.fromCodePoint(codePoint)),
};

const edges: Readonly<Record<string, Edge>> = { A: "start", Z: "end", b: "word-edge", B: "no-word-edge" };
const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", a: "\x07" };

class PatternParser {
  private at = 0;
  private isCaseIgnored: boolean;
  private isDotAll: boolean;

  constructor(
    private readonly pattern: string,
    { isCaseIgnored = false, isDotAll = false }: PatternFlags,
  ) {
    this.isCaseIgnored = isCaseIgnored;
    this.isDotAll = isDotAll;
  }

  whole(): Node {
    const flags = /^\(\?([is]+)\)/.exec(this.pattern);
    if (flags) {
      this.at = flags[0].length;
      this.isCaseIgnored ||= flags[1]?.includes("i") ?? false;
      this.isDotAll ||= flags[1]?.includes("s") ?? false;
    }
    const node = this.choice();
    if (this.at < this.pattern.length) this.refuse("an opening bracket before each closing bracket");
    return node;
  }

  private choice(): Node {
    const options = [this.sequence()];
    while (this.skip("|")) options.push(this.sequence());
    return options.length === 1 ? (options[0] as Node) : { kind: "choice", options };
  }

  private sequence(): Node {
    const items: Node[] = [];
    while (this.at < this.pattern.length && !/[|)]/.test(this.pattern[this.at] as string)) items.push(this.repeated());
    return { kind: "sequence", items };
  }

  private repeated(): Node {
    const item = this.single();
    const bounds = this.bounds();
    if (!bounds) return item;
    if (item.kind === "edge") this.refuse("an item before each repeat operator");
    this.skip("?"); // A lazy repeat matches the same texts as a greedy repeat.
    if (this.at < this.pattern.length && (/[*+?]/.test(this.pattern[this.at] as string) || this.bounds()))
      this.refuse("one repeat operator per item");
    return { kind: "repeat", item, least: bounds[0], most: bounds[1] };
  }

  private bounds(): readonly [number, number] | undefined {
    if (this.skip("*")) return [0, Infinity];
    if (this.skip("+")) return [1, Infinity];
    if (this.skip("?")) return [0, 1];
    const [whole, least = "", comma, most = ""] =
      /^\{(\d*)(,?)(\d*)\}/.exec(this.pattern.slice(this.at, this.at + 16)) ?? [];
    if (whole === undefined || (least === "" && comma === "")) return undefined;
    this.at += whole.length;
    if (comma === "") return [Number(least), Number(least)];
    return [Number(least), most === "" ? Infinity : Number(most)];
  }

  private single(): Node {
    const character = this.next();
    if (character === "^") return { kind: "edge", edge: "start" };
    if (character === "$") return { kind: "edge", edge: "end-or-newline" };
    if (character === ".") {
      const { isDotAll } = this;
      return { kind: "character", isOne: (codePoint) => isDotAll || codePoint !== newline };
    }
    if (character === "(") return this.group();
    if (character === "[") return this.character(this.bracket());
    if (/[*+?]/.test(character)) this.refuse("an item before each repeat operator");
    if (character !== "\\") return this.character(this.literal(character));
    const edge = edges[this.pattern[this.at] ?? ""];
    if (!edge) return this.character(this.escape());
    this.at += 1;
    return { kind: "edge", edge };
  }

  private group(): Node {
    const [opening = "", look] = /^\?(?:([=!])|:|P<\w+>)/.exec(this.pattern.slice(this.at, this.at + 80)) ?? [];
    if (this.pattern[this.at] === "?" && opening === "") this.refuse("(?:...), (?=...), (?!...) or (?P<name>...)");
    this.at += opening.length;
    const item = this.choice();
    if (!this.skip(")")) this.refuse("a closing bracket");
    return look ? { kind: "look", item, isWanted: look === "=" } : item;
  }

  private bracket(): Test {
    const isNegated = this.skip("^");
    const tests: Test[] = [];
    while (tests.length === 0 || this.pattern[this.at] !== "]") {
      const from = this.classItem();
      if (typeof from === "function") tests.push(from);
      else if (this.pattern[this.at] === "-" && this.pattern[this.at + 1] !== "]") {
        this.at += 1;
        const to = this.classItem();
        if (typeof to === "function" || to < from) this.refuse("a range from a lower character to a higher character");
        else tests.push((codePoint) => codePoint >= from && codePoint <= to);
      } else tests.push((codePoint) => codePoint === from);
    }
    this.at += 1;
    const folded = this.folded((codePoint) => tests.some((test) => test(codePoint)));
    return isNegated ? (codePoint) => !folded(codePoint) : folded;
  }

  /**
   * Parses one item in square brackets. Returns a code point for a single character, and a test for a class such as
   * `\d`.
   */
  private classItem(): number | Test {
    const character = this.next();
    if (character !== "\\") return character.codePointAt(0) as number;
    if (this.pattern[this.at] === "b") {
      this.at += 1;
      return 8;
    }
    return this.escaped();
  }

  private escape(): Test {
    const meaning = this.escaped();
    return typeof meaning === "function" ? meaning : this.literal(String.fromCodePoint(meaning));
  }

  private escaped(): number | Test {
    const letter = this.next();
    const test = classes[letter.toLowerCase()];
    if (test) return letter === letter.toLowerCase() ? test : (codePoint) => !test(codePoint);
    const hex = { x: 2, u: 4 }[letter];
    if (hex !== undefined) {
      const digits = this.pattern.slice(this.at, this.at + hex);
      if (!new RegExp(`^[0-9a-fA-F]{${hex}}$`).test(digits)) this.refuse(`${hex} hexadecimal digits`);
      this.at += hex;
      return Number.parseInt(digits, 16);
    }
    if (controls[letter] === undefined && /[a-zA-Z0-9]/.test(letter)) this.refuse("a known escape");
    return (controls[letter] ?? letter).codePointAt(0) as number;
  }

  private literal(character: string): Test {
    const wanted = character.codePointAt(0) as number;
    return this.folded((codePoint) => codePoint === wanted);
  }

  private folded(test: Test): Test {
    if (!this.isCaseIgnored) return test;
    return (codePoint) => test(codePoint) || test(lower(codePoint)) || test(upper(codePoint));
  }

  private character(isOne: Test): Node {
    return { kind: "character", isOne };
  }

  private next(): string {
    const codePoint = this.pattern.codePointAt(this.at);
    if (codePoint === undefined) this.refuse("a pattern with complete brackets and escapes");
    const character = String.fromCodePoint(codePoint as number);
    this.at += character.length;
    return character;
  }

  private skip(character: string): boolean {
    if (this.pattern[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private refuse(expected: string): never {
    throw new UnsupportedPattern(expected, this.pattern);
  }
}

function lower(codePoint: number): number {
  if (codePoint < 128) return codePoint >= 65 && codePoint <= 90 ? codePoint + 32 : codePoint;
  return String.fromCodePoint(codePoint).toLowerCase().codePointAt(0) as number;
}

function upper(codePoint: number): number {
  if (codePoint < 128) return codePoint >= 97 && codePoint <= 122 ? codePoint - 32 : codePoint;
  return String.fromCodePoint(codePoint).toUpperCase().codePointAt(0) as number;
}
