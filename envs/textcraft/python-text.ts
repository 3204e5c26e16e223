/**
 * The two text functions of Python that affect observations: `str.strip()` and `repr()`. JavaScript's functions differ:
 * `trim` removes U+FEFF but not U+001C. Character classes such as `\p{Cn}` depend on the version of V8, so the
 * printable characters come from a table of Python 3.11 (Unicode 14).
 */
import { readFileSync } from "node:fs";

/** Removes whitespace, as defined by Python's `str.isspace`, from both ends. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  if (code < 0x85) return false;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Formats a string as Python's `repr` does: quoted, with unprintable characters escaped. */
export function repr(text: string): string {
  if (!/[^\x20-\x7e]|['\\]/.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // The code units go into a buffer, since a text may have a million characters. The escape of a character has up to six
  // units.
  const units = new Uint16Array(text.length * 6);
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at += 1;
    end = writeQuoted(units, end, code, quote.charCodeAt(0));
  }
  return quote + textOf(units.subarray(0, end)) + quote;
}

const backslash = 0x5c;
/** Letters in the escape sequences of tab, line feed and carriage return. */
const shortEscapes = new Map<number, number>([
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0d, 0x72],
]);

/** Writes one character, escaped if necessary, at index `end`. @returns the index after it */
function writeQuoted(units: Uint16Array, end: number, code: number, quote: number): number {
  if (code === quote || code === backslash) return writeEscape(units, end, code, 0, 0);
  if (isPrintable(code)) {
    if (code <= 0xffff) {
      units[end] = code;
      return end + 1;
    }
    units[end] = 0xd800 + ((code - 0x10000) >> 10);
    units[end + 1] = 0xdc00 + (code & 0x3ff);
    return end + 2;
  }
  const short = code < 0x20 ? shortEscapes.get(code) : undefined;
  if (short !== undefined) return writeEscape(units, end, short, 0, 0);
  if (code <= 0xff) return writeEscape(units, end, 0x78, code, 2);
  return code <= 0xffff ? writeEscape(units, end, 0x75, code, 4) : writeEscape(units, end, 0x55, code, 8);
}

/** Writes a backslash, a letter and hexadecimal digits at index `end`. @returns the index after them */
function writeEscape(units: Uint16Array, end: number, letter: number, code: number, digits: number): number {
  units[end] = backslash;
  units[end + 1] = letter;
  for (let i = 0; i < digits; i++) {
    const digit = (code >>> (4 * (digits - 1 - i))) & 0xf;
    units[end + 2 + i] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10;
  }
  return end + 2 + digits;
}

function textOf(units: Uint16Array): string {
  const chunk = 8192;
  let text = "";
  for (let at = 0; at < units.length; at += chunk) {
    // `apply` is used, since a call with spread is ten times slower.
    text += String.fromCharCode.apply(null, units.subarray(at, at + chunk) as unknown as number[]);
  }
  return text;
}

/** Table by code point: 1 if the code point is printable. */
let printable: Uint8Array | undefined;

function isPrintable(code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  printable ??= loadPrintable();
  return printable[code] === 1;
}

function loadPrintable(): Uint8Array {
  const file = readFileSync(new URL("./data/printable.json", import.meta.url), "utf8");
  const table = new Uint8Array(0x110000);
  let start = 0;
  for (const [run, length] of (JSON.parse(file) as { runLengths: number[] }).runLengths.entries()) {
    table.fill(run % 2, start, start + length);
    start += length;
  }
  return table;
}
