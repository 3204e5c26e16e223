/**
 * The tool `calculate`: the value of an arithmetic expression in Python, as `str(round(float(value), 2))`. Its errors have the
 * texts of Python.
 */
import { elements, rounded } from "./operations.js";
import { floatText } from "./text.js";
import { ToolFailed, typeName, type Value } from "./value.js";

type Token = { kind: "number"; value: bigint | number } | { kind: "sign"; sign: string };
/** Python's empty tuple is the one value of an expression that is no number. */
type Result = bigint | number | "()" | "complex";

/** Largest power of ints that is computed, in bits. A larger one has no float either. */
const mostBits = 4_096;
/** Deepest nesting that is computed. */
const mostDepth = 200;
const allowed = "0123456789+-*/(). ";
const syntax = "invalid syntax (<string>, line 1)";

/** @throws {ToolFailed} */
export function calculate(expression: Value): string {
  const characters = checked(expression);
  const expressionText = characters.trimStart();
  if (expressionText === "") throw new ToolFailed("invalid syntax (<string>, line 0)");
  return floatText(rounded(asFloat(new Expression(tokensOf(expressionText)).value())));
}

/** Returns the text of an expression. @throws {ToolFailed} it has other characters, or is no text */
function checked(expression: Value): string {
  for (const part of elements(expression)) {
    if (typeof part !== "string")
      throw new ToolFailed(`'in <string>' requires string as left operand, not ${typeName(part)}`);
    if (!allowed.includes(part)) throw new ToolFailed("Invalid characters in expression");
  }
  if (typeof expression !== "string") throw new ToolFailed("eval() arg 1 must be a string, bytes or code object");
  return expression;
}

function asFloat(value: Result): number {
  if (value === "()" || value === "complex") {
    const type = value === "()" ? "tuple" : "complex";
    throw new ToolFailed(`float() argument must be a string or a real number, not '${type}'`);
  }
  const float = Number(value);
  if (typeof value === "bigint" && !Number.isFinite(float)) throw tooLarge();
  return float;
}

function tooLarge(): ToolFailed {
  return new ToolFailed("int too large to convert to float");
}

function tokensOf(expression: string): Token[] {
  checkBrackets(expression);
  const pattern = / *(?:(\d+\.?\d*|\.\d+)|(\*\*|\/\/|[-+*/()]))/y;
  const tokens: Token[] = [];
  const text = expression.trimEnd();
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [, digits, sign] = pattern.exec(text) ?? [];
    if (digits === undefined && sign === undefined) throw new ToolFailed(syntax);
    tokens.push(sign === undefined ? { kind: "number", value: numberOf(digits as string) } : { kind: "sign", sign });
  }
  return tokens;
}

function numberOf(digits: string): bigint | number {
  if (digits.includes(".")) return Number(digits);
  if (/^0+[1-9]/.test(digits))
    throw new ToolFailed(
      "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)",
    );
  return BigInt(digits);
}

function checkBrackets(expression: string): void {
  let open = 0;
  for (const character of expression) {
    if (character === "(") open += 1;
    if (character === ")" && open-- === 0) throw new ToolFailed("unmatched ')' (<string>, line 1)");
  }
  if (open > 0) throw new ToolFailed("'(' was never closed (<string>, line 1)");
}

/** A parser by recursive descent, in Python's order of operators. It computes as it parses. */
class Expression {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  value(): Result {
    const value = this.sum();
    if (this.at < this.tokens.length) throw new ToolFailed(syntax);
    return value;
  }

  private sum(): Result {
    let left = this.product();
    for (let sign = this.sign("+", "-"); sign; sign = this.sign("+", "-")) left = applied(sign, left, this.product());
    return left;
  }

  private product(): Result {
    let left = this.unary();
    for (let sign = this.sign("*", "/", "//"); sign; sign = this.sign("*", "/", "//"))
      left = applied(sign, left, this.unary());
    return left;
  }

  private unary(): Result {
    const sign = this.sign("+", "-");
    if (!sign) return this.power();
    if (++this.depth > mostDepth) throw new ToolFailed("too many nested parentheses (<string>, line 1)");
    const value = this.unary();
    this.depth -= 1;
    if (typeof value === "string") throw new ToolFailed(`bad operand type for unary ${sign}: 'tuple'`);
    return sign === "-" ? -value : value;
  }

  private power(): Result {
    const base = this.called();
    return this.sign("**") ? applied("**", base, this.unary()) : base;
  }

  private called(): Result {
    const value = this.atom();
    const next = this.tokens[this.at];
    if (next?.kind !== "sign" || next.sign !== "(") return value;
    const type = value === "()" ? "tuple" : typeof value === "bigint" ? "int" : "float";
    this.atom();
    throw new ToolFailed(`'${type}' object is not callable`);
  }

  private atom(): Result {
    const token = this.tokens[this.at++];
    if (token?.kind === "number") return token.value;
    if (token?.sign !== "(") throw new ToolFailed(syntax);
    if (this.sign(")")) return "()";
    if (++this.depth > mostDepth) throw new ToolFailed("too many nested parentheses (<string>, line 1)");
    const value = this.sum();
    this.depth -= 1;
    if (!this.sign(")")) throw new ToolFailed(syntax);
    return value;
  }

  private sign(...signs: readonly string[]): string | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== "sign" || !signs.includes(token.sign)) return undefined;
    this.at += 1;
    return token.sign;
  }
}

function applied(sign: string, left: Result, right: Result): Result {
  if (typeof left === "string" || typeof right === "string") throw new ToolFailed(unsupported(sign, left, right));
  const areInts = typeof left === "bigint" && typeof right === "bigint";
  if (areInts && sign !== "/") return ofInts(sign, left, right);
  return ofFloats(sign, asFloat(left), asFloat(right), areInts);
}

function unsupported(sign: string, left: Result, right: Result): string {
  const names = [left, right].map((each) =>
    each === "()" ? "tuple" : each === "complex" ? each : typeof each === "bigint" ? "int" : "float",
  );
  return `unsupported operand type(s) for ${sign === "**" ? "** or pow()" : sign}: '${names[0]}' and '${names[1]}'`;
}

function ofInts(sign: string, left: bigint, right: bigint): Result {
  if (sign === "+") return left + right;
  if (sign === "-") return left - right;
  if (sign === "*") return left * right;
  if (sign === "**") return right < 0n ? ofFloats("**", asFloat(left), asFloat(right), false) : intPower(left, right);
  if (right === 0n) throw new ToolFailed("integer division or modulo by zero");
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

/** A power that is too large to compute has no float, so it fails as its conversion would. */
function intPower(base: bigint, exponent: bigint): bigint {
  const bits = (base < 0n ? -base : base).toString(2).length;
  if (bits > 1 && exponent * BigInt(bits) > mostBits * 2) throw tooLarge();
  return base ** exponent;
}

function ofFloats(sign: string, left: number, right: number, areInts: boolean): Result {
  if (sign === "+") return left + right;
  if (sign === "-") return left - right;
  if (sign === "*") return left * right;
  if (sign === "**") return floatPower(left, right);
  if (right === 0)
    throw new ToolFailed(
      sign === "//" ? "float floor division by zero" : areInts ? "division by zero" : "float division by zero",
    );
  return sign === "/" ? left / right : Math.floor(left / right);
}

function floatPower(base: number, exponent: number): Result {
  if (base === 0 && exponent < 0) throw new ToolFailed("0.0 cannot be raised to a negative power");
  if (base < 0 && !Number.isInteger(exponent)) return "complex";
  const power = base ** exponent;
  if (!Number.isFinite(power) && Number.isFinite(base)) throw new ToolFailed("(34, 'Numerical result out of range')");
  return power;
}
