/** Converts logical forms to English. `key` alone determines which of several wordings is used. */
import type { Archived } from "../knowledge/archive.js";
import type { KnowledgeGraph } from "../knowledge/graph.js";
import { choose } from "../knowledge/hash.js";
import { atStart, inText, listText, numberText } from "../knowledge/names.js";
import { type Evaluator, type Form, parts, type Question, type Test } from "./forms.js";
import { attributes, kinds, relations } from "./lexicon.js";

const archivedNouns = { population: "population", area: "total area", elevation: "elevation" };
const archivedUnits = { population: "", area: " square kilometres", elevation: " feet" };

export class Renderer {
  private readonly graph: KnowledgeGraph;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly key: string,
  ) {
    this.graph = evaluator.graph;
  }

  /** Returns the text of a question, with a question mark at the end. */
  question(question: Question): string {
    return atStart(this.asked(question));
  }

  private asked(question: Question): string {
    const { of } = question;
    if (question.ask === "attribute") {
      return this.choose("ask", attributes()[question.attribute]?.ask ?? []).replace("{}", () =>
        this.phraseBare(question.attribute, of),
      );
    }
    if (question.ask === "count") {
      return this.choose("count", relations()[question.relation]?.count ?? []).replace("{}", () => this.phrase(of));
    }
    if (question.ask === "corrected") return this.corrected(of);
    return this.askedEntity(of);
  }

  private askedEntity(of: Form): string {
    if (of.op === "which") return this.askedWhich(of.kind, of.tests);
    if (of.op === "larger") {
      const [a, b] = of.options.map((option) => this.phrase(option));
      const more = attributes()[of.attribute]?.[of.order];
      return `which ${more}: ${a} or ${b}?`;
    }
    if (of.op === "top") return `which is ${this.phrase(of)}?`;
    return this.choose("entity", ["what is {}?", "what is the name of {}?"]).replace("{}", () => this.phrase(of));
  }

  private askedWhich(kind: string, tests: readonly Test[]): string {
    const noun = this.noun(kind);
    const clauses = this.clauses(tests);
    if (clauses.every((clause) => clause.startsWith("that "))) {
      return `which ${noun} ${listText(clauses.map((clause) => clause.slice("that ".length)))}?`;
    }
    return this.choose("which", [
      `what is the name of the ${noun} ${joined(clauses)}?`,
      `which is the ${noun} ${joined(clauses)}?`,
    ]);
  }

  private corrected(of: Form): string {
    const id = this.evaluator.ids(of)[0] as string;
    const record = this.evaluator.archived.get(id) as Archived;
    const noun = archivedNouns[record.attribute];
    const unit = record.attribute === "population" ? "" : ` in ${archivedUnits[record.attribute].trim()}`;
    if (of.op === "archived") {
      return `the ${record.edition} edition of the collection gave ${this.archivedFigure(record)} as the ${noun} of a certain ${this.noun(record.entity.kind)}. To what figure${unit} was it corrected later?`;
    }
    return this.choose("corrected", [
      `the figure of the ${record.edition} edition for the ${noun} of ${this.phrase(of)} was withdrawn later. Which figure${unit} stands after the correction?`,
      `after the error in the ${record.edition} edition was corrected, what is the ${noun} of ${this.phrase(of)}${unit}?`,
    ]);
  }

  private archivedFigure({ superseded, attribute }: Archived): string {
    return `${numberText(superseded)}${archivedUnits[attribute]}`;
  }

  /** Returns a noun phrase for a form. */
  phrase(form: Form): string {
    switch (form.op) {
      case "named":
        return this.name(form.id);
      case "which":
        return `the ${this.noun(form.kind)} ${joined(this.clauses(form.tests))}`;
      case "hop":
        return this.hop(form.relation, form.of);
      case "top":
        return this.top(form);
      case "larger": {
        const [a, b] = form.options.map((option) => this.phrase(option));
        const kind = this.graph.get(this.evaluator.ids(form)[0] as string).kind;
        return `the one of the two ${kinds()[kind]?.plural} ${a} and ${b} that ${attributes()[form.attribute]?.[form.order]}`;
      }
      case "archived":
        return this.archivedPhrase(this.evaluator.archived.get(form.id) as Archived);
    }
  }

  private archivedPhrase(record: Archived): string {
    const noun = archivedNouns[record.attribute];
    const figure = this.archivedFigure(record);
    return `the ${this.noun(record.entity.kind)} whose ${noun} the ${record.edition} edition of the collection wrongly gave as ${figure}`;
  }

  /** Returns a noun phrase without an article if the template, such as "the {} in Minecraft", already has one. */
  private phraseBare(property: string, form: Form): string {
    const phrase = this.phrase(form);
    return property.startsWith("mob.") && form.op !== "named" ? phrase.replace(/^the /, "") : phrase;
  }

  private hop(relation: string, of: Form): string {
    const words = relations()[relation];
    const variants =
      (this.evaluator.ids({ op: "hop", relation, of }).length === 1 && words?.one) || words?.many || words?.one;
    const template = this.choose(relation, variants ?? []);
    return template.replace("{}", () =>
      template.includes("the {}") ? this.phrase(of).replace(/^the /, "") : this.phrase(of),
    );
  }

  private top(form: Extract<Form, { op: "top" }>): string {
    const [kind] = parts(form.attribute);
    return `the ${this.noun(kind)} ${attributes()[form.attribute]?.[form.order]} among ${this.many(form.of)}`;
  }

  private many(form: Form): string {
    if (form.op !== "hop") return this.phrase(form);
    const words = relations()[form.relation];
    return this.choose(`${form.relation} many`, words?.many ?? []).replace("{}", () => this.phrase(form.of));
  }

  /**
   * Returns one clause for each relation or attribute in the conditions, such as "that borders both Italy and Austria".
   */
  private clauses(tests: readonly Test[]): string[] {
    const groups = new Map<string, Test[]>();
    for (const test of tests) {
      const property = "relation" in test ? test.relation : test.attribute;
      groups.set(property, [...(groups.get(property) ?? []), test]);
    }
    return [...groups].map(([property, group]) => {
      const variants = relations()[property]?.test ?? attributes()[property]?.test ?? [];
      const objects = group.map((test) => ("relation" in test ? this.phrase(test.to) : this.valueText(test.value)));
      const both = objects.length === 2 ? `both ${objects.join(" and ")}` : listText(objects);
      return this.choose(property, variants).replace("{}", () => (objects.length > 1 ? both : (objects[0] as string)));
    });
  }

  private valueText(value: number | string): string {
    return typeof value === "number" ? numberText(value) : value;
  }

  private name(id: string): string {
    const entity = this.graph.get(id);
    if (entity.kind === "timezone") return `the time zone ${entity.name}`;
    return entity.kind === "constellation" ? `the constellation ${entity.name}` : inText(entity);
  }

  private noun(kind: string): string {
    return kinds()[kind]?.noun ?? kind;
  }

  private choose(what: string, variants: readonly string[]): string {
    return choose(`${this.key} ${what}`, variants);
  }
}

/** Joins clauses in a natural order: clauses about places first, then clauses with "with", "whose" and "that". */
function joined(clauses: readonly string[]): string {
  const starts = ["in ", "with ", "whose ", "that ", "where "];
  const rank = (clause: string) => starts.findIndex((start) => clause.startsWith(start));
  const ordered = [...clauses].sort((a, b) => rank(a) - rank(b));
  const [places, traits] = ["in ", "with "].map((start) => ordered.filter((clause) => clause.startsWith(start)));
  const others = ordered.filter((clause) => !/^(in|with) /.test(clause));
  return [...(places ?? []), listText(traits ?? []), listText(others)].filter((text) => text !== "").join(" ");
}
