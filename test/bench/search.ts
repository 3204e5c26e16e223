/** Compares the embedded index with Lucene: build time, query time and recall. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pageLines } from "#palestra/envs/shared/knowledge/pages.js";
import { bundledIndex } from "#palestra/envs/shared/retrieval/bundled/bundled-index.js";
import { EmbeddedSource } from "#palestra/envs/shared/retrieval/embedded/embedded-source.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";
import { bundledQuestions } from "#palestra/envs/shared/synthesis/questions.js";
import type { BenchResult } from "./report.js";
import type { Built } from "./search-build.js";
import { corpusLines, writeLines } from "./search-corpus.js";
import { type LuceneOptions, numberedPassages, runLucene } from "./search-lucene.js";
import { type Found, recallResults, wantedOf } from "./search-recall.js";
import { percentile, type Timed, timed } from "./search-timing.js";

export interface SearchOptions {
  passages: number;
  /** Largest number of queries to time. */
  queries: number;
  /** Largest number of bundled questions to use. */
  questions: number;
  java: string;
  /** Folder of Lucene's jars. Without it, only our index is measured. */
  lucene?: string;
}

const k = 10;
const clientCounts = [1, 32];
/** Makes a new signal for each call, as each step of an episode has one. */
const unaborted = () => new AbortController().signal;

export async function search({ passages, queries, questions, java, lucene }: SearchOptions): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "palestra-search-"));
  const peer = lucene === undefined ? undefined : { java, jars: lucene };
  try {
    const asked = bundledQuestions().slice(0, questions);
    return [
      ...(await largeResults(
        folder,
        passages,
        mixed(
          wantedOf(asked).map(({ query }) => query),
          queries,
        ),
        peer,
      )),
      ...(await bundledResults(folder, asked, peer)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a fixed sample of the queries, with all kinds. */
function mixed(queries: string[], most: number): string[] {
  const all = [...queries];
  new Pcg64(0).shuffle(all);
  return all.slice(0, most);
}

/** Measures the build and the searches of an index of the large corpus. */
async function largeResults(
  folder: string,
  passages: number,
  queries: readonly string[],
  peer: LuceneOptions | undefined,
): Promise<BenchResult[]> {
  const [corpus, index] = [join(folder, "corpus.jsonl"), join(folder, "index.sqlite")];
  tell(`writing ${passages} passages`);
  await writeLines(corpus, corpusLines(passages));
  tell("building the index");
  const built = await build(corpus, index);
  const ours: Timed[] = [];
  for (const clients of clientCounts) {
    tell(`asking, ${clients} clients`);
    ours.push(await timeOurs(index, queries, clients));
  }
  if (peer) tell("Lucene");
  const theirs = peer && (await runLucene(peer, { corpus, queries, k, clients: clientCounts }, join(folder, "large")));
  return [...buildResults(built, theirs), ...ours.flatMap((one, at) => queryResults(one, theirs?.timed[at]))];
}

async function build(corpus: string, index: string): Promise<Built> {
  const program = fileURLToPath(new URL("./search-build.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", program, corpus, index]);
  return JSON.parse(stdout) as Built;
}

/** Measures twice and returns the second time, since the first run is a warm-up. */
async function timeOurs(index: string, queries: readonly string[], clients: number): Promise<Timed> {
  const source = new EmbeddedSource("the bench's", async () => index);
  const ask = (query: string) => source.search(query, k, unaborted());
  await timed(queries, clients, ask);
  return timed(queries, clients, ask);
}

function buildResults(ours: Built, theirs: Built | undefined): BenchResult[] {
  const figure = (name: string, unit: string, of: (built: Built) => number) => ({
    name,
    value: of(ours),
    unit,
    ...(theirs && { baseline: of(theirs) }),
  });
  return [
    figure("passages indexed", "passages", ({ passages }) => passages),
    figure("index build", "passages per second", ({ passages, seconds }) => passages / seconds),
    figure("peak memory of the build", "MiB", ({ peakBytes }) => peakBytes / 2 ** 20),
    figure("size of the index", "MiB", ({ indexBytes }) => indexBytes / 2 ** 20),
  ];
}

function queryResults(ours: Timed, theirs: Timed | undefined): BenchResult[] {
  const figure = (name: string, unit: string, of: (one: Timed) => number) => ({
    name: `${name}, ${ours.clients} client${ours.clients === 1 ? "" : "s"}`,
    value: of(ours),
    unit,
    ...(theirs && { baseline: of(theirs) }),
  });
  return [
    figure("query p50", "ms", ({ latencies }) => percentile(latencies, 0.5)),
    figure("query p99", "ms", ({ latencies }) => percentile(latencies, 0.99)),
    figure("queries", "per second", ({ latencies, seconds }) => latencies.length / seconds),
  ];
}

/** Measures recall among the bundled pages. */
async function bundledResults(
  folder: string,
  questions: ReturnType<typeof bundledQuestions>,
  peer: LuceneOptions | undefined,
): Promise<BenchResult[]> {
  tell("recall");
  const wanted = wantedOf(questions);
  const source = new EmbeddedSource("bundled", bundledIndex);
  const ours: Found[][] = [];
  for (const { query } of wanted) {
    const found = await source.search(query, k, unaborted());
    ours.push(found.map(({ id, text }) => ({ page: id, text })));
  }
  return recallResults(wanted, ours, peer && (await theirFinds(folder, wanted, peer)));
}

async function theirFinds(folder: string, wanted: readonly { query: string }[], peer: LuceneOptions) {
  const corpus = join(folder, "bundled.jsonl");
  await writeLines(corpus, pageLines());
  const passages = await numberedPassages(corpus);
  const queries = wanted.map(({ query }) => query);
  const { found } = await runLucene(peer, { corpus, queries, k, clients: [] }, join(folder, "bundled"));
  return found.map((numbers) => numbers.map((number) => passages[number] as Found));
}

function tell(doing: string): void {
  process.stderr.write(`${doing.padEnd(60)}\r`);
}
