import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { bundleQuestions } from "../../envs/synthesis/bundle.js";
import { ModelEndpointError, modelAt, parseModel } from "../../envs/synthesis/model-endpoint.js";
import { type Outcome, questionsFromPages, type SourcePage } from "../../envs/synthesis/own-corpus.js";
import { OperatorError } from "../operator-error.js";
import { ProgressLine } from "../progress-line.js";

export interface SynthBundledOptions {
  seed: number;
  /** Path of the JSONL file to write. */
  out: string;
}

/**
 * Implements `palestra synth --bundled`: writes questions about the bundled corpus. With seed 0, the questions are
 * those of the bundled file.
 */
export async function synthBundled({ seed, out }: SynthBundledOptions): Promise<void> {
  const progress = new ProgressLine("Writing questions");
  const questions = await bundleQuestions({
    seed,
    onProgress: (done, all) => progress.show(done / all, `${Math.floor(done / 500) * 500} of ${all}`),
  });
  progress.end();
  writeFileSync(out, `${questions.map((question) => JSON.stringify(question)).join("\n")}\n`);
  console.log(`Wrote ${questions.length} questions to ${out}.`);
}

export interface SynthOwnOptions {
  /** Path of a JSONL file of pages: `{"id", "title", "text", "links"?}`. */
  pages: string;
  model: string;
  seed: number;
  count: number;
  concurrency: number;
  out: string;
}

/**
 * Implements `palestra synth --pages`: writes questions about the user's own corpus. The file `<out>.attempts` logs the
 * outcome of each attempt. A later run with the same --out resumes from that file.
 *
 * @throws {OperatorError} if a file cannot be read, or the endpoint fails
 */
export async function synthOwn({ pages, model, seed, count, concurrency, out }: SynthOwnOptions): Promise<void> {
  const { url, model: name } = parseModel(model);
  const apiKey = process.env.OPENAI_API_KEY;
  const log = `${out}.attempts`;
  const earlier = existsSync(log) ? readLines<Outcome>(log) : [];
  const progress = new ProgressLine("Writing questions");
  try {
    const outcomes = await questionsFromPages({
      pages: readLines<SourcePage>(pages),
      ask: modelAt({ url, model: name, ...(apiKey && { apiKey }) }),
      seed,
      count,
      concurrency,
      earlier,
      onOutcome: (outcome, kept) => {
        appendFileSync(log, `${JSON.stringify(outcome)}\n`);
        progress.show(Math.min(1, kept / count), `${kept} of ${count} kept`);
      },
    });
    const kept = outcomes
      .flatMap(({ question }) => question ?? [])
      .sort((a, b) => a.metadata.attempt - b.metadata.attempt);
    writeFileSync(out, kept.map((question) => `${JSON.stringify(question)}\n`).join(""));
    console.log(
      `Kept ${kept.length} of ${outcomes.length} attempts in ${out}. ${log} says why the others were dropped.`,
    );
  } catch (error) {
    if (error instanceof ModelEndpointError) throw new OperatorError("the model endpoint to reply", error);
    throw error;
  } finally {
    progress.end();
  }
}

/** Reads a JSONL file. An incomplete last line is ignored, since the previous run may have been killed while writing. */
function readLines<T>(file: string): T[] {
  const lines = readText(file).split("\n");
  return lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line) as T];
    } catch (error) {
      if (at === lines.length - 1) return [];
      throw new OperatorError(`a JSON object in line ${at + 1} of ${file}`, error);
    }
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError(`a readable file ${file}`, error);
  }
}
