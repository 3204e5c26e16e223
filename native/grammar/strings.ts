/** JSON strings by length, pattern and format. */
import { invalid } from "../addon/errors.js";
import type { Automaton, Part, Rule } from "./automaton.js";
import { plainRule, type Ranges, stringRule } from "./characters.js";
import { formatPatterns } from "./formats.js";
import { patternText } from "./pattern.js";
import { anyText, type Text, textExcept } from "./text.js";

/** Highest length that is counted. A string with a higher limit ends there. */
const mostCounted = 10_000;

export interface StringKeywords {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** @param at place of the schema, for errors */
export function stringPart(automaton: Automaton, keywords: StringKeywords, at: string): Part {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = keywords;
  const ofFormat = format === undefined ? undefined : formatPatterns.get(format);
  if (pattern !== undefined && ofFormat !== undefined) {
    throw invalid(`either a pattern or a format at ${at}`, `the pattern ${pattern} and the format ${format}`);
  }
  const source = pattern ?? ofFormat;
  const most = Number.isFinite(maxLength) ? Math.min(maxLength, Math.max(mostCounted, minLength)) : maxLength;
  const name = `string ${JSON.stringify([source, minLength, most])}`;
  const text = () => (source === undefined ? anyText() : patternText(source, at));
  return automaton.call(automaton.rule(name, () => quoted(automaton, text(), minLength, most)));
}

/** A string that is none of the names. */
export function otherString(automaton: Automaton, names: readonly string[]): Part {
  const name = `string except ${JSON.stringify(names)}`;
  const build = () => quoted(automaton, textExcept(names), 0, Number.POSITIVE_INFINITY);
  return automaton.call(automaton.rule(name, build));
}

/** Texts, not JSON strings, in which a pattern is found. */
export function patternPart(automaton: Automaton, pattern: string): Part {
  const byText = (set: Ranges) => plainRule(automaton, set);
  return counted(automaton, patternText(pattern, "#"), 0, Number.POSITIVE_INFINITY, byText);
}

/** The strings of a text with a number of characters between two limits, in quotation marks. */
function quoted(automaton: Automaton, text: Text, least: number, most: number): Part {
  const inside = counted(automaton, text, least, most, (set) => stringRule(automaton, set));
  return automaton.sequence(automaton.bytes(0x22), inside, automaton.bytes(0x22));
}

/** @param ruleOf makes the rule of one character */
function counted(automaton: Automaton, text: Text, least: number, most: number, ruleOf: (set: Ranges) => Rule): Part {
  // Without an upper limit, characters are counted up to the lower one only.
  const highest = Number.isFinite(most) ? most : least;
  return (from, to) => {
    const states = new Map([["0 0", from]]);
    const open: (readonly [inText: number, count: number])[] = [[0, 0]];
    const stateOf = (inText: number, count: number): number => {
      const key = `${inText} ${count}`;
      const known = states.get(key);
      if (known !== undefined) return known;
      const made = automaton.state();
      states.set(key, made);
      open.push([inText, count]);
      return made;
    };
    for (let next = open.pop(); next; next = open.pop()) {
      const [inText, count] = next;
      const state = stateOf(inText, count);
      for (const other of text.joins[inText] ?? []) automaton.nothing(state, stateOf(other, count));
      if (text.ends.has(inText) && count >= least) automaton.nothing(state, to);
      if (count === most) continue;
      for (const { set, to: after } of text.edges[inText] ?? []) {
        automaton.call(ruleOf(set))(state, stateOf(after, Math.min(count + 1, highest)));
      }
    }
  };
}
