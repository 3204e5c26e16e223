/** Random JSON Schemas of all supported keywords. */
export type Random = () => number;
type Schema = Record<string, unknown>;

export function randomSchema(random: Random): Schema {
  const definitions: Schema = {};
  const made = schemaOf(random, 3, definitions);
  return Object.keys(definitions).length > 0 ? { ...made, $defs: definitions } : made;
}

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

const names = ["a", "id", "name", "na", 'quo"te', "ü", "größe", "back\\slash", "", "x y", "line\nbreak", "名"];
const patterns = ["^[a-c]{2,4}$", "ab", "^(foo|ba?r)+$", "^\\d{3}-\\d{2}$", "^[^x\\s]{1,3}$", '^é?[À-ÿ]{1,2}"$', "x.$"];
const constants = ["yes", "no", 1, -2.5, true, null, 'ü"', { deep: [1, "x"] }, [], "yesterday"];

function schemaOf(random: Random, depth: number, definitions: Schema): Schema {
  const leaves = [stringOf, integerOf, numberOf, constantOf, nullableOf];
  const nested = [
    objectOf,
    objectOf,
    mapOf,
    listOf,
    tupleOf,
    anyOfSome,
    oneOfTagged,
    allOfSome,
    recursiveOf,
    extensibleOf,
  ];
  const make = pick(random, depth === 0 ? leaves : [...leaves, ...nested]);
  const schema = make(random, depth - 1, definitions);
  return random() < 0.2 ? { title: "T", description: 'a "value"', ...schema } : schema;
}

type Maker = (random: Random, depth: number, definitions: Schema) => Schema;

const stringOf: Maker = (random) => {
  const minLength = upTo(random, 3);
  return pick(random, [
    { type: "string", maxLength: minLength + upTo(random, 9), minLength },
    { type: "string", pattern: pick(random, patterns) },
    { type: "string", pattern: "^[a-z]*$", minLength, maxLength: minLength + 4 },
    {
      type: "string",
      format: pick(random, ["date", "time", "date-time", "uuid", "ipv4", "email", "hostname", "other"]),
      maxLength: 60,
    },
    { type: "string" },
  ]);
};

const integerOf: Maker = (random) => {
  const minimum = upTo(random, 2_000) - 1_000;
  return pick(random, [
    { type: "integer" },
    { type: "integer", minimum, maximum: minimum + upTo(random, 3_000) },
    { type: "integer", exclusiveMinimum: minimum, exclusiveMaximum: minimum + 2 + upTo(random, 50) },
    { type: "integer", minimum, maximum: minimum + 100, multipleOf: pick(random, [2, 3, 7, 10, 64]) },
    { type: "integer", maximum: -1 },
  ]);
};

const numberOf: Maker = (random) => {
  const minimum = (upTo(random, 2_000) - 1_000) / pick(random, [1, 3, 8, 100]);
  return pick(random, [
    { type: "number" },
    { type: "number", minimum, maximum: minimum + random() * 10 },
    { type: "number", exclusiveMinimum: minimum },
    { type: "number", exclusiveMaximum: minimum, multipleOf: pick(random, [0.5, 0.25, 2]) },
  ]);
};

const constantOf: Maker = (random) => {
  const some = constants.filter(() => random() < 0.4);
  return random() < 0.3 || some.length === 0 ? { const: pick(random, constants) } : { enum: some };
};

const nullableOf: Maker = (random) =>
  pick(random, [
    { type: ["integer", "null"], minimum: 3, maximum: 40 },
    { type: ["string", "boolean", "null"], maxLength: 5 },
    { anyOf: [{ type: "boolean" }, { type: "null" }] },
  ]);

const objectOf: Maker = (random, depth, definitions) => {
  const own = names.filter(() => random() < 0.35);
  const properties = Object.fromEntries(own.map((name) => [name, schemaOf(random, depth, definitions)]));
  const required = own.filter(() => random() < 0.6);
  return { type: "object", properties, required, ...(random() < 0.6 && { additionalProperties: false }) };
};

const mapOf: Maker = (random, depth, definitions) =>
  random() < 0.2 ? { type: "object" } : { type: "object", additionalProperties: schemaOf(random, depth, definitions) };

const extensibleOf: Maker = (random, depth, definitions) => ({
  type: "object",
  properties: { a: schemaOf(random, 0, definitions), na: { type: "boolean" } },
  required: pick(random, [[], ["a"], ["a", "name"]]),
  additionalProperties: schemaOf(random, depth, definitions),
});

const listOf: Maker = (random, depth, definitions) => {
  const minItems = upTo(random, 2);
  const most = random() < 0.7 ? { maxItems: minItems + upTo(random, 2) } : {};
  return { type: "array", items: schemaOf(random, depth, definitions), minItems, ...most };
};

const tupleOf: Maker = (random, depth, definitions) => ({
  type: "array",
  prefixItems: [schemaOf(random, depth, definitions), schemaOf(random, 0, definitions)],
  items: pick<unknown>(random, [false, { type: "boolean" }]),
});

const anyOfSome: Maker = (random, depth, definitions) => ({
  anyOf: [schemaOf(random, depth, definitions), schemaOf(random, depth, definitions), schemaOf(random, 0, definitions)],
});

const oneOfTagged: Maker = (random, depth, definitions) => ({
  oneOf: ["one", "two"].map((kind) => ({
    type: "object",
    properties: { kind: { const: kind }, value: schemaOf(random, depth, definitions) },
    required: ["kind", "value"],
  })),
});

const allOfSome: Maker = (random, depth, definitions) => ({
  allOf: [
    { type: "object", properties: { a: schemaOf(random, depth, definitions) } },
    { properties: { name: { type: "string", maxLength: 3 } }, required: ["name"] },
  ],
  required: ["a"],
});

/** A list or tree that refers to itself. */
const recursiveOf: Maker = (random, depth, definitions) => {
  const name = `node${Object.keys(definitions).length}`;
  const $ref = `#/$defs/${name}`;
  definitions[name] = {};
  definitions[name] = {
    type: "object",
    properties: {
      value: schemaOf(random, Math.min(depth, 1), definitions),
      next: random() < 0.5 ? { anyOf: [{ type: "null" }, { $ref }] } : { type: "array", items: { $ref }, maxItems: 1 },
    },
    required: ["next"],
  };
  return { $ref };
};
