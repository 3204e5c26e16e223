/**
 * One call in Python with literal arguments: `get(2, item="oak log")`. Literals are text, numbers, True, False, None, and
 * lists, tuples and dictionaries of them; comments are skipped. No other part of the language is supported.
 */

export interface PythonCall {
  readonly name: string;
  readonly positional: readonly unknown[];
  readonly keyword: Readonly<Record<string, unknown>>;
}

/** Error that reports code which is not a supported call. */
export class PythonError extends Error {
  override readonly name = "PythonError";
  constructor(
    readonly expected: string,
    readonly received: string,
  ) {
    super(`expected ${expected}, but received ${received}`);
  }
}

const form = 'one call with values as they are, as function(argument="value")';

/** @throws {PythonError} */
export function parsePythonCall(code: string): PythonCall {
  return new Reader(code).call();
}

/** Parses a list of calls with keyword arguments alone: `[get(count=2), wait()]`. @throws {PythonError} */
export function parsePythonCalls(code: string): PythonCall[] {
  return new Reader(code).calls();
}

export function writePythonCall(name: string, keyword: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(keyword).map(([parameter, value]) => `${parameter}=${literal(value)}`);
  return `${name}(${values.join(", ")})`;
}

function literal(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  // Text and numbers have the same notation in Python and JSON.
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${literal(each)}`);
  return `{${entries.join(", ")}}`;
}

const deepest = 16;

class Reader {
  private at = 0;

  constructor(private readonly code: string) {}

  call(): PythonCall {
    const call = this.nextCall();
    this.expectEnd();
    return call;
  }

  calls(): PythonCall[] {
    const calls: PythonCall[] = [];
    this.expect("[");
    while (!this.take("]")) {
      calls.push(this.nextCall());
      if (this.take("]")) break;
      this.expect(",");
    }
    this.expectEnd();
    return calls;
  }

  private nextCall(): PythonCall {
    const name = this.name();
    this.expect("(");
    const positional: unknown[] = [];
    const keyword: Record<string, unknown> = Object.create(null);
    while (!this.take(")")) {
      const parameter = this.match(/([A-Za-z_]\w*)\s*=(?!=)/y)?.[1];
      if (parameter === undefined && Object.keys(keyword).length > 0) {
        throw new PythonError("no positional argument after a keyword argument", this.rest);
      }
      if (parameter === undefined) positional.push(this.value(0));
      else if (Object.hasOwn(keyword, parameter)) throw new PythonError(`one value for ${parameter}`, "two");
      else keyword[parameter] = this.value(0);
      if (this.take(")")) break;
      this.expect(",");
    }
    return { name, positional, keyword };
  }

  private expectEnd(): void {
    this.skip();
    if (this.at < this.code.length) throw new PythonError(form, `more: ${this.rest}`);
  }

  private name(): string {
    const name = this.match(/[A-Za-z_]\w*/y)?.[0];
    if (name === undefined) throw new PythonError(form, this.rest);
    return name;
  }

  private value(depth: number): unknown {
    if (depth > deepest) throw new PythonError(`values at most ${deepest} deep`, this.rest);
    const number = this.match(/[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?!\w)/y)?.[0];
    if (number !== undefined) return Number(number.replaceAll("_", ""));
    const word = this.match(/(?:True|False|None)\b/y)?.[0];
    if (word !== undefined) return word === "None" ? null : word === "True";
    if (this.take("[")) return this.list("]", depth);
    if (this.take("(")) return this.list(")", depth);
    if (this.take("{")) return this.dictionary(depth);
    return this.text();
  }

  private list(end: string, depth: number): unknown[] {
    const values: unknown[] = [];
    while (!this.take(end)) {
      values.push(this.value(depth + 1));
      if (this.take(end)) break;
      this.expect(",");
    }
    return values;
  }

  private dictionary(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    while (!this.take("}")) {
      const key = this.text();
      this.expect(":");
      entries.push([key, this.value(depth + 1)]);
      if (this.take("}")) break;
      this.expect(",");
    }
    return Object.fromEntries(entries);
  }

  private text(): string {
    const [, quotes, body] = this.match(/("""|'''|"|')((?:\\[\s\S]|(?!\1)[^\\])*)\1/y) ?? [];
    const isWhole = quotes !== undefined && body !== undefined && (quotes.length === 3 || !/(?<!\\)\n/.test(body));
    if (!isWhole)
      throw new PythonError("a literal: text, a number, True, False, None, a list or a dictionary", this.rest);
    return unescaped(body);
  }

  private expect(symbol: string): void {
    if (!this.take(symbol)) throw new PythonError(form, this.rest);
  }

  private take(symbol: string): boolean {
    this.skip();
    if (!this.code.startsWith(symbol, this.at)) return false;
    this.at += symbol.length;
    return true;
  }

  /** Matches a pattern at the current position. @param pattern sticky pattern */
  private match(pattern: RegExp): RegExpExecArray | undefined {
    this.skip();
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.code) ?? undefined;
    if (match) this.at += match[0].length;
    return match;
  }

  /** Skips spaces, line ends and comments. */
  private skip(): void {
    const blank = /(?:\s|#[^\n]*)*/y;
    blank.lastIndex = this.at;
    this.at += blank.exec(this.code)?.[0].length ?? 0;
  }

  private get rest(): string {
    return JSON.stringify(this.code.slice(this.at, this.at + 80)) || "nothing";
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  a: "\x07",
  v: "\v",
  "0": "\0",
};

/** Resolves escapes as Python does: an unknown escape is kept with its backslash. */
function unescaped(body: string): string {
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (whole, x?: string, u?: string, wide?: string, one?: string) => {
      const code = Number.parseInt(x ?? u ?? wide ?? "", 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      if (one === undefined) return whole;
      if (one === "\n") return "";
      return "\\'\"".includes(one) ? one : (escapes[one] ?? whole);
    },
  );
}
