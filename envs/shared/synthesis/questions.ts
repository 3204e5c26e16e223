/** The 2,000 bundled questions about the pages of envs/shared/knowledge, each with an expert's plan. */
import { jsonLines, once } from "../kept/data-file.js";
import type { BundledQuestion, Split } from "./bundle.js";

export type { BundledQuestion, Split } from "./bundle.js";

/** Plan of the expert: it sends each query, opens the page that belongs to the query, and answers with citations. */
export interface Plan {
  queries: readonly string[];
  /** Ids of the pages to open, one for each query. BM25 finds the page among its first three results for the query. */
  opens: readonly string[];
  answer: string;
  /** Ids of the pages that prove the answer. */
  citations: readonly string[];
}

/** Number of bundled questions in each split, so that the splits are known without reading the file. */
export const bundledSizes: Readonly<Record<Split, number>> = { train: 1_600, dev: 200, test: 200 };

const lines = jsonLines<BundledQuestion>(new URL("./data/questions.jsonl", import.meta.url));
const byId = once(() => new Map(lines().map((question) => [question.id, question])));

/** Returns the questions of a split, or all questions, in file order. The file is read on the first call. */
export function bundledQuestions(split?: Split): BundledQuestion[] {
  const all = [...byId().values()];
  return split === undefined ? all : all.filter(({ metadata }) => metadata.split === split);
}

/** Returns the plan for a question. @throws {RangeError} no bundled question has this id */
export function planOf(id: string): Plan {
  const question = byId().get(id);
  if (!question) throw new RangeError(`expected the id of a bundled question, but received ${JSON.stringify(id)}`);
  const { evidence, queries } = question.metadata;
  return { queries, opens: evidence, answer: question.golden_answers[0] as string, citations: evidence };
}
