/**
 * Proofs of answers. A proof lists the facts that imply the answer, in the order in which a reader can find them. Each
 * fact consists of a page and the sentence that states it. The expert's plan is derived from the proof.
 */
import { type Archived, archivePages } from "../knowledge/archive.js";
import type { Entity, KnowledgeGraph } from "../knowledge/graph.js";
import { type Statement, statementOf } from "../knowledge/statements.js";
import { type Evaluator, type Form, parts, type Question, type Test } from "./forms.js";
import { attributes, kinds, relations } from "./lexicon.js";

export interface Fact {
  /** Id of the page that contains the sentence. */
  page: string;
  /** Exact text of the sentence on the page. */
  text: string;
  /** Search query that finds the page, given the previous facts. */
  query: string;
}

/** Thrown if an answer cannot be proved, because no page states one of the facts completely. */
export class Unprovable extends Error {}

export class Prover {
  private readonly graph: KnowledgeGraph;
  private readonly statements = new Map<string, Statement | undefined>();

  constructor(private readonly evaluator: Evaluator) {
    this.graph = evaluator.graph;
  }

  /**
   * Returns the proof of a question's answer. @throws {Unprovable} no page states a fact, for example because a long
   * list omits it
   */
  prove(question: Question): Fact[] {
    const before = this.of(question.of);
    const ids = this.evaluator.ids(question.of);
    if (question.ask === "entity") return before;
    const id = ids[0] as string;
    if (question.ask === "corrected") return [...before, ...this.correction(id, question.of.op !== "archived")];
    const property = question.ask === "count" ? question.relation : question.attribute;
    return [...before, this.stated(id, property)];
  }

  private of(form: Form): Fact[] {
    switch (form.op) {
      case "named":
        return [];
      case "hop":
        return [...this.of(form.of), ...this.hop(form.relation, form.of)];
      case "which":
        return this.tests(form);
      case "top":
        return [...this.of(form.of), ...this.evaluator.ids(form.of).map((id) => this.stated(id, form.attribute))];
      case "larger":
        return form.options.flatMap((option) => [
          ...this.of(option),
          ...this.evaluator.ids(option).map((id) => this.stated(id, form.attribute)),
        ]);
      case "archived":
        return [this.older(form.id)];
    }
  }

  /**
   * Proves a relation. If a sentence on the source's page names all targets, it is the proof; otherwise the pages of
   * the targets are used.
   */
  private hop(relation: string, of: Form): Fact[] {
    return this.evaluator.ids(of).flatMap((source) => {
      const targets = this.evaluator.targets(relation, [source]);
      const statement = this.statement(source, relation);
      if (statement && targets.every((target) => names(statement, target))) return [this.stated(source, relation)];
      return targets.map((target) => this.statedBack(target, relation, source));
    });
  }

  /**
   * Proves each condition. If possible, the page of the entity that the condition names is used, otherwise the page of
   * the described entity.
   */
  private tests({ kind, tests }: Extract<Form, { op: "which" }>): Fact[] {
    const [id] = this.evaluator.ids({ op: "which", kind, tests });
    if (id === undefined)
      throw new Unprovable(`expected an entity of kind ${kind} that satisfies the conditions, but no entity does`);
    return tests.flatMap((test) => this.test(kind, id, test));
  }

  private test(kind: string, id: string, test: Test): Fact[] {
    if ("attribute" in test) {
      const words = [kinds()[kind]?.noun, attributes()[test.attribute]?.query, test.value].join(" ");
      return [{ ...this.stated(id, test.attribute), query: words }];
    }
    const [target] = this.evaluator.ids(test.to);
    const before = this.of(test.to);
    const back = relations()[test.relation]?.back;
    const statement = back && target && this.statement(target, `${this.kindOf(target)}.${back}`);
    if (statement && names(statement, id)) {
      return [...before, this.stated(target as string, `${this.kindOf(target as string)}.${back}`)];
    }
    const own = this.stated(id, test.relation);
    if (!target || !names(this.statement(id, test.relation) as Statement, target)) {
      throw new Unprovable(`expected the page of ${id} to name ${target}, but the page does not`);
    }
    return [...before, own];
  }

  private stated(id: string, property: string): Fact {
    const statement = this.statement(id, property);
    if (!statement) throw new Unprovable(`expected the page of ${id} to state ${property}, but the page does not`);
    return { page: id, text: statement.text, query: `${this.graph.get(id).title} ${wordsFor(property)}` };
  }

  private statedBack(target: string, relation: string, source: string): Fact {
    const back = `${this.kindOf(target)}.${relations()[relation]?.back}`;
    const statement = this.statement(target, back);
    if (!statement || !names(statement, source))
      throw new Unprovable(`expected the page of ${target} to name ${source}, but the page does not`);
    return { page: target, text: statement.text, query: `${this.graph.get(target).title} ${wordsFor(back)}` };
  }

  private older(id: string): Fact {
    const record = this.evaluator.archived.get(id) as Archived;
    const [older] = archivePages(record);
    const { noun } = kinds()[record.entity.kind] as { noun: string };
    const query = `${record.edition} edition ${record.attribute} ${noun} ${record.superseded.toLocaleString("en-US")}`;
    return { page: older.id, text: older.statement, query };
  }

  /**
   * Returns the fact with the corrected figure. If the question names the entity, the fact with the withdrawn figure
   * comes first.
   */
  private correction(id: string, needsOlder: boolean): Fact[] {
    const record = this.evaluator.archived.get(id) as Archived;
    const [older, newer] = archivePages(record);
    const title = record.entity.title;
    return [
      ...(needsOlder ? [{ page: older.id, text: older.statement, query: `${title} ${record.edition} edition` }] : []),
      { page: newer.id, text: newer.statement, query: `Correction of ${record.corrected}: ${title}` },
    ];
  }

  private statement(id: string, property: string): Statement | undefined {
    const [kind, name] = parts(property);
    const entity: Entity = this.graph.get(id);
    if (entity.kind !== kind) return undefined;
    const key = `${id} ${name}`;
    if (!this.statements.has(key)) this.statements.set(key, statementOf(entity, name, this.graph));
    return this.statements.get(key);
  }

  private kindOf(id: string): string {
    return this.graph.get(id).kind;
  }
}

function names(statement: Statement, id: string): boolean {
  return statement.names.some((named) => named.id === id);
}

function wordsFor(property: string): string {
  return relations()[property]?.query ?? attributes()[property]?.query ?? "";
}
