/**
 * Proposes questions by random walks over the graph. A proposal depends only on its key. write-question.ts checks
 * proposals.
 */
import type { Entity } from "../knowledge/graph.js";
import { choose, hash } from "../knowledge/hash.js";
import { descriptionsOf, inject, isSpokenOf } from "./describe.js";
import { type Evaluator, type Form, parts, type Question } from "./forms.js";
import { attributes, relations } from "./lexicon.js";

export const questionTypes = [
  "single",
  "chain",
  "fuzzed",
  "intersection",
  "superlative",
  "comparison",
  "count",
  "contested",
] as const;
export type QuestionType = (typeof questionTypes)[number];

/** Kinds of entities at which questions start. A kind is more probable if it is listed several times. */
const starts = (
  "country country country city city city airport airport star star element element item item currency " +
  "language region mob messier constellation timezone organisation enchantment biome"
).split(" ");
const fuzzable = "country country country country city element star item airport currency language mob messier".split(
  " ",
);
const fewestOfSet = 3;
const mostOfSet = 6;
/** Minimum relative difference between the two values of a comparison. */
const leastDifference = 0.05;

export class Proposer {
  constructor(private readonly evaluator: Evaluator) {}

  /** Returns a question of the type, or undefined if the random walk of `key` fails. */
  propose(type: QuestionType, key: string): Question | undefined {
    switch (type) {
      case "single":
        return this.walk({ op: "named", id: this.start(key) }, 1, key);
      case "chain":
        return this.walk({ op: "named", id: this.start(key) }, choose(`${key} steps`, [2, 2, 3, 3, 4, 4]), key);
      case "fuzzed":
        return this.fuzzed(key);
      case "intersection":
        return this.intersection(key);
      case "superlative":
        return this.superlative(key);
      case "comparison":
        return this.comparison(key);
      case "count":
        return this.count(key);
      case "contested":
        return this.contested(key);
    }
  }

  private start(key: string, kinds: readonly string[] = starts): string {
    const known = this.evaluator.graph.of(choose(`${key} kind`, kinds));
    return choose(`${key} start`, known).id;
  }

  /** Proposes a question that follows relations with a single target each, and asks for an entity or an attribute. */
  private walk(from: Form, steps: number, key: string): Question | undefined {
    let form = from;
    const id = this.evaluator.only(form);
    if (id === undefined || !isSpokenOf(id, this.evaluator.graph)) return undefined;
    const visited = new Set([id]);
    const endsAtAttribute = hash(`${key} end`) % 5 < 2;
    for (let step = 1; step < steps + (endsAtAttribute ? 0 : 1); step++) {
      const next = this.step(form, visited, `${key} ${step}`);
      if (!next) return undefined;
      form = next;
    }
    return endsAtAttribute ? this.askAttribute(form, key) : { ask: "entity", of: form };
  }

  private step(of: Form, visited: Set<string>, key: string): Form | undefined {
    const id = this.evaluator.only(of) as string;
    const { kind, relations: known } = this.evaluator.graph.get(id);
    const usable = Object.keys(known)
      .map((name) => `${kind}.${name}`)
      .filter(
        (relation) => relations()[relation]?.one && this.isNew(relation, id, visited) && !isFollowed(of, relation),
      );
    if (usable.length === 0) return undefined;
    const relation = choose(`${key} step`, usable.sort());
    const [target] = this.evaluator.targets(relation, [id]);
    visited.add(target as string);
    return { op: "hop", relation, of };
  }

  private isNew(relation: string, id: string, visited: ReadonlySet<string>): boolean {
    const targets = this.evaluator.targets(relation, [id]);
    const [target] = targets;
    return (
      target !== undefined && targets.length === 1 && !visited.has(target) && isSpokenOf(target, this.evaluator.graph)
    );
  }

  private askAttribute(of: Form, key: string): Question | undefined {
    const id = this.evaluator.only(of);
    if (id === undefined) return undefined;
    const known = this.attributesOf(this.evaluator.graph.get(id));
    return known.length === 0 ? undefined : { ask: "attribute", attribute: choose(`${key} attribute`, known), of };
  }

  private attributesOf({ kind, attributes: known }: Entity): string[] {
    return Object.entries(known)
      .filter(([name, value]) => attributes()[`${kind}.${name}`]?.ask.length && !Array.isArray(value) && value !== 0)
      .map(([name]) => `${kind}.${name}`)
      .sort();
  }

  private fuzzed(key: string): Question | undefined {
    const size = choose(`${key} size`, [1, 1, 2] as const);
    const [start] = descriptionsOf(this.start(key, fuzzable), this.evaluator, key, size);
    return start && this.walk(start, choose(`${key} steps`, [1, 2, 3, 3]), key);
  }

  private intersection(key: string): Question | undefined {
    const size = choose(`${key} size`, [2, 2, 3] as const);
    const [start] = descriptionsOf(
      this.start(key, ["country", "country", "country", "element", "item", "mob"]),
      this.evaluator,
      key,
      size,
    );
    const more = start && size === 2 && hash(`${key} inject`) % 4 === 0 ? inject(start, this.evaluator, key) : start;
    if (!more) return undefined;
    return hash(`${key} then`) % 3 === 0 ? this.walk(more, 1, key) : { ask: "entity", of: more };
  }

  private superlative(key: string): Question | undefined {
    const start = this.start(key, [
      "country",
      "country",
      "organisation",
      "region",
      "region",
      "group",
      "constellation",
      "currency",
      "language",
    ]);
    const set = choose(`${key} fuzz`, [true, false]) ? descriptionsOf(start, this.evaluator, key, 1)[0] : undefined;
    const of = this.setOf(set ?? { op: "named", id: start }, key);
    if (!of) return undefined;
    const members = this.evaluator.ids(of).map((id) => this.evaluator.graph.get(id));
    const usable = (["most", "least"] as const).flatMap((order) =>
      Object.keys(attributes())
        .filter((attribute) => parts(attribute)[0] === members[0]?.kind && attributes()[attribute]?.[order])
        .map((attribute): Form => ({ op: "top", attribute, order, of })),
    );
    if (usable.length === 0 || !members.every(({ id }) => isSpokenOf(id, this.evaluator.graph))) return undefined;
    const top = choose(`${key} top`, usable);
    if (this.evaluator.only(top) === undefined) return undefined;
    return hash(`${key} then`) % 2 === 0 ? { ask: "entity", of: top } : this.walk(top, 1, key);
  }

  private setOf(of: Form, key: string): Form | undefined {
    const id = this.evaluator.only(of) as string;
    const { kind, relations: known } = this.evaluator.graph.get(id);
    const usable = Object.entries(known)
      .filter(
        ([name, edges]) =>
          relations()[`${kind}.${name}`]?.many && edges.length >= fewestOfSet && edges.length <= mostOfSet,
      )
      .map(([name]) => `${kind}.${name}`)
      .sort();
    return usable.length === 0 ? undefined : { op: "hop", relation: choose(`${key} set`, usable), of };
  }

  private comparison(key: string): Question | undefined {
    const usable = (["more", "fewer"] as const).flatMap((order) =>
      Object.keys(attributes())
        .filter((attribute) => attributes()[attribute]?.[order])
        .map((attribute) => ({ attribute, order })),
    );
    const { attribute, order } = choose(`${key} compare`, usable);
    const [kind, name] = parts(attribute);
    const a = this.start(`${key} a`, [kind]);
    const b = this.start(`${key} b`, [kind]);
    const [x, y] = [a, b].map((id) => this.evaluator.graph.get(id).attributes[name]);
    const differ = typeof x === "number" && typeof y === "number" && Math.abs(x - y) > leastDifference * Math.abs(x);
    if (!differ || ![a, b].every((id) => isSpokenOf(id, this.evaluator.graph))) return undefined;
    const isFuzzed = hash(`${key} fuzz`) % 2 === 0;
    const options = [a, b].map((id): Form | undefined =>
      isFuzzed ? descriptionsOf(id, this.evaluator, key, 1)[0] : { op: "named", id },
    );
    if (!options[0] || !options[1]) return undefined;
    const larger: Form = { op: "larger", attribute, order, options: [options[0], options[1]] };
    return isFuzzed ? { ask: "entity", of: larger } : this.walk(larger, 1, key);
  }

  private count(key: string): Question | undefined {
    const id = this.start(key, ["country", "country", "currency", "language", "organisation", "city", "airport"]);
    const [described] = descriptionsOf(id, this.evaluator, key, 1);
    const start: Form = described ?? { op: "named", id };
    const of = hash(`${key} hop`) % 2 === 0 ? this.step(start, new Set([id]), key) : start;
    if (!of) return undefined;
    const target = this.evaluator.graph.get(this.evaluator.only(of) as string);
    const usable = Object.keys(target.relations)
      .map((name) => `${target.kind}.${name}`)
      .filter((relation) => relations()[relation]?.count)
      .sort();
    const relation = usable.length > 0 ? choose(`${key} count`, usable) : undefined;
    const isPlural = relation && this.evaluator.targets(relation, [target.id]).length > 1;
    return relation && isPlural ? { ask: "count", relation, of } : undefined;
  }

  private contested(key: string): Question | undefined {
    const id = choose(`${key} record`, [...this.evaluator.archived.keys()]);
    const form: Form = choose(`${key} form`, [
      { op: "named", id },
      { op: "archived", id },
      { op: "archived", id },
    ] as const);
    if (this.evaluator.only(form) === undefined || !isSpokenOf(id, this.evaluator.graph)) return undefined;
    if (form.op === "archived" && hash(`${key} then`) % 2 === 0)
      return this.walk(form, choose(`${key} steps`, [1, 2]), key);
    return { ask: "corrected", of: form };
  }
}

/** Whether a form already follows a relation or its inverse, as in "the element before the element before". */
function isFollowed(form: Form, relation: string): boolean {
  if (form.op !== "hop") return false;
  const [kind, back] = [parts(relation)[0], relations()[relation]?.back];
  return form.relation === relation || form.relation === `${kind}.${back}` || isFollowed(form.of, relation);
}
