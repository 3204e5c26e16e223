/** The bench `search` with few passages and without Lucene, and the functions that compute its figures. */
import { expect, test } from "vitest";
import { report } from "../bench/report.js";
import { search } from "../bench/search.js";
import { corpusLines } from "../bench/search-corpus.js";
import { recallResults } from "../bench/search-recall.js";
import { percentile, timed } from "../bench/search-timing.js";

test("the bench measures the build, the searches and the recall of the embedded index", async () => {
  const options = { passages: 300, queries: 20, questions: 20, java: "java" };
  const { results } = report("search", await search(options));
  const value = (name: string) => results.find((result) => result.name === name)?.value;
  expect(value("passages indexed")).toBeGreaterThanOrEqual(300);
  for (const name of ["index build", "peak memory of the build", "query p99, 1 client", "queries, 32 clients"])
    expect([name, value(name)]).toEqual([name, expect.toSatisfy((figure: number) => figure > 0)]);
  // The plans of the questions were checked with the same search.
  expect(value("evidence recall, top 10")).toBeGreaterThan(90);
  expect(results.filter(({ baseline }) => baseline !== undefined)).toEqual([]);
});

test("a corpus is the same at each call, and generated passages follow the bundled pages", () => {
  const [first, second] = [0, 0].map(() => [...corpusLines(14_000)]);
  expect(first).toEqual(second);
  const ids = first?.map((line) => JSON.parse(line).id as string) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.at(-1)).toBe("made/13999");
  expect(ids[0]).not.toContain("made/");
});

test("every query is sent once, whatever the number of clients", async () => {
  const asked: string[] = [];
  const queries = ["a", "b", "c", "d", "e"];
  const { latencies } = await timed(queries, 2, async (query) => asked.push(query));
  expect([asked.sort(), latencies.length]).toEqual([queries, 5]);
});

test("a percentile is one of the values", () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([percentile(values, 0.5), percentile(values, 0.99), percentile([7], 0.5)]).toEqual([50, 99, 7]);
});

test("recall counts pages and answers and compares two engines", () => {
  const wanted = [
    { query: "first", page: "a" },
    { query: "second", answers: ["Forty-two", "42"] },
  ];
  const found = (page: string, text: string) => [{ page, text }];
  const results = recallResults(
    wanted,
    [found("a", ""), found("b", "It is 421.")],
    [found("b", ""), found("b", "It is forty-two.")],
  );
  const figure = (name: string) => results.find((result) => result.name === name)?.value;
  expect(figure("evidence recall, top 3")).toBe(100);
  expect(figure("evidence recall, top 3, below Lucene")).toBe(-100);
  expect(figure("answer recall, top 3")).toBe(0);
  expect(figure("answer recall, top 3, Lucene")).toBe(100);
  expect(figure("pages in common with Lucene, top 3")).toBe(50);
});
