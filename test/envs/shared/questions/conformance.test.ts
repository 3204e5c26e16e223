/**
 * The conformance suite on the environments with installed sets of questions, over two questions of this file. The
 * suite on registered environments skips these environments if no set is installed.
 */
import { expect, test } from "vitest";
import { checkEnvironment } from "#palestra/envs/check-env.js";
import { DeepSearch } from "#palestra/envs/deepsearch/env.js";
import deepsearch from "#palestra/envs/deepsearch/index.js";
import type { AsyncEnvironmentSpec, TaskSplit } from "#palestra/envs/env.js";
import { SearchQa } from "#palestra/envs/searchqa/env.js";
import searchqa from "#palestra/envs/searchqa/index.js";
import type { Question } from "#palestra/envs/shared/questions/question.js";
import { type Source, windowOf } from "#palestra/envs/shared/retrieval/source.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";

const pages = [
  { id: "hafnium", title: "Hafnium", text: "Hafnium was found by Dirk Coster and George de Hevesy.", links: [] },
  { id: "hevesy", title: "George de Hevesy", text: "George de Hevesy was born in Budapest.", links: [] },
];

/** Both questions have the same first search and page, so that state left from an earlier episode shows. */
const questions: Question[] = [
  {
    id: "0",
    question: "Where was a discoverer of hafnium born?",
    golden: ["Budapest"],
    plan: { queries: ["discoverer of hafnium", "birth of Hevesy"], pages: ["hafnium", "hevesy"] },
    metadata: { family: "bridge" },
  },
  {
    id: "1",
    question: "Who discovered hafnium?",
    golden: ["George de Hevesy", "Dirk Coster"],
    plan: { queries: ["discoverer of hafnium"], pages: ["hafnium"] },
    metadata: { family: "fact" },
  },
];

const source: Source = {
  search: async (query) =>
    pages
      .filter(({ text }) => query.split(" ").some((word) => text.includes(word)))
      .map(({ id, title, text }) => ({ id, title, text, score: 1 })),
  async open(id, offset) {
    const page = pages.find((each) => each.id === id);
    return page ? windowOf(page, offset) : null;
  },
  close: async () => {},
};

const split: TaskSplit = {
  size: questions.length,
  summary: "Two questions about hafnium.",
  title: (index) => questions[index]?.question ?? "",
};
const problemOf = ({ index }: { index: number }) => ({ question: questions[index] as Question, source });

const specs: AsyncEnvironmentSpec[] = [
  { ...searchqa, create: (context) => new SearchQa(context, problemOf) } as AsyncEnvironmentSpec,
  { ...deepsearch, create: (context) => new DeepSearch(context, problemOf, async () => true) } as AsyncEnvironmentSpec,
];

test.each(specs)("$id passes every check of the conformance suite", async (spec) => {
  const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
  const results = await checkEnvironment({ ...spec, requirements: [], splits: { test: split } }, { sandboxes });
  await sandboxes.close();
  expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const skipped = results.filter(({ outcome }) => outcome === "skipped").map(({ check }) => check);
  for (const check of skipped) expect(["built-ins", "no-globals", "clone", "queries", "time-limit"]).toContain(check);
});
