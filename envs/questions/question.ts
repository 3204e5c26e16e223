import type { Info } from "../env.js";

/** A question with its accepted answers. */
export interface Question {
  id: string;
  question: string;
  /** Accepted answers, at least one. */
  golden: readonly string[];
  /** Additional facts, such as the number of hops. */
  metadata: Info;
  /** Way to find the answer, if known. */
  plan?: Plan;
}

/** Searches and pages that prove an answer, in order. Each page leads to the next search. */
export interface Plan {
  queries: readonly string[];
  /** Ids of the pages that hold the facts. */
  pages: readonly string[];
}

/** Questions in a fixed order. */
export interface QuestionSet {
  /** Name of the split. */
  name: string;
  /** Description of the questions, in one sentence. */
  summary: string;
  size: number;
  /** @param index from 0 to `size - 1` */
  at(index: number): Question;
  /** Default source that answers the questions. */
  source: string;
}
