/** All questions of this machine: the bundled questions, and the questions imported by `palestra setup questions`. */
import { type BundledQuestion, bundledQuestions, bundledSizes, planOf, type Split } from "../synthesis/questions.js";
import { importedSets } from "./imported.js";
import type { Question, QuestionSet } from "./question.js";

const summaries: Record<Split, string> = {
  train: "Bundled questions about the bundled pages, to learn from.",
  dev: "Bundled questions about other entities, to choose by.",
  test: "Bundled questions about still other entities, to report.",
};
/** Name of the set that contains all bundled questions. */
const bundledName = "bundled";
const splits = Object.keys(summaries) as Split[];

/** Returns all question sets, with the bundled sets first. Omits imported sets with the name of a bundled set. */
export function questionSets(): QuestionSet[] {
  const bundled = splits.map(bundledSet);
  const taken = new Set<string>([...splits, bundledName]);
  const imported = importedSets().filter(({ name }) => !taken.has(name));
  return [...bundled, together(bundled), ...imported];
}

/**
 * Joins all bundled sets into one set, for clients that identify tasks by number. The test set comes first, as in
 * AgentGym.
 */
function together(sets: readonly QuestionSet[]): QuestionSet {
  const ordered = [...sets].reverse();
  return {
    name: bundledName,
    summary: "All bundled questions: test, then dev, then train.",
    size: ordered.reduce((sum, { size }) => sum + size, 0),
    source: "bundled",
    at: (index) => {
      let left = index;
      for (const { size, at } of ordered) {
        if (left < size) return at(left);
        left -= size;
      }
      throw new RangeError(`expected an index below the number of bundled questions, but received ${index}`);
    },
  };
}

/** Returns a set whose questions are read when the first of them is needed. */
function bundledSet(split: Split): QuestionSet {
  let questions: Question[] | undefined;
  return {
    name: split,
    summary: summaries[split],
    size: bundledSizes[split],
    source: "bundled",
    at: (index) => {
      questions ??= bundledQuestions(split).map(toQuestion);
      return questions[index] as Question;
    },
  };
}

function toQuestion({ id, question, golden_answers, metadata: { type, hops, difficulty } }: BundledQuestion): Question {
  const { queries, opens } = planOf(id);
  return {
    id,
    question,
    golden: golden_answers,
    metadata: { family: type, hops, difficulty },
    plan: { queries: queries.map((query) => query.trim()), pages: opens },
  };
}
