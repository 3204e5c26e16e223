/** Reads JSON text with the values of Python's `json.loads`. */
import type { Value } from "./value.js";

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in a string
const plainString = /"[^"\\\u0000-\u001f]*"/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in a string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const words: Readonly<Record<string, Value>> = { t: true, f: false, n: null };
/** Longest int that is read. Python refuses ints with more digits. */
const mostDigits = 4_300;
/** Deepest nesting that is read. */
const mostDepth = 500;

/** @throws {SyntaxError} the text is not JSON */
export function readJson(text: string): Value {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): Value {
    if (depth > mostDepth) throw new SyntaxError(`expected JSON of at most ${mostDepth} levels`);
    this.match(space);
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.array(depth);
    if (first === '"') return this.string();
    if (first !== undefined && first in words) return this.word(words[first] as Value);
    return this.number();
  }

  end(): void {
    this.match(space);
    if (this.at < this.text.length) throw this.unexpected("the end of the text");
  }

  private object(depth: number): Value {
    const entries = new Map<string, Value>();
    this.at += 1;
    if (this.skips("}")) return entries;
    for (;;) {
      this.match(space);
      const key = this.string();
      if (!this.skips(":")) throw this.unexpected(":");
      entries.set(key, this.value(depth + 1));
      if (this.skips("}")) return entries;
      if (!this.skips(",")) throw this.unexpected(", or }");
    }
  }

  private array(depth: number): Value {
    const values: Value[] = [];
    this.at += 1;
    if (this.skips("]")) return values;
    for (;;) {
      values.push(this.value(depth + 1));
      if (this.skips("]")) return values;
      if (!this.skips(",")) throw this.unexpected(", or ]");
    }
  }

  private string(): string {
    const plain = this.match(plainString);
    if (plain) return plain[0].slice(1, -1);
    const found = this.match(string);
    if (!found) throw this.unexpected("a string");
    return JSON.parse(found[0]) as string;
  }

  private number(): Value {
    const found = this.match(number);
    if (!found?.[0]) throw this.unexpected("a value");
    const [digits, fraction, exponent] = found;
    if (fraction !== undefined || exponent !== undefined) return Number(digits);
    if (digits.length > mostDigits) throw new SyntaxError(`expected an int of at most ${mostDigits} digits`);
    return BigInt(digits);
  }

  private word(value: Value): Value {
    const text = String(value);
    if (!this.text.startsWith(text, this.at)) throw this.unexpected("a value");
    this.at += text.length;
    return value;
  }

  /** Skips white space and the mark, and tells whether the mark was there. */
  private skips(mark: string): boolean {
    this.match(space);
    if (this.text[this.at] !== mark) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private unexpected(expected: string): SyntaxError {
    const received = this.at < this.text.length ? JSON.stringify(this.text.slice(this.at, this.at + 20)) : "the end";
    return new SyntaxError(`expected ${expected} at position ${this.at} of the JSON text, but received ${received}`);
  }
}
