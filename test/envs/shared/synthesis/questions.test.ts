import { describe, expect, test } from "vitest";
import { knowledgeGraph } from "#palestra/envs/shared/knowledge/graph.js";
import { allPages } from "#palestra/envs/shared/knowledge/pages.js";
import { countSpellings, normalised, spellings } from "#palestra/envs/shared/synthesis/answers.js";
import { commonAnswers, keywordAnswer } from "#palestra/envs/shared/synthesis/baseline.js";
import { bundleQuestions, splitOf } from "#palestra/envs/shared/synthesis/bundle.js";
import { Proposer } from "#palestra/envs/shared/synthesis/candidates.js";
import { Evaluator, type Form, type Question } from "#palestra/envs/shared/synthesis/forms.js";
import { passageSearch } from "#palestra/envs/shared/synthesis/passages.js";
import { bundledQuestions, bundledSizes, planOf } from "#palestra/envs/shared/synthesis/questions.js";
import { type Draft, Writer } from "#palestra/envs/shared/synthesis/write-question.js";

const graph = knowledgeGraph();
const pages = new Map(allPages(graph).map((page) => [page.id, page]));
const evaluator = new Evaluator(graph);
const search = passageSearch(pages.values());
const questions = bundledQuestions();
const sampleOf = <T>(values: readonly T[], size: number) =>
  values.filter((_, at) => at % Math.floor(values.length / size) === 0);

/**
 * Returns the entities whose names or descriptions start a form. In a description with several conditions, the
 * conditions do not count.
 */
function startsOf(form: Form): string[] {
  if (form.op === "named" || form.op === "archived") return [form.id];
  if (form.op === "hop" || form.op === "top") return startsOf(form.of);
  if (form.op === "larger") return form.options.flatMap(startsOf);
  return evaluator.ids(form);
}

function ownersOf(form: Question): string[] {
  const answers = form.ask === "entity" ? evaluator.answers(form).map(String) : evaluator.ids(form.of);
  return [...startsOf(form.of), ...answers];
}

describe("the bundled questions", () => {
  test("number 1,600, 200 and 200, without duplicates", () => {
    const splits = ["train", "dev", "test"] as const;
    const counted = Object.fromEntries(splits.map((split) => [split, bundledQuestions(split).length]));
    expect(counted).toEqual({ train: 1_600, dev: 200, test: 200 });
    expect(bundledSizes).toEqual(counted);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(2_000);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(2_000);
  });

  test("have exactly one answer in the whole graph, which is a golden answer", () => {
    for (const { golden_answers, metadata } of questions) {
      const answers = evaluator.answers(metadata.form);
      expect(answers).toHaveLength(1);
      const accepted =
        metadata.form.ask === "count"
          ? countSpellings(answers[0] as number)
          : spellings(metadata.form, answers[0] as string, graph);
      expect(golden_answers).toEqual(accepted);
    }
  });

  test("are based on sentences that their evidence pages contain", () => {
    for (const { metadata } of questions) {
      expect(metadata.proof.length).toBeGreaterThan(0);
      for (const { page, text } of metadata.proof) expect(pages.get(page)?.text).toContain(text);
      expect(new Set(metadata.proof.map(({ page }) => page))).toEqual(new Set(metadata.evidence));
    }
  });

  test("100 of them can be followed from page to page to the answer", () => {
    const sample = sampleOf(questions, 100);
    expect(sample.length).toBeGreaterThanOrEqual(100);
    for (const { question, golden_answers, metadata } of sample) {
      const read = metadata.proof.map(({ text }) => text).join(" ");
      const isStated = golden_answers.some((golden) => ` ${normalised(read)} `.includes(` ${normalised(golden)} `));
      const lasts = metadata.proof.map(({ page }) => pages.get(page)?.title ?? "");
      const isPage = golden_answers.some((golden) =>
        lasts.some((title) => normalised(title).startsWith(normalised(golden))),
      );
      expect(isStated || isPage, question).toBe(true);
    }
  });

  test("never reveal the answer", () => {
    const open = questions.filter(({ question, golden_answers }) =>
      golden_answers.some(
        (golden) => golden.length > 2 && ` ${normalised(question)} `.includes(` ${normalised(golden)} `),
      ),
    );
    expect(open).toEqual([]);
  });

  test("consist of one or two sentences without gaps", () => {
    const odd = questions.filter(
      ({ question }) =>
        !/^[A-Z].*\?$/.test(question) || /\{|\}|undefined|\bthe the\b|\s{2}/.test(question) || question.length > 320,
    );
    expect(odd.map(({ question }) => question)).toEqual([]);
  });

  test("have no common starts or answers in test and train", () => {
    for (const { metadata } of questions) {
      for (const owner of ownersOf(metadata.form)) expect(splitOf(owner)).toBe(metadata.split);
    }
  });

  test("are solved by the expert's plan, since each page is among the first three for its query", async () => {
    for (const { id, golden_answers } of sampleOf(questions, 200)) {
      const { queries, opens, answer, citations } = planOf(id);
      expect(queries).toHaveLength(opens.length);
      for (const [at, query] of queries.entries()) {
        expect((await search(query, 3)).map((passage) => passage.id)).toContain(opens[at]);
      }
      expect(golden_answers).toContain(answer);
      expect(citations.length).toBeGreaterThan(0);
    }
  });

  test("defeat one search with the question's words in most questions of several hops", async () => {
    const several = questions.filter(({ metadata }) => metadata.hops > 1);
    const solved = several.filter(({ metadata }) => metadata.solvedByKeywords);
    expect(solved.length / several.length).toBeLessThan(0.4);
    for (const { question, golden_answers, metadata } of sampleOf(questions, 60)) {
      const answer = await keywordAnswer(question, metadata.answerType, search, pages);
      const isSolved = golden_answers.some((golden) => normalised(golden) === normalised(answer ?? ""));
      expect(isSolved).toBe(metadata.solvedByKeywords);
    }
  });

  test("defeat a guesser that knows the most common answers of the training questions", () => {
    const answered = bundledQuestions("train").map(({ golden_answers, metadata }) => ({
      answerType: metadata.answerType,
      golden: golden_answers,
    }));
    const guesses = commonAnswers(answered);
    const right = questions.filter(({ golden_answers, metadata }) =>
      golden_answers.includes(guesses.get(metadata.answerType) ?? ""),
    );
    expect(right.length / questions.length).toBeLessThan(0.05);
  });

  test("100 of them are reproduced from their keys", async () => {
    const proposer = new Proposer(evaluator);
    const writer = new Writer(evaluator, search, pages);
    for (const { question, golden_answers, metadata } of sampleOf(questions, 100)) {
      const form = proposer.propose(metadata.type, metadata.key);
      expect(form).toEqual(metadata.form);
      const draft = writer.draft(metadata.type, form as Question, metadata.key);
      const written = await writer.finish(draft as Draft);
      expect(written).toMatchObject({ question, golden: golden_answers, queries: metadata.queries });
    }
  });

  test("a small bundle is the same at every call", async () => {
    const options = { seed: 3, sizes: { train: 25, dev: 0, test: 0 }, search };
    const first = await bundleQuestions(options);
    expect(first.length).toBeGreaterThan(20);
    expect(await bundleQuestions(options)).toEqual(first);
  });

  test("an unknown id has no plan", () => {
    expect(() => planOf("train-9999")).toThrow('expected the id of a bundled question, but received "train-9999"');
  });
});
