/**
 * Grammars, to which a generator holds what it samples. Before each token, all tokens are masked with which the text
 * could not become one of the grammar's.
 */
import { z } from "zod";
import { invalid } from "../addon/errors.js";
import { check } from "../format/options.js";
import { Automaton, type Part } from "./automaton.js";
import { textUntil, textWithout } from "./free-text.js";
import { SchemaCompiler } from "./json-schema.js";
import { patternPart } from "./strings.js";

/** The texts of a grammar. */
export type GrammarSource =
  /** This text. */
  | string
  /** JSON that is valid against a JSON Schema (2020-12); `native/README.md` lists the keywords. */
  | { readonly schema: unknown }
  /** Texts in which a regular expression (ECMA-262) is found. */
  | { readonly pattern: string }
  | { readonly sequence: readonly GrammarSource[] }
  | { readonly choice: readonly GrammarSource[] }
  | { readonly repeat: GrammarSource; readonly least: number; readonly most: number }
  /** Any text up to the first occurrence of a mark, which is part of it. */
  | { readonly until: string }
  /** Any text without a mark. */
  | { readonly without: string };

const count = z.number().int().min(0);
const mark = z.string().min(1);
const source: z.ZodType<GrammarSource> = z.lazy(() =>
  z.union(
    [
      z.string(),
      z.strictObject({ schema: z.unknown() }),
      z.strictObject({ pattern: z.string() }),
      z.strictObject({ sequence: z.array(source) }),
      z.strictObject({ choice: z.array(source).min(1) }),
      z.strictObject({ repeat: source, least: count, most: count.or(z.literal(Number.POSITIVE_INFINITY)) }),
      z.strictObject({ until: mark }),
      z.strictObject({ without: mark }),
    ],
    "a text, or an object with schema, pattern, sequence, choice, repeat, until or without",
  ),
);

/** Limit on the size of a source. Rules are found by the texts of their schemas, which nest. */
const mostCharacters = 2 ** 18;

export class Grammar {
  /** @internal The automaton, as `Automaton.table` makes it. */
  readonly table: Int32Array;

  /**
   * @throws {NativeError} NATIVE_INVALID_ARGUMENT: a schema has a keyword to which sampling cannot be held, no finite text
   * matches, or the automaton is too large
   */
  constructor(given: GrammarSource) {
    const automaton = new Automaton();
    const checked = check("the grammar", source, given);
    const size = JSON.stringify(checked).length;
    if (size > mostCharacters) throw invalid(`a grammar of at most ${mostCharacters} characters as JSON`, size);
    this.table = automaton.table(automaton.rule("grammar", () => partOf(automaton, checked)));
  }
}

function partOf(automaton: Automaton, given: GrammarSource): Part {
  if (typeof given === "string") return automaton.text(given);
  if ("schema" in given) return new SchemaCompiler(automaton, given.schema).part({ schema: given.schema, at: "#" });
  if ("sequence" in given) return automaton.sequence(...given.sequence.map((part) => partOf(automaton, part)));
  if ("choice" in given) return automaton.choice(...given.choice.map((part) => partOf(automaton, part)));
  if ("repeat" in given) return automaton.repeat(partOf(automaton, given.repeat), given.least, given.most);
  if ("until" in given) return textUntil(automaton, given.until);
  if ("without" in given) return textWithout(automaton, given.without);
  return patternPart(automaton, given.pattern);
}
