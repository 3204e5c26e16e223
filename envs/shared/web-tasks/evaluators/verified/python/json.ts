/** Parses JSON like Python's `json.loads`, which distinguishes `1` from `1.0` and accepts `NaN` and `Infinity`. */
import { floatRepr, isDict, isList, type PyDict, type PyValue } from "./value.js";

/** Maximum nesting depth. Python stops with an error at a depth of about 1,000. */
const deepest = 500;
/** Maximum number of digits of an integer that Python parses. */
const longestInteger = 4300;

/** Parses a JSON text. Returns undefined if Python would raise an error. */
export function parseJson(text: string): PyValue | undefined {
  try {
    return new Reader(text).document();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const constants: readonly [string, PyValue][] = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
];

class Reader {
  private at = 0;
  private depth = 0;
  private readonly number = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
  private readonly space = /[ \t\n\r]*/y;

  constructor(private readonly text: string) {}

  document(): PyValue {
    const value = this.value();
    if (this.at !== this.text.length) throw new SyntaxError("extra data");
    return value;
  }

  private value(): PyValue {
    this.skipSpace();
    const value = this.bare();
    this.skipSpace();
    return value;
  }

  private bare(): PyValue {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{") return this.nested(() => this.object());
    if (first === "[") return this.nested(() => this.array());
    for (const [word, value] of constants) if (this.skip(word)) return value;
    return this.numeral();
  }

  private nested<T>(read: () => T): T {
    this.at += 1;
    this.depth += 1;
    if (this.depth > deepest) throw new SyntaxError("too deep");
    const value = read();
    this.depth -= 1;
    return value;
  }

  private object(): PyDict {
    const dict = new Map<string, PyValue>();
    this.skipSpace();
    if (this.skip("}")) return dict;
    for (;;) {
      this.skipSpace();
      if (this.text[this.at] !== '"') throw new SyntaxError("expected a name");
      const key = this.string();
      this.skipSpace();
      if (!this.skip(":")) throw new SyntaxError("expected a colon");
      dict.set(key, this.value());
      if (this.skip("}")) return dict;
      if (!this.skip(",")) throw new SyntaxError("expected a comma");
    }
  }

  private array(): PyValue[] {
    const list: PyValue[] = [];
    this.skipSpace();
    if (this.skip("]")) return list;
    for (;;) {
      list.push(this.value());
      if (this.skip("]")) return list;
      if (!this.skip(",")) throw new SyntaxError("expected a comma");
    }
  }

  private numeral(): PyValue {
    this.number.lastIndex = this.at;
    const [whole = "", integer = "", fraction, exponent] = this.number.exec(this.text) ?? [];
    if (whole === "") throw new SyntaxError("expected a value");
    this.at += whole.length;
    if (fraction !== undefined || exponent !== undefined) return Number(whole);
    if (integer.length > longestInteger) throw new SyntaxError("the integer has too many digits");
    return BigInt(integer);
  }

  /** Parses a string literal with JavaScript's `JSON.parse`. */
  private string(): string {
    const start = this.at;
    let end = start;
    do end = this.text.indexOf('"', end + 1);
    while (end !== -1 && this.isEscaped(end));
    if (end === -1) throw new SyntaxError("unterminated text");
    this.at = end + 1;
    return JSON.parse(this.text.slice(start, end + 1));
  }

  /** Whether the character at a position is escaped: an odd number of backslashes precedes it. */
  private isEscaped(at: number): boolean {
    let start = at;
    while (this.text[start - 1] === "\\") start -= 1;
    return (at - start) % 2 === 1;
  }

  private skipSpace(): void {
    this.space.lastIndex = this.at;
    this.space.test(this.text); // The pattern always matches, if only an empty text.
    this.at = this.space.lastIndex;
  }

  private skip(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }
}

/** Formats a value like Python's `json.dumps(value, sort_keys=True, separators=(",", ":"))`. */
export function sortedJson(value: PyValue): string {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "number") return floatRepr(value);
  if (isList(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (!isDict(value)) return JSON.stringify(value);
  const names = [...value.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(value.get(name) ?? null)}`).join(",")}}`;
}
