/** A program that builds an index from a corpus file and prints time and memory. Arguments: corpus file, index file. */
import { statSync } from "node:fs";
import { linesOf } from "#palestra/envs/shared/retrieval/embedded/corpus-file.js";
import { buildIndex } from "#palestra/envs/shared/retrieval/embedded/index-builder.js";
import { peakMemory } from "./process-memory.js";

/** The result, printed as one line of JSON. */
export interface Built {
  seconds: number;
  passages: number;
  /** Peak memory of the building process, in bytes. */
  peakBytes: number;
  /** Size of the index, in bytes. */
  indexBytes: number;
}

const [corpus, index] = process.argv.slice(2) as [string, string];
const begun = performance.now();
const { facts } = await buildIndex({ name: "the bench's corpus", lines: linesOf(corpus) }, index);
const seconds = (performance.now() - begun) / 1_000;
const built: Built = {
  seconds,
  passages: facts.passages,
  peakBytes: peakMemory(),
  indexBytes: statSync(index).size,
};
console.log(JSON.stringify(built));
