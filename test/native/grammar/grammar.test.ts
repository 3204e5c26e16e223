/** Grammars of schemas and patterns, by the slow proof: which texts they read, and what they refuse. */
import { expect, test } from "vitest";
import { Grammar } from "#palestra/native/grammar/grammar.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { SlowGrammar } from "./slow-grammar.js";

const ofSchema = (schema: unknown) => new SlowGrammar(new Grammar({ schema }).table);
const ofPattern = (pattern: string) => new SlowGrammar(new Grammar({ pattern }).table);

function reads(grammar: SlowGrammar, text: string): boolean {
  let places = grammar.start;
  for (const byte of Buffer.from(text)) places = grammar.next(places, byte);
  return grammar.isComplete(places);
}

/**
 * A random text of a grammar; it ends at a chance of one half wherever it may. Most bytes are those of `letters`, with which
 * a text that may be of any length soon has what the grammar asks for.
 */
function textOf(grammar: SlowGrammar, seed: number, letters = ""): string {
  const random = keyedRandom(seed);
  const usual = new Set(Buffer.from(letters));
  const bytes: number[] = [];
  for (let places = grammar.start; ; ) {
    const after = grammar.bytesAfter(places);
    if (grammar.isComplete(places) && (after.length === 0 || random() < 0.5)) return Buffer.from(bytes).toString();
    const likely = random() < 0.9 ? after.filter((each) => usual.has(each)) : [];
    const from = likely.length > 0 ? likely : after;
    const byte = from[Math.floor(random() * from.length)] as number;
    bytes.push(byte);
    places = grammar.next(places, byte);
  }
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

test.each([
  "^a{2,3}b?$",
  "ab",
  "^ab",
  "ab$",
  "^(a|bc)*d+$",
  "^a|b$",
  "^[^a-c]$",
  "^\\w\\d\\s\\W\\D\\S$",
  "^.$",
  "^[\\w.]+@[a-z]{2}$",
  "^\\u{1f600}?é$",
  "^(?:x|(y))\\.$",
  "^(?<name>ab)$",
  "^a{0}b{2,}$",
  "^$",
])("the pattern %s reads the texts of the regular expression, and no others", (pattern) => {
  const grammar = ofPattern(pattern);
  const expression = new RegExp(pattern, "u");
  for (const seed of seeds) expect(textOf(grammar, seed, pattern)).toMatch(expression);
  const random = keyedRandom(1);
  const letters = [..."aabbcd1x_. @é😀\n\tyz"];
  for (let text = 0; text < 300; text++) {
    const length = Math.floor(random() * 6);
    const given = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join("");
    expect(reads(grammar, given), JSON.stringify(given)).toBe(expression.test(given));
  }
});

test.each([
  ["a lookahead", "^(?=a)b$"],
  ["an anchor inside", "(^a)b"],
  ["a border of words", "\\bfoo"],
  ["a back reference", "(a)\\1"],
  ["a class by property", "\\p{L}"],
])("a pattern with %s is refused with its text", (_, pattern) => {
  expect(() => ofPattern(pattern)).toThrow("expected a pattern without assertions inside");
});

test("a pattern that is no regular expression is refused with its place", () => {
  expect(() => ofSchema({ properties: { a: { pattern: "(" } } })).toThrow(
    "a regular expression at #/properties/a/pattern",
  );
});

test.each([
  ["date", (text: string) => new Date(text).toISOString().slice(0, 10) === text],
  ["date-time", (text: string) => Number.isFinite(Date.parse(text))],
  ["time", (text: string) => Number.isFinite(Date.parse(`2024-01-01T${text}`))],
  ["uuid", (text: string) => text.length === 36],
  ["ipv4", (text: string) => text.split(".").every((part) => String(Number(part)) === part && Number(part) < 256)],
  ["email", (text: string) => new URL(`mailto:${text}`).pathname === text],
  ["hostname", (text: string) => new URL(`http://a${text.replaceAll(".", ".a")}/`).hostname.endsWith("")],
])("texts of the format %s have it", (format, hasFormat) => {
  const grammar = ofSchema({ type: "string", format });
  for (const seed of seeds) {
    const text = JSON.parse(textOf(grammar, seed)) as string;
    expect(hasFormat(text), text).toBe(true);
  }
});

test("leap days and the ends of months are dates, and days that no month has are not", () => {
  const grammar = ofSchema({ type: "string", format: "date" });
  for (const date of ["2024-02-29", "2000-02-29", "2023-02-28", "1999-12-31", "2021-04-30"]) {
    expect(reads(grammar, JSON.stringify(date)), date).toBe(true);
  }
  for (const date of ["2023-02-29", "1900-02-29", "2021-04-31", "2021-13-01", "2021-00-10", "2021-01-00"]) {
    expect(reads(grammar, JSON.stringify(date)), date).toBe(false);
  }
});

const numbers = [-1000, -99, -5.5, -1, -0.25, 0, 0.5, 1, 7, 9.75, 10, 12.5, 64, 99, 100, 101, 999, 12345];

test.each([
  { type: "integer" },
  { type: "integer", minimum: -5, maximum: 101 },
  { type: "integer", exclusiveMinimum: 9, exclusiveMaximum: 100 },
  { type: "integer", minimum: 1.5, maximum: 12.9 },
  { type: "integer", multipleOf: 7 },
  { type: "number", minimum: -0.25 },
  { type: "number", exclusiveMinimum: 0.5, maximum: 12.5 },
  { type: "number", multipleOf: 0.25 },
  { type: "number", maximum: -5.5 },
])("%j reads the numbers within its bounds, and no others", (schema) => {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as unknown as Record<
    string,
    number
  >;
  const holds = (value: number) =>
    (String(type) !== "integer" || Number.isInteger(value)) &&
    value >= (minimum ?? -Infinity) &&
    value <= (maximum ?? Infinity) &&
    value > (exclusiveMinimum ?? -Infinity) &&
    value < (exclusiveMaximum ?? Infinity) &&
    (multipleOf === undefined || Number.isInteger(value / multipleOf));
  const grammar = ofSchema(schema);
  for (const value of numbers) expect(reads(grammar, String(value)), String(value)).toBe(holds(value));
  for (const seed of seeds) {
    const text = textOf(grammar, seed);
    expect(holds(JSON.parse(text) as number), text).toBe(true);
  }
});

test("JSON of any kind is read without a schema: escapes, surrogates, nesting, exponents", () => {
  const grammar = ofSchema({});
  const values = ['"\\ud83d\\ude00\\u00e9\\/"', '"😀\\n"', "[[[{}]]]", "-0.5e-10", '{"a": [1, "b", null, true]}', '""'];
  for (const text of values) expect(reads(grammar, text), text).toBe(true);
  const broken = [
    '"\\ud83d"',
    '"\n"',
    '"a',
    "[1,]",
    "01",
    "+1",
    ".5",
    "1.",
    "{a: 1}",
    "[1 2]",
    '"\\x"',
    "nul",
    "\ufeff1",
  ];
  for (const text of broken) expect(reads(grammar, text), text).toBe(false);
});

test("optional properties are written or not, in the order of the schema, and never a name that is not declared", () => {
  const grammar = ofSchema({
    type: "object",
    properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
    required: ["b"],
  });
  for (const text of ['{"b":2}', '{"a":1,"b":2}', '{"b":2, "c":3}', '{ "a": 1, "b": 2, "c": 3 }', '{\n  "b": 2\n}']) {
    expect(reads(grammar, text), text).toBe(true);
  }
  for (const text of ["{}", '{"a":1}', '{"b":2,"a":1}', '{"b":2,}', '{"b":2,"b":2}', '{"b":2,"d":1}', '{,"b":2}']) {
    expect(reads(grammar, text), text).toBe(false);
  }
});

test("further properties have their own schema, and never the name of a declared one, however it is escaped", () => {
  const grammar = ofSchema({
    type: "object",
    properties: { ab: { type: "boolean" } },
    additionalProperties: { type: "integer" },
  });
  for (const text of ['{"ab":true,"abc":1}', '{"a":1}', '{"":1,"x":2}', '{"b":3}', '{"xab":1}']) {
    expect(reads(grammar, text), text).toBe(true);
  }
  for (const text of ['{"ab":1}', '{"x":true}', '{"\\u0061b":1}', '{"ab":true,"ab":1}']) {
    expect(reads(grammar, text), text).toBe(false);
  }
});

test.each([
  ["not", { not: { type: "string" } }, "without not"],
  [
    "patternProperties",
    { properties: { a: { patternProperties: {} } } },
    "at #/properties/a without patternProperties",
  ],
  ["uniqueItems", { type: "array", uniqueItems: true }, "without uniqueItems"],
  [
    "branches of oneOf that overlap",
    { oneOf: [{ type: "string" }, { maxLength: 3 }] },
    "branches of oneOf that differ",
  ],
  ["a reference that leads nowhere", { $ref: "#/$defs/none" }, "to a part of the schema"],
  ["a reference to another document", { $ref: "https://example.com/a.json" }, "inside the schema"],
  [
    "references in a circle",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    "lead to a value",
  ],
  ["a branch that is the schema itself", { anyOf: [{ $ref: "#" }, { type: "null" }] }, "lead to a value"],
  [
    "an object that needs itself",
    { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] },
    "some finite value",
  ],
  ["contradicting bounds", { type: "integer", minimum: 5, maximum: 4 }, "some finite value"],
  ["an empty enum", { enum: [] }, "some finite value"],
  ["false", false, "some finite value"],
  ["a required property that cannot be", { required: ["a"], additionalProperties: false }, "the required property a"],
  ["a count of properties", { type: "object", minProperties: 1 }, "minProperties"],
  ["a type that does not exist", { type: "text" }, "a valid schema at #/type"],
  ["a list", [], "a schema at #"],
  ["a pattern too long", { type: "string", pattern: "^([a-z]{1000}){1000}$" }, "a pattern of at most"],
  ["a reference that is no URI", { $ref: "#/%zz" }, "to a part of the schema"],
  ["too many characters", { enum: ["x".repeat(2 ** 18)] }, "at most 262144 characters"],
  ["too many states", { type: "array", maxItems: 1_000_000 }, "at most 100000 states"],
  ["a multipleOf without an automaton", { type: "integer", multipleOf: 1_000_003 }, "a multipleOf of 1 to 1000"],
])("a schema with %s is refused by name", (_, schema, message) => {
  expect(() => ofSchema(schema)).toThrow(message as string);
});

test("a schema nested too deeply is refused", () => {
  const deep = Array.from({ length: 200 }).reduce<unknown>((items) => ({ type: "array", items }), { type: "null" });
  expect(() => ofSchema(deep)).toThrow("at most 128 levels");
});

test("keywords beside a reference and the branches of anyOf and allOf all hold", () => {
  const grammar = ofSchema({
    $defs: { name: { type: "string", minLength: 1 } },
    type: "object",
    properties: { a: { $ref: "#/$defs/name", maxLength: 2, description: "a name" } },
    anyOf: [{ required: ["a"] }, { properties: { b: { const: 1 } }, required: ["b"] }],
  });
  for (const text of ['{"a":"xy"}', '{"a":"x","b":1}', '{"b":1}']) expect(reads(grammar, text), text).toBe(true);
  for (const text of ["{}", '{"a":""}', '{"a":"xyz"}', '{"b":2}']) expect(reads(grammar, text), text).toBe(false);
});

test("a pattern and a length both hold, by characters", () => {
  const grammar = ofSchema({
    type: "string",
    pattern: "[\u{1F300}-\u{1F9FF}\u2600-\u26FF]",
    minLength: 1,
    maxLength: 1,
  });
  expect(reads(grammar, '"🚀"')).toBe(true);
  for (const text of ['"!"', '"!🚀"', '""']) expect(reads(grammar, text), text).toBe(false);
});

test("a property may have any name", () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"const":1}},"required":["__proto__","constructor"]}',
  );
  expect(reads(ofSchema({ allOf: [schema, schema] }), '{"__proto__":1,"constructor":null}')).toBe(true);
  expect(reads(ofSchema(schema), "{}")).toBe(false);
});

test("two anyOf of joined schemas both hold", () => {
  const grammar = ofSchema({
    allOf: [{ anyOf: [{ const: 1 }, { const: 2 }] }, { anyOf: [{ const: 2 }, { const: 3 }] }],
  });
  expect([1, 2, 3].filter((value) => reads(grammar, String(value)))).toEqual([2]);
});
