/** Lucene as the peer of the bench `search`: runs test/peers/search-lucene.java in its own process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type CorpusPassage, exportPassages, passagesIn } from "./search-corpus.js";
import type { Timed } from "./search-timing.js";

const program = fileURLToPath(new URL("../peers/search-lucene.java", import.meta.url));
/** Maximum heap of Java. */
const heap = "-Xmx2g";

export interface LuceneOptions {
  java: string;
  /** Folder of the jars. */
  jars: string;
}

interface LuceneAnswer {
  seconds: number;
  passages: number;
  peakBytes: number;
  indexBytes: number;
  /** Timings, one for each number of clients. */
  timed: Timed[];
  /** For each query, the numbers of the found passages of different pages, best first. */
  found: number[][];
}

/**
 * Indexes the passages of a corpus, finds the best `k` for each query, and times the queries for each number of clients.
 *
 * @param folder folder for its files
 */
export async function runLucene(
  { java, jars }: LuceneOptions,
  { corpus, queries, k, clients }: { corpus: string; queries: readonly string[]; k: number; clients: number[] },
  folder: string,
): Promise<LuceneAnswer> {
  mkdirSync(folder, { recursive: true });
  const [passages, queryFile] = [join(folder, "passages.tsv"), join(folder, "queries.txt")];
  await exportPassages(corpus, passages);
  writeFileSync(queryFile, queries.map((query) => `${query.replace(/\s+/g, " ")}\n`).join(""));
  const args = [passages, join(folder, "index"), queryFile, `${k}`, ...clients.map(String)];
  const child = spawn(java, [heap, "-cp", join(jars, "*"), program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const [out, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`expected ${java} to run Lucene, but received ${problems.slice(-2_000)}`);
  return JSON.parse(out) as LuceneAnswer;
}

/** Returns the passages of a corpus file, in Lucene's numbering. */
export async function numberedPassages(corpus: string): Promise<CorpusPassage[]> {
  const all: CorpusPassage[] = [];
  for await (const passage of passagesIn(corpus)) all.push(passage);
  return all;
}
