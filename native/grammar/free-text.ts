/** Free text around a mark, by the prefix function of Knuth, Morris and Pratt (1977). */
import type { Automaton, Part } from "./automaton.js";

/** Any bytes up to the first occurrence of a mark, and the mark. */
export function textUntil(automaton: Automaton, mark: string): Part {
  return (from, to) => {
    const states = prefixStates(automaton, mark, from);
    automaton.bytes(Buffer.from(mark).at(-1) as number)(states.at(-1) as number, to);
  };
}

/** Any bytes without a mark. */
export function textWithout(automaton: Automaton, mark: string): Part {
  return (from, to) => {
    for (const state of prefixStates(automaton, mark, from)) automaton.nothing(state, to);
  };
}

/**
 * Makes a state for each proper prefix of the mark: the longest one with which the text ends. The byte that completes
 * the mark leads nowhere.
 */
function prefixStates(automaton: Automaton, mark: string, from: number): number[] {
  const bytes = [...Buffer.from(mark)];
  const start = automaton.state();
  automaton.nothing(from, start);
  const states = [start, ...bytes.slice(1).map(() => automaton.state())];
  // Prefix with which the text ends after a mismatch at each prefix.
  let back = 0;
  const next = bytes.map(() => new Uint16Array(256));
  for (const [length, byte] of bytes.entries()) {
    const own = next[length] as Uint16Array;
    if (length > 0) own.set(next[back] as Uint16Array);
    own[byte] = length + 1;
    if (length > 0) back = (next[back] as Uint16Array)[byte] as number;
    for (let read = 0; read < 256; read++) {
      const target = own[read] as number;
      if (target < bytes.length) automaton.bytes(read)(states[length] as number, states[target] as number);
    }
  }
  return states;
}
