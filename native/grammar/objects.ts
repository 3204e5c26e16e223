/** JSON objects by their properties. */
import { invalid } from "../addon/errors.js";
import type { Automaton, Part } from "./automaton.js";
import type { Schema, SchemaParts } from "./schema.js";
import { otherString } from "./strings.js";
import { anyString, map, space } from "./values.js";

interface Property {
  /** Key, colon and value. */
  readonly entry: Part;
  readonly isRequired: boolean;
}

/**
 * The values of an object's schema. Properties that the schema does not declare are written only where it has no
 * properties, or where it says `additionalProperties`.
 */
export function objectPart(compiler: SchemaParts, schema: Schema, at: string): Part {
  const { automaton } = compiler;
  const declared = new Map(Object.entries((schema.properties as Schema | undefined) ?? {}));
  const required = [...new Set(schema.required as string[] | undefined)];
  const additional = schema.additionalProperties;
  for (const name of required) {
    if (declared.has(name)) continue;
    if (additional === false) throw invalid(`the required property ${name} among the properties at ${at}`, "none");
    declared.set(name, additional ?? true);
  }
  const names = [...declared.keys()];
  expectCounts(schema, names.length, required.length, at);
  if (names.length === 0 && additional !== false) {
    return map(
      automaton,
      anyString(automaton),
      compiler.part({ schema: additional ?? true, at: `${at}/additionalProperties` }),
    );
  }
  const properties = names.map((name) => ({
    entry: entry(
      automaton,
      automaton.text(JSON.stringify(name)),
      compiler.part({ schema: declared.get(name), at: `${at}/properties/${name}` }),
    ),
    isRequired: required.includes(name),
  }));
  const others =
    additional === undefined || additional === false
      ? undefined
      : entry(
          automaton,
          otherString(automaton, names),
          compiler.part({ schema: additional, at: `${at}/additionalProperties` }),
        );
  return inOrder(automaton, properties, others);
}

/** The numbers of properties hold by themselves, or are refused: a schema has no other way to count them. */
function expectCounts(
  { minProperties = 0, maxProperties, additionalProperties }: Schema,
  all: number,
  required: number,
  at: string,
): void {
  const most = all === 0 || (additionalProperties ?? false) !== false ? Number.POSITIVE_INFINITY : all;
  if ((minProperties as number) > required) {
    throw invalid(`minProperties at ${at} of at most the number of required properties, ${required}`, minProperties);
  }
  if (maxProperties !== undefined && (maxProperties as number) < most) {
    throw invalid(`no maxProperties at ${at}, or one of at least the number of properties`, maxProperties);
  }
}

function entry(automaton: Automaton, key: Part, value: Part): Part {
  return automaton.sequence(key, automaton.text(":"), space(automaton), value);
}

/** Properties in their order, the optional ones present or not, and then any number of others. */
function inOrder(automaton: Automaton, properties: readonly Property[], others: Part | undefined): Part {
  const gap = space(automaton);
  const comma = automaton.sequence(automaton.text(","), gap);
  const body: Part = (from, to) => {
    // States before the next property, with and without an earlier one.
    let [none, some] = [from, automaton.state()];
    for (const { entry: part, isRequired } of properties) {
      const next = [automaton.state(), automaton.state()] as const;
      part(none, next[1]);
      automaton.sequence(comma, part)(some, next[1]);
      if (!isRequired) {
        automaton.nothing(none, next[0]);
        automaton.nothing(some, next[1]);
      }
      [none, some] = next;
    }
    if (others) {
      const last = automaton.state();
      others(none, last);
      automaton.nothing(some, last);
      automaton.sequence(comma, others)(last, last);
      some = last;
    }
    automaton.nothing(none, to);
    gap(some, to);
  };
  return automaton.sequence(automaton.text("{"), gap, body, automaton.text("}"));
}
