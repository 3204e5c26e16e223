/**
 * Logical forms of questions over the knowledge graph. A form denotes a set of entities. A question asks for one
 * entity, for a value of one entity, or for the size of a set. Relations and attributes are written as "kind.name".
 */
import { type Archived, archivedOf } from "../knowledge/archive.js";
import type { KnowledgeGraph, Value } from "../knowledge/graph.js";
import { relations } from "./lexicon.js";

export type Test = { relation: string; to: Form } | { attribute: string; value: number | string };

export type Form =
  /** The entity with this id, which the question names. */
  | { op: "named"; id: string }
  /** The entities of a kind that satisfy all conditions (`tests`). */
  | { op: "which"; kind: string; tests: readonly Test[] }
  /** The targets of a relation of the entities `of`. */
  | { op: "hop"; relation: string; of: Form }
  /** The entity of a set with the largest (or smallest) value. Every member of the set must have the attribute. */
  | { op: "top"; attribute: string; order: "most" | "least"; of: Form }
  /** The entity with the larger (or smaller) value, out of two entities. */
  | { op: "larger"; attribute: string; order: "more" | "fewer"; options: readonly [Form, Form] }
  /** The entity with this id, described by a figure of an older edition that was corrected later. */
  | { op: "archived"; id: string };

export type Question =
  | { ask: "entity"; of: Form }
  | { ask: "attribute"; attribute: string; of: Form }
  | { ask: "count"; relation: string; of: Form }
  /** Asks for the corrected figure that replaced a withdrawn figure of an older edition. */
  | { ask: "corrected"; of: Form };

/** Splits a property name: "country.capital" becomes ["country", "capital"]. */
export function parts(property: string): [kind: string, name: string] {
  const at = property.indexOf(".");
  return [property.slice(0, at), property.slice(at + 1)];
}

/** Evaluates forms on the whole graph. */
export class Evaluator {
  private readonly values = new Map<string, Map<Value, string[]>>();
  readonly archived: ReadonlyMap<string, Archived>;

  constructor(readonly graph: KnowledgeGraph) {
    this.archived = new Map(archivedOf(graph).map((record) => [record.entity.id, record]));
  }

  /** Returns the ids of the entities that a form denotes. */
  ids(form: Form): string[] {
    switch (form.op) {
      case "named":
        return [form.id];
      case "hop":
        return this.targets(form.relation, this.ids(form.of));
      case "which":
        return this.passing(form.kind, form.tests);
      case "top":
        return this.best(this.ids(form.of), form.attribute, form.order === "most");
      case "larger":
        return this.best(
          form.options.flatMap((option) => this.ids(option)),
          form.attribute,
          form.order === "more",
        );
      case "archived":
        return this.sharingArchived(form.id);
    }
  }

  /** Returns the id of the entity that a form denotes, or undefined if it denotes none or several. */
  only(form: Form): string | undefined {
    const ids = this.ids(form);
    return ids.length === 1 ? ids[0] : undefined;
  }

  /** Returns the answers to a question. A valid question has exactly one answer. An entity is returned as its id. */
  answers(question: Question): Value[] {
    const ids = this.ids(question.of);
    if (question.ask === "entity") return ids;
    if (ids.length !== 1) return [];
    const id = ids[0] as string;
    if (question.ask === "count") return [this.targets(question.relation, ids).length];
    if (question.ask === "corrected") return [this.archived.get(id)?.current ?? []].flat();
    const value = this.attribute(id, question.attribute);
    return value === undefined ? [] : [value];
  }

  /**
   * Returns the value of "kind.attribute" for an entity, or undefined if the entity has a different kind or does not
   * have the attribute.
   */
  attribute(id: string, attribute: string): Value | undefined {
    const [kind, name] = parts(attribute);
    const entity = this.graph.get(id);
    return entity.kind === kind ? entity.attributes[name] : undefined;
  }

  targets(relation: string, ids: readonly string[]): string[] {
    const [kind, name] = parts(relation);
    const found = ids.flatMap((id) => {
      const entity = this.graph.get(id);
      return entity.kind === kind ? (entity.relations[name] ?? []).map(({ to }) => to) : [];
    });
    return [...new Set(found)];
  }

  private passing(kind: string, tests: readonly Test[]): string[] {
    const [first, ...others] = tests.map((test) => this.passingOne(kind, test));
    return (first ?? []).filter((id) => others.every((ids) => ids.includes(id)));
  }

  private passingOne(kind: string, test: Test): string[] {
    if ("attribute" in test) return this.withValue(test.attribute).get(test.value) ?? [];
    const targets = new Set(this.ids(test.to));
    const back = relations()[test.relation]?.back;
    const [, name] = parts(test.relation);
    const candidates = back
      ? [...targets].flatMap((id) => (this.graph.get(id).relations[back] ?? []).map(({ to }) => to))
      : this.graph.of(kind).map(({ id }) => id);
    return [...new Set(candidates)].filter((id) => {
      const entity = this.graph.get(id);
      return entity.kind === kind && (entity.relations[name] ?? []).some(({ to }) => targets.has(to));
    });
  }

  private withValue(attribute: string): Map<Value, string[]> {
    const known = this.values.get(attribute);
    if (known) return known;
    const [kind, name] = parts(attribute);
    const index = new Map<Value, string[]>();
    for (const { id, attributes } of this.graph.of(kind)) {
      const value = attributes[name];
      if (value !== undefined) index.set(value, [...(index.get(value) ?? []), id]);
    }
    this.values.set(attribute, index);
    return index;
  }

  /**
   * Returns all entities with the largest (or smallest) value: several if values are equal, none if an entity does not
   * have a value.
   */
  private best(ids: readonly string[], attribute: string, isMost: boolean): string[] {
    const values = ids.map((id) => this.attribute(id, attribute));
    if (!values.every((value) => typeof value === "number")) return [];
    const extreme = isMost ? Math.max(...values) : Math.min(...values);
    return ids.filter((_, at) => values[at] === extreme);
  }

  private sharingArchived(id: string): string[] {
    const record = this.archived.get(id);
    if (!record) return [];
    return [...this.archived.values()]
      .filter((other) => other.attribute === record.attribute && other.edition === record.edition)
      .filter((other) => other.superseded === record.superseded && other.entity.kind === record.entity.kind)
      .map(({ entity }) => entity.id);
  }
}
