/** Values of JSON without a schema, and the space between the parts of objects and lists. */
import type { Automaton, Part } from "./automaton.js";
import { numberPart } from "./numbers.js";
import { stringPart } from "./strings.js";

/** Most spaces after a line break. */
const mostIndent = 32;

/** Optional space: none, one space, or a line break with spaces. A limit keeps a model from writing space for ever. */
export function space(automaton: Automaton): Part {
  return automaton.call(
    automaton.rule("space", () => {
      const indent = automaton.repeat(automaton.text(" "), 0, mostIndent);
      return automaton.choice(automaton.nothing, automaton.text(" "), automaton.sequence(automaton.text("\n"), indent));
    }),
  );
}

/** Items between two brackets, separated by commas: some with parts of their own, and then equal ones. */
export function list(automaton: Automaton, item: Part, least: number, most: number, first: readonly Part[] = []): Part {
  if (least > most) return automaton.choice();
  const gap = space(automaton);
  if (most === 0) return automaton.sequence(automaton.text("["), gap, automaton.text("]"));
  const after = (part: Part) => automaton.sequence(automaton.text(","), gap, part);
  const [begin = item, ...next] = first;
  const written = Math.max(1, first.length);
  const more = automaton.repeat(after(item), Math.max(0, least - written), most - written);
  const some = automaton.sequence(begin, ...next.map(after), more, gap);
  return automaton.sequence(
    automaton.text("["),
    gap,
    least === 0 ? automaton.optional(some) : some,
    automaton.text("]"),
  );
}

/** Entries with keys of one kind between two braces, separated by commas. */
export function map(automaton: Automaton, key: Part, value: Part): Part {
  const gap = space(automaton);
  const entry = automaton.sequence(key, automaton.text(":"), gap, value);
  const some = automaton.sequence(
    entry,
    automaton.repeat(automaton.sequence(automaton.text(","), gap, entry), 0, Number.POSITIVE_INFINITY),
    gap,
  );
  return automaton.sequence(automaton.text("{"), gap, automaton.optional(some), automaton.text("}"));
}

export function anyString(automaton: Automaton): Part {
  return stringPart(automaton, {}, "");
}

export function anyObject(automaton: Automaton): Part {
  return automaton.call(automaton.rule("object", () => map(automaton, anyString(automaton), anyValue(automaton))));
}

export function anyList(automaton: Automaton): Part {
  return automaton.call(
    automaton.rule("list", () => list(automaton, anyValue(automaton), 0, Number.POSITIVE_INFINITY)),
  );
}

export function anyValue(automaton: Automaton): Part {
  return automaton.call(
    automaton.rule("value", () =>
      automaton.choice(
        ...["true", "false", "null"].map((word) => automaton.text(word)),
        numberPart(automaton, {}, false, ""),
        anyString(automaton),
        anyObject(automaton),
        anyList(automaton),
      ),
    ),
  );
}
