/** Sets of characters, and the bytes with which a JSON string writes them. */
import type { Automaton, Part, Rule } from "./automaton.js";

/** Code points as sorted, disjoint ranges; both ends are part of a range. */
export type Ranges = readonly (readonly [number, number])[];

export const last = 0x10ffff;
export const anyCharacter: Ranges = [[0, last]];

/** Sorts ranges and joins those that touch. */
export function union(...sets: readonly Ranges[]): Ranges {
  const joined: [number, number][] = [];
  for (const [low, high] of sets.flat().sort(([one], [other]) => one - other)) {
    const before = joined.at(-1);
    if (before && low <= before[1] + 1) before[1] = Math.max(before[1], high);
    else joined.push([low, high]);
  }
  return joined;
}

export function complement(set: Ranges): Ranges {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) rest.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= last) rest.push([next, last]);
  return rest;
}

export function intersection(one: Ranges, other: Ranges): Ranges {
  return complement(union(complement(one), complement(other)));
}

/** Letters after a backslash that stand for one character. */
const escapes: readonly (readonly [string, number])[] = [
  ['"', 0x22],
  ["\\", 0x5c],
  ["n", 0x0a],
  ["t", 0x09],
  ["r", 0x0d],
  ["b", 0x08],
  ["f", 0x0c],
];

const plain = complement([
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0xd800, 0xdfff],
]);

const surrogates: Ranges = [[0xd800, 0xdfff]];

/** Returns the rule of one character of a set in UTF-8. */
export function plainRule(automaton: Automaton, set: Ranges): Rule {
  const name = `plain character ${JSON.stringify(set)}`;
  return automaton.rule(name, () => utf8(automaton, intersection(set, complement(surrogates))));
}

/** Returns the rule of one character of a set, as a JSON string writes it. */
export function stringRule(automaton: Automaton, set: Ranges): Rule {
  return automaton.rule(`character ${JSON.stringify(set)}`, () => {
    const has = (code: number) => set.some(([low, high]) => low <= code && code <= high);
    const letters = escapes.filter(([, code]) => has(code)).map(([letter]) => automaton.text(`\\${letter}`));
    const escaped = set.length === 1 && set[0]?.[0] === 0 && set[0][1] === last;
    const rest = escaped ? [automaton.text("\\/"), hexEscape(automaton)] : otherControls(automaton, has);
    return automaton.choice(utf8(automaton, intersection(set, plain)), ...letters, ...rest);
  });
}

/** Control characters that have no letter. */
function otherControls(automaton: Automaton, has: (code: number) => boolean): Part[] {
  const lettered = new Set(escapes.map(([, code]) => code));
  return Array.from({ length: 0x20 }, (_, code) => code)
    .filter((code) => has(code) && !lettered.has(code))
    .map((code) => automaton.text(`\\u${code.toString(16).padStart(4, "0")}`));
}

/** Any character as `\u` with four hexadecimal digits, or two of them for a character above U+FFFF. */
function hexEscape(automaton: Automaton): Part {
  const oneOf = (letters: string) => automaton.choice(...[...letters].map((letter) => automaton.text(letter)));
  const digit = automaton.call(automaton.rule("hexadecimal digit", () => oneOf("0123456789abcdefABCDEF")));
  const surrogate = (second: string) => automaton.sequence(oneOf("dD"), oneOf(second), digit, digit);
  const lone = automaton.choice(
    automaton.sequence(oneOf("0123456789abcefABCEF"), digit, digit, digit),
    surrogate("01234567"),
  );
  const pair = automaton.sequence(surrogate("89abAB"), automaton.text("\\u"), surrogate("cdefCDEF"));
  return automaton.sequence(automaton.text("\\u"), automaton.choice(lone, pair));
}

/** One character of a set in UTF-8. */
function utf8(automaton: Automaton, set: Ranges): Part {
  const parts = set.flatMap(([low, high]) =>
    byLength(low, high).flatMap(([from, to]) =>
      byteRanges([...Buffer.from(character(from))], [...Buffer.from(character(to))]),
    ),
  );
  return automaton.choice(
    ...parts.map((ranges) => automaton.sequence(...ranges.map(([from, to]) => automaton.bytes(from, to)))),
  );
}

const character = (code: number) => String.fromCodePoint(code);

/** Splits a range where the number of bytes in UTF-8 changes. */
function byLength(low: number, high: number): [number, number][] {
  const ends = [0x7f, 0x7ff, 0xffff, last];
  return ends.flatMap((end, at): [number, number][] => {
    const from = Math.max(low, (ends[at - 1] ?? -1) + 1);
    const to = Math.min(high, end);
    return from <= to ? [[from, to]] : [];
  });
}

type ByteRange = readonly [number, number];

/** Splits the byte strings between two of equal length into products of byte ranges. */
function byteRanges(low: readonly number[], high: readonly number[]): ByteRange[][] {
  const [first, ...afterLow] = low as [number, ...number[]];
  const [end, ...afterHigh] = high as [number, ...number[]];
  if (afterLow.length === 0) return [[[first, end]]];
  const continued = (from: number, to: number, rest: ByteRange[][]): ByteRange[][] =>
    from > to ? [] : rest.map((ranges) => [[from, to], ...ranges]);
  const every: ByteRange[][] = [afterLow.map((): ByteRange => [0x80, 0xbf])];
  if (first === end) return continued(first, end, byteRanges(afterLow, afterHigh));
  const lowest = afterLow.every((byte) => byte === 0x80);
  const highest = afterHigh.every((byte) => byte === 0xbf);
  return [
    ...(lowest
      ? []
      : continued(
          first,
          first,
          byteRanges(
            afterLow,
            afterLow.map(() => 0xbf),
          ),
        )),
    ...continued(lowest ? first : first + 1, highest ? end : end - 1, every),
    ...(highest
      ? []
      : continued(
          end,
          end,
          byteRanges(
            afterHigh.map(() => 0x80),
            afterHigh,
          ),
        )),
  ];
}
