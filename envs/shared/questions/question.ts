import type { Info } from "../../env.js";

/** A question with its accepted answers. */
export interface Question {
  id: string;
  question: string;
  /** Accepted answers: at least one answer. */
  golden: readonly string[];
  /** Additional fields, such as the number of hops. */
  metadata: Info;
  /** Searches and pages that lead to the answer, if known. */
  plan?: Plan;
}

const telling =
  /answer|gold|solution|proof|evidence|support|rational|expla|reason|context|decompos|document|passage|page|reference|steps|annotat/i;

/**
 * Returns the metadata of a question that any caller may read. Lists and objects, entries whose names speak of answers
 * or proofs, and texts that contain an accepted answer are left out.
 */
export function shownMetadata({ metadata, golden }: Question): Info {
  const isTold = (text: string) => golden.some((answer) => text.toLowerCase().includes(answer.toLowerCase()));
  return Object.fromEntries(
    Object.entries(metadata).filter(
      ([name, value]) =>
        !telling.test(name) && typeof value !== "object" && !(typeof value === "string" && isTold(value)),
    ),
  );
}

/** Searches and pages that prove an answer, in order. Each page contains the fact that the next search needs. */
export interface Plan {
  queries: readonly string[];
  /** Ids of the pages that contain the facts. */
  pages: readonly string[];
}

/** A set of questions in a fixed order. */
export interface QuestionSet {
  /** Name of the split. */
  name: string;
  /** Description of the questions, in one sentence. */
  summary: string;
  size: number;
  /** @param index from 0 to `size - 1` */
  at(index: number): Question;
  /** Name of the default source in which the answers can be found. */
  source: string;
}
