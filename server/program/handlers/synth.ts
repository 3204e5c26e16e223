import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { bundleQuestions } from "../../../envs/shared/synthesis/bundle.js";
import { ModelEndpointError, modelAt, parseModel } from "../../../envs/shared/synthesis/model-endpoint.js";
import { type Outcome, questionsFromPages, type SourcePage } from "../../../envs/shared/synthesis/own-corpus.js";
import { OperatorError } from "../../config/operator-error.js";
import { ProgressLine } from "../terminal/progress-line.js";

export interface SynthBundledOptions {
  seed: number;
  /** Path of the JSONL file to write. */
  out: string;
  json: boolean;
}

/**
 * Implements `palestra synth --bundled`: writes questions about the bundled corpus. With seed 0, the questions are
 * those of the bundled file.
 */
export async function synthBundled({ seed, out, json }: SynthBundledOptions): Promise<void> {
  expectWritable(out);
  const progress = new ProgressLine("Writing questions");
  const questions = await bundleQuestions({
    seed,
    onProgress: (done, all) => progress.show(done / all, `${done} of ${all}`),
  });
  progress.end();
  writeWhole(out, `${questions.map((question) => JSON.stringify(question)).join("\n")}\n`);
  if (json) console.log(JSON.stringify({ out, questions: questions.length }));
  else console.log(`Wrote ${questions.length} questions to ${out}.`);
}

export interface SynthOwnOptions {
  /** Path of a JSONL file of pages: `{"id", "title", "text", "links"?}`. */
  pages: string;
  model: string;
  seed: number;
  count: number;
  concurrency: number;
  out: string;
  json: boolean;
}

/**
 * Implements `palestra synth --pages`: writes questions about the user's own corpus. The file `<out>.attempts` logs the
 * outcome of each attempt. A later run with the same --out resumes from that file.
 *
 * @throws {OperatorError} if a file cannot be read, or the endpoint fails
 */
export async function synthOwn({ pages, model, seed, count, concurrency, out, json }: SynthOwnOptions): Promise<void> {
  expectWritable(out);
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
    writeWhole(out, kept.map((question) => `${JSON.stringify(question)}\n`).join(""));
    if (json) return console.log(JSON.stringify({ out, questions: kept.length, attempts: outcomes.length, log }));
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

/** Refuses a path that cannot be written before there is work to lose. @throws {OperatorError} */
function expectWritable(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) throw new OperatorError("--out FILE", `a folder: ${path}`);
  writeWhole(path, undefined);
}

/** Writes a file under its name once it is complete. Without text, it only tries whether the file can be written. */
function writeWhole(path: string, text: string | undefined): void {
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, text ?? "");
    if (text === undefined) rmSync(partial);
    else renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new OperatorError(`to write ${path}`, error);
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
