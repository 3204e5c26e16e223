/**
 * JSON Schema (2020-12) as an automaton. Its texts are values of the schema, each property in the order in which the
 * schema declares them. Keywords that cannot be held to are refused by name, and keywords without a rule are annotations.
 */
import { invalid } from "../addon/errors.js";
import type { Automaton, Part } from "./automaton.js";
import { areDisjoint } from "./disjoint.js";
import { merged } from "./merged.js";
import { type NumberKeywords, numberPart } from "./numbers.js";
import { objectPart } from "./objects.js";
import {
  keywordTypes,
  type Placed,
  type Schema,
  type SchemaParts,
  typesOf,
  typesOfValue,
  withoutAnnotations,
} from "./schema.js";
import { checked } from "./schema-fields.js";
import { type StringKeywords, stringPart } from "./strings.js";
import { anyValue, list } from "./values.js";

/** Deepest nesting of schemas. */
const deepest = 128;

export class SchemaCompiler implements SchemaParts {
  #depth = 0;

  constructor(
    readonly automaton: Automaton,
    private readonly root: unknown,
  ) {}

  part({ schema: given, at }: Placed): Part {
    const { automaton } = this;
    if (given === false) return automaton.choice();
    if (given === true) return anyValue(automaton);
    const schema = checked(given, at);
    return automaton.call(
      automaton.rule(`schema ${JSON.stringify(schema)}`, () => this.#nested(() => this.#values(schema, at))),
    );
  }

  resolved({ schema: given, at }: Placed): Schema | boolean {
    let schema = given;
    for (let step = 0; step < deepest; step++) {
      if (typeof schema === "boolean") return schema;
      const { $ref, allOf, ...rest } = checked(schema, at);
      if ($ref === undefined && allOf === undefined) return rest;
      const parts = [
        ...($ref === undefined ? [] : [this.#referred($ref as string, at)]),
        ...((allOf as unknown[]) ?? []),
      ];
      if (parts.includes(false)) return false;
      schema = parts
        .filter((part) => part !== true)
        .reduce<Schema>((one, other) => merged(one, withoutAnnotations(checked(other, at)), at), rest);
    }
    throw invalid("a schema whose references lead to a value", `references at ${at} that do not end`);
  }

  #nested(build: () => Part): Part {
    if (this.#depth >= deepest) throw invalid(`at most ${deepest} levels of nested schemas`, "more");
    this.#depth += 1;
    try {
      return build();
    } finally {
      this.#depth -= 1;
    }
  }

  #values(given: Schema, at: string): Part {
    const schema = this.resolved({ schema: given, at });
    if (typeof schema === "boolean") return schema ? anyValue(this.automaton) : this.automaton.choice();
    const { anyOf, oneOf, ...rest } = schema;
    if (anyOf !== undefined || oneOf !== undefined) return this.#alternatives(anyOf, oneOf, rest, at);
    if ("const" in rest) return this.#constants([rest.const], rest, at);
    if (rest.enum !== undefined) return this.#constants(rest.enum as unknown[], rest, at);
    const types = typesOf(rest);
    if (!types) return anyValue(this.automaton);
    return this.automaton.choice(...types.map((type) => this.#ofType(type, rest, at)));
  }

  #alternatives(anyOf: unknown, oneOf: unknown, rest: Schema, at: string): Part {
    if (anyOf !== undefined && oneOf !== undefined) throw invalid(`either anyOf or oneOf at ${at}`, "both");
    const keyword = anyOf === undefined ? "oneOf" : "anyOf";
    const branches = (anyOf ?? oneOf) as unknown[];
    if (keyword === "oneOf") this.#expectDisjoint(branches, at);
    const isPlain = Object.keys(withoutAnnotations(rest)).length === 0;
    return this.automaton.choice(
      ...branches.map((branch, index) => {
        const place = `${at}/${keyword}/${index}`;
        const schema = isPlain || typeof branch === "boolean" ? branch : { allOf: [withoutAnnotations(rest), branch] };
        return this.part({ schema: branch === true ? rest : schema, at: place });
      }),
    );
  }

  #expectDisjoint(branches: readonly unknown[], at: string): void {
    for (const [index, one] of branches.entries()) {
      for (const other of branches.slice(index + 1)) {
        if (areDisjoint(this, { schema: one, at }, { schema: other, at })) continue;
        const expected = "branches of oneOf that differ in their types or in the constants of a required property";
        throw invalid(`${expected} at ${at} (or anyOf)`, "branches that may both hold");
      }
    }
  }

  #constants(values: readonly unknown[], rest: Schema, at: string): Part {
    const { enum: all, type } = rest;
    const beside = keywordTypes.flatMap(([, keywords]) => keywords).find((keyword) => rest[keyword] !== undefined);
    if (beside !== undefined) throw invalid(`constants at ${at} with no keyword beside them but type`, beside);
    const types = type === undefined ? undefined : [type].flat();
    const fitting = values.filter(
      (value) =>
        (!types || typesOfValue(value).some((one) => types.includes(one))) &&
        (!Array.isArray(all) || all.some((one) => JSON.stringify(one) === JSON.stringify(value))),
    );
    return this.automaton.oneOf(fitting.map((value) => JSON.stringify(value)));
  }

  #ofType(type: string, schema: Schema, at: string): Part {
    const { automaton } = this;
    switch (type) {
      case "string":
        return stringPart(automaton, schema as StringKeywords, at);
      case "integer":
      case "number":
        return numberPart(automaton, schema as NumberKeywords, type === "integer", at);
      case "boolean":
        return automaton.choice(automaton.text("true"), automaton.text("false"));
      case "null":
        return automaton.text("null");
      case "array":
        return this.#list(schema, at);
      default:
        return objectPart(this, schema, at);
    }
  }

  #list({ prefixItems, items = true, minItems = 0, maxItems }: Schema, at: string): Part {
    const { automaton } = this;
    const most = (maxItems as number | undefined) ?? Number.POSITIVE_INFINITY;
    const item = this.part({ schema: items, at: `${at}/items` });
    if (prefixItems === undefined) return list(automaton, item, minItems as number, items === false ? 0 : most);
    const first = (prefixItems as unknown[]).map((schema, index) =>
      this.part({ schema, at: `${at}/prefixItems/${index}` }),
    );
    // Every first item is written, so that the list has one form.
    const least = Math.max(minItems as number, first.length);
    if (least > most)
      throw invalid(`maxItems at ${at} of at least the number of prefixItems, ${first.length}`, maxItems);
    return list(automaton, item, least, items === false ? first.length : most, first);
  }

  #referred(pointer: string, at: string): unknown {
    if (!pointer.startsWith("#"))
      throw invalid(`a reference inside the schema at ${at}, such as #/$defs/name`, pointer);
    const names = pointer.slice(1).split("/").slice(1);
    return names.reduce<unknown>((value, name) => {
      const key = decoded(name).replaceAll("~1", "/").replaceAll("~0", "~");
      const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
      if (!isThere) throw invalid(`a reference at ${at} to a part of the schema`, pointer);
      return (value as Record<string, unknown>)[key];
    }, this.root);
  }
}

/** Decodes a part of a pointer in a URI; a text that is no URI stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
