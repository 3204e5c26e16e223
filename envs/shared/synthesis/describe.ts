/**
 * Functions that make questions harder. Fuzzing replaces an entity's name with a unique description. Fact injection
 * adds a true condition to a description.
 */
import type { KnowledgeGraph } from "../knowledge/graph.js";
import { hash } from "../knowledge/hash.js";
import type { Evaluator, Form, Test } from "./forms.js";
import { attributes, kinds, relations, territories } from "./lexicon.js";

/**
 * Whether questions may refer to an entity by its kind. For example, territories have the kind country but are not
 * called countries.
 */
export function isSpokenOf(id: string, graph: KnowledgeGraph): boolean {
  const { kind, attributes: known } = graph.get(id);
  return kind !== "country" || !territories().has(String(known.code));
}

/**
 * Returns descriptions that identify an entity uniquely in the whole graph. `key` determines their order. No
 * description contains a word of the entity's name.
 *
 * @param size number of conditions: 1, or 2 or 3 relations that are all necessary
 */
export function descriptionsOf(id: string, evaluator: Evaluator, key: string, size: 1 | 2 | 3): Form[] {
  const { kind } = evaluator.graph.get(id);
  if (!kinds()[kind] || !isSpokenOf(id, evaluator.graph)) return [];
  const tests = testsOf(id, evaluator);
  const sets =
    size === 1
      ? tests.map((test) => [test])
      : combinations(
          tests.filter((test) => "relation" in test),
          size,
        );
  const ordered = sets
    .map((set) => ({ set, order: hash(`${key} ${JSON.stringify(set)}`) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, 40);
  return ordered
    .map(({ set }): Form => ({ op: "which", kind, tests: set }))
    .filter((form) => evaluator.only(form) === id && needsEveryTest(form, evaluator));
}

/** Replaces the named entity of a form with a unique description. Returns undefined if no description is unique. */
export function fuzz(form: Form, evaluator: Evaluator, key: string, size: 1 | 2 | 3 = 1): Form | undefined {
  if (form.op === "named") return descriptionsOf(form.id, evaluator, key, size)[0];
  if (form.op === "hop" || form.op === "top") {
    const of = fuzz(form.of, evaluator, key, size);
    return of && { ...form, of };
  }
  return undefined;
}

/** Adds one more true condition to a description. Returns undefined if no further condition is true. */
export function inject(form: Form, evaluator: Evaluator, key: string): Form | undefined {
  if (form.op !== "which") return undefined;
  const id = evaluator.only(form);
  if (id === undefined) return undefined;
  const known = new Set(form.tests.map((test) => JSON.stringify(test)));
  const [next] = testsOf(id, evaluator)
    .filter((test) => "relation" in test && !known.has(JSON.stringify(test)))
    .sort((a, b) => hash(key + JSON.stringify(a)) - hash(key + JSON.stringify(b)));
  return next && { ...form, tests: [...form.tests, next] };
}

function needsEveryTest(form: Form, evaluator: Evaluator): boolean {
  if (form.op !== "which" || form.tests.length === 1) return true;
  return form.tests.every(
    (_, at) => evaluator.ids({ ...form, tests: form.tests.filter((__, other) => other !== at) }).length > 1,
  );
}

/** Returns all conditions that are true for an entity, that a clause can express, and that do not reveal its name. */
function testsOf(id: string, { graph }: Evaluator): Test[] {
  const { kind, name, attributes: known, relations: edges } = graph.get(id);
  const ofRelations = Object.entries(edges).flatMap(([relation, targets]) =>
    relations()[`${kind}.${relation}`]?.test
      ? targets.map(({ to }): Test => ({ relation: `${kind}.${relation}`, to: { op: "named", id: to } }))
      : [],
  );
  const ofAttributes = Object.entries(known).flatMap(([attribute, value]) =>
    attributes()[`${kind}.${attribute}`]?.test && !Array.isArray(value)
      ? [{ attribute: `${kind}.${attribute}`, value: value as number | string }]
      : [],
  );
  return [...ofRelations, ...ofAttributes].filter((test) => !givesAway(test, name, graph));
}

function givesAway(test: Test, name: string, graph: KnowledgeGraph): boolean {
  const text = "relation" in test ? (test.to.op === "named" ? graph.get(test.to.id).title : "") : String(test.value);
  return sharesWord(text, name);
}

/** Words for kinds of entities, which do not reveal a specific entity. */
const commonWords = new Set([
  "airport",
  "international",
  "province",
  "region",
  "state",
  "city",
  "country",
  "minecraft",
  "block",
]);

/** Whether two names have a common word of at least four letters. Words are compared by their first five letters. */
export function sharesWord(a: string, b: string): boolean {
  const wordsOf = (text: string) =>
    plain(text)
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length >= 4 && !commonWords.has(word));
  const others = wordsOf(b).map((word) => word.slice(0, 5));
  return wordsOf(a).some((word) => others.includes(word.slice(0, 5)));
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function combinations(tests: readonly Test[], size: number): Test[][] {
  if (size === 0) return [[]];
  return tests.slice(0, 24).flatMap((test, at) =>
    combinations(tests.slice(at + 1, 24), size - 1)
      .filter((rest) => rest.every((other) => isOther(test, other)))
      .map((rest) => [test, ...rest]),
  );
}

/**
 * Whether two conditions may be combined. Only borders, ingredients and memberships may use the same relation twice,
 * since other repetitions sound unnatural.
 */
function isOther(a: Test, b: Test): boolean {
  if (!("relation" in a) || !("relation" in b)) return true;
  return a.relation !== b.relation || ["country.borders", "item.ingredient", "country.memberOf"].includes(a.relation);
}
