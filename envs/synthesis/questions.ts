/** The 2,000 bundled questions over the pages of envs/knowledge, with an expert's plan for each question. */
import { readFileSync } from "node:fs";
import type { BundledQuestion, Split } from "./bundle.js";

export type { BundledQuestion, Split } from "./bundle.js";

/**
 * The plan of a perfect player. The player sends each query, opens the page that belongs to the query, and answers with
 * citations.
 */
export interface Plan {
  queries: readonly string[];
  /** Page ids, one for each query. Each page is among the first three pages that BM25 finds for the query. */
  opens: readonly string[];
  answer: string;
  /** Page ids that prove the answer. */
  citations: readonly string[];
}

let bundled: ReadonlyMap<string, BundledQuestion> | undefined;

function byId(): ReadonlyMap<string, BundledQuestion> {
  bundled ??= new Map(
    readFileSync(new URL("./data/questions.jsonl", import.meta.url), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as BundledQuestion)
      .map((question) => [question.id, question]),
  );
  return bundled;
}

/** Returns the questions of a split, or all questions, in file order. The file is read on the first call. */
export function bundledQuestions(split?: Split): BundledQuestion[] {
  const all = [...byId().values()];
  return split === undefined ? all : all.filter(({ metadata }) => metadata.split === split);
}

/** @throws {RangeError} no bundled question has this id */
export function planOf(id: string): Plan {
  const question = byId().get(id);
  if (!question) throw new RangeError(`expected the id of a bundled question, but received ${JSON.stringify(id)}`);
  const { evidence, queries } = question.metadata;
  return { queries, opens: evidence, answer: question.golden_answers[0] as string, citations: evidence };
}
