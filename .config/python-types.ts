/** Writes TypedDicts of Python for schemas of the OpenAPI document. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: string;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

const scalars: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** Words that Python does not accept as the name of a field. */
const keywords = new Set([
  "and",
  "as",
  "class",
  "def",
  "from",
  "global",
  "in",
  "is",
  "not",
  "or",
  "pass",
  "return",
  "with",
]);

/** @param names schemas to write; the schemas that they refer to are also written */
export function pythonTypes(document: string, names: readonly string[]): string {
  const { schemas } = (JSON.parse(document) as { components: { schemas: Record<string, Schema> } }).components;
  const writer = new Writer(schemas);
  for (const name of names) writer.named(name);
  return `# Generated from gym.openapi.json by \`npm run generate\`. Do not edit.
"""Types of the JSON objects of a gym. They are plain dicts at run time."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


${writer.text()}`;
}

class Writer {
  private readonly written = new Map<string, string>();

  constructor(private readonly schemas: Record<string, Schema>) {}

  text(): string {
    return `${[...this.written.values()].join("\n\n")}`;
  }

  /** Writes a schema with a name, after the schemas that it refers to. @returns its Python type */
  named(name: string): string {
    const schema = this.schemas[name];
    if (!schema) throw new Error(`expected the schema ${name} in the document, but found none`);
    if (!this.written.has(name) && schema.properties) this.writeClass(name, schema);
    else if (!this.written.has(name)) this.write(name, `${name} = ${this.typeOf(schema, name)}\n`);
    return name;
  }

  /** Returns the Python type of a schema. `name` is for objects without a name of their own. */
  private typeOf(schema: Schema, name: string): string {
    const { $ref, type, anyOf, items, properties, additionalProperties } = schema;
    if ($ref) return this.named($ref.replace("#/components/schemas/", ""));
    const literals = schema.const === undefined ? schema.enum : [schema.const];
    if (literals) return `Literal[${literals.map((value) => JSON.stringify(value)).join(", ")}]`;
    if (anyOf)
      return union(anyOf.map((each) => this.typeOf(each, name + pascal(String(each.properties?.type?.const ?? "")))));
    if (Array.isArray(type)) return union(type.map((each) => scalars[each] ?? "Any"));
    if (type === "array") return `list[${items ? this.typeOf(items, `${name}Item`) : "Any"}]`;
    // An object that may have further fields, such as a JSON Schema, is a dict, since a TypedDict has only its own.
    if (properties && additionalProperties === false) return this.writeClass(name, schema);
    if (type !== "object") return scalars[type ?? ""] ?? "Any";
    const value = typeof additionalProperties === "object" && !properties ? additionalProperties : {};
    return `dict[str, ${this.typeOf(value, `${name}Value`)}]`;
  }

  private writeClass(name: string, { properties = {}, required = [], description }: Schema): string {
    const fields = Object.entries(properties).map(([key, schema]) => ({
      key,
      type: this.typeOf(schema, name + pascal(key)),
      description: schema.description,
      isRequired: required.includes(key),
    }));
    const always = fields.filter(({ isRequired }) => isRequired);
    const sometimes = fields.filter(({ isRequired }) => !isRequired);
    const doc = description === undefined ? "" : `    """${description}"""\n\n`;
    if (sometimes.length === 0) return this.write(name, dictOf(name, always, doc));
    const base = always.length === 0 ? "TypedDict" : `_${name}`;
    if (always.length > 0) this.write(base, dictOf(base, always, ""));
    return this.write(name, `class ${name}(${base}, total=False):\n${doc}${bodyOf(sometimes)}`);
  }

  private write(name: string, text: string): string {
    this.written.set(name, text);
    return name;
  }
}

interface Field {
  key: string;
  type: string;
  description: string | undefined;
}

/** A field that is a keyword of Python needs the functional form of TypedDict. */
function dictOf(name: string, fields: readonly Field[], doc: string): string {
  if (!fields.some(({ key }) => keywords.has(key))) return `class ${name}(TypedDict):\n${doc}${bodyOf(fields)}`;
  const entries = fields.map(({ key, type }) => `        ${JSON.stringify(key)}: ${type},\n`);
  return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join("")}    },\n)\n`;
}

function bodyOf(fields: readonly Field[]): string {
  const lines = fields.map(({ key, type, description }) => {
    const line = `    ${key}: ${type}\n`;
    return description === undefined ? line : `${line}    """${description.replaceAll("\\", "\\\\")}"""\n`;
  });
  return lines.join("");
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? (distinct[0] as string) : `Union[${distinct.join(", ")}]`;
}

function pascal(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}
