/** Converts a proposed form to a question with an answer, a proof and a plan, and checks it. */

import type { Value } from "../knowledge/graph.js";
import type { Page } from "../knowledge/pages.js";
import { countSpellings, normalised, spellings } from "./answers.js";
import { type AnswerType, keywordAnswer } from "./baseline.js";
import type { QuestionType } from "./candidates.js";
import { sharesWord } from "./describe.js";
import { type Evaluator, type Form, parts, type Question } from "./forms.js";
import type { Search } from "./passages.js";
import { type Fact, Prover, Unprovable } from "./proof.js";
import { Renderer } from "./render.js";

export interface Draft {
  /** Seed and number of the proposal. The key and the question type together determine the question. */
  key: string;
  type: QuestionType;
  form: Question;
  question: string;
  /** Accepted spellings of the answer, the preferred spelling first. */
  golden: string[];
  answerType: AnswerType;
  hops: number;
  /** Entities that determine the split of the question: the entities at which it starts, and its answer. */
  owners: string[];
  facts: Fact[];
}

export interface Written extends Draft {
  /** Search queries, one for each page that proves the answer, in the same order. */
  queries: string[];
  /** Whether the keyword baseline answers the question correctly. */
  isSolvedByKeywords: boolean;
}

const mostCharacters = 320;
const mostHops = 4;
const codes = /\.(iata|icao|code|symbol|callingCode|domain|hipparcos|draper|catalogue|abbreviation|longCode|number)$/;

export class Writer {
  private readonly prover: Prover;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly search: Search,
    private readonly pages: ReadonlyMap<string, Page>,
  ) {
    this.prover = new Prover(evaluator);
  }

  /**
   * Writes a question with its answer and proof. Returns undefined if the answer is ambiguous, too long, unprovable or
   * obvious.
   */
  draft(type: QuestionType, form: Question, key: string): Draft | undefined {
    const [answer, ...others] = this.evaluator.answers(form);
    const hops = hopsOf(form);
    if (answer === undefined || others.length > 0 || hops > mostHops || (type !== "single" && hops < 2))
      return undefined;
    const golden =
      form.ask === "count" ? countSpellings(answer as number) : spellings(form, answer, this.evaluator.graph);
    const question = new Renderer(this.evaluator, key).question(form);
    const isGivenAway = golden.some((spelling) => isIn(spelling, question)) || this.sharesName(form, answer, question);
    if (question.length > mostCharacters || isGivenAway) return undefined;
    try {
      const facts = this.prover.prove(form);
      if (facts.length === 0) return undefined;
      const owners = ownersOf(form, answer, this.evaluator);
      return {
        key,
        type,
        form,
        question,
        golden,
        answerType: answerTypeOf(form, answer, this.evaluator),
        hops,
        owners,
        facts,
      };
    } catch (error) {
      if (error instanceof Unprovable) return undefined;
      throw error;
    }
  }

  /** Whether the question reveals the answer, as "What is the currency of Belize?" reveals the Belize Dollar. */
  private sharesName(form: Question, answer: Value, question: string): boolean {
    return form.ask === "entity" && sharesWord(this.evaluator.graph.get(String(answer)).name, question);
  }

  /**
   * Adds the plan and the result of the keyword baseline. Returns undefined if no query finds a needed page among its
   * first three results.
   */
  async finish(draft: Draft): Promise<Written | undefined> {
    const evidence = [...new Set(draft.facts.map(({ page }) => page))];
    const queries: string[] = [];
    for (const page of evidence) {
      const query = await this.queryFor(page, draft.facts.find((fact) => fact.page === page) as Fact);
      if (query === undefined) return undefined;
      queries.push(query);
    }
    const answer = await keywordAnswer(draft.question, draft.answerType, this.search, this.pages);
    const isSolvedByKeywords =
      answer !== undefined && draft.golden.some((golden) => normalised(golden) === normalised(answer));
    return { ...draft, queries, isSolvedByKeywords };
  }

  private async queryFor(page: string, { query, text }: Fact): Promise<string | undefined> {
    const isKnown = query.startsWith(this.pages.get(page)?.title ?? "\n");
    const title = isKnown ? (this.pages.get(page)?.title as string) : undefined;
    const tries = title ? [query, title, `${title} ${text.split(" ").slice(0, 8).join(" ")}`] : [query];
    for (const attempt of tries) {
      const found = await this.search(attempt, 3);
      if (found.some(({ id }) => id === page)) return attempt;
    }
    return undefined;
  }
}

/** Counts the hops of a question: followed relations, conditions, comparisons and the requested value. */
export function hopsOf(question: Question): number {
  return (
    formHops(question.of) +
    (question.ask === "entity" ? 0 : 1) +
    (question.ask === "corrected" && question.of.op === "named" ? 1 : 0)
  );
}

function formHops(form: Form): number {
  switch (form.op) {
    case "named":
      return 0;
    case "archived":
      return 1;
    case "hop":
    case "top":
      return 1 + formHops(form.of);
    case "which":
      return form.tests.reduce((sum, test) => sum + 1 + ("relation" in test ? formHops(test.to) : 0), 0);
    case "larger":
      return 1 + form.options.reduce((sum, option) => sum + formHops(option), 0);
  }
}

function isIn(answer: string, question: string): boolean {
  return answer.length > 2 && ` ${normalised(question)} `.includes(` ${normalised(answer)} `);
}

/**
 * Returns the entities that determine the split of a question. The entity in a description with a single condition is
 * included; entities in descriptions with several conditions are not.
 */
function ownersOf(question: Question, answer: Value, evaluator: Evaluator): string[] {
  const subject = question.ask === "entity" ? [String(answer)] : evaluator.ids(question.of);
  return [...new Set([...startsOf(question.of, evaluator), ...subject])].sort();
}

function startsOf(form: Form, evaluator: Evaluator): string[] {
  if (form.op === "named" || form.op === "archived") return [form.id];
  if (form.op === "hop" || form.op === "top") return startsOf(form.of, evaluator);
  if (form.op === "larger") return form.options.flatMap((option) => startsOf(option, evaluator));
  const [test] = form.tests;
  const anchor = form.tests.length === 1 && test && "relation" in test ? startsOf(test.to, evaluator) : [];
  return [...evaluator.ids(form), ...anchor];
}

function answerTypeOf(question: Question, answer: Value, { graph }: Evaluator): AnswerType {
  if (question.ask === "entity") return graph.get(String(answer)).kind;
  if (question.ask !== "attribute") return "number";
  if (typeof answer === "number") return "number";
  return codes.test(`.${parts(question.attribute)[1]}`) ? "code" : "text";
}
