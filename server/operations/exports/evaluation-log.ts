/** An evaluation as a log of Inspect. A sample is a task, and each of its episodes is an epoch. */
import { inspectLogOf, noModel, type Summary, summaryLength } from "./inspect-log.js";
import { json } from "./json-text.js";
import type { ArchiveFile } from "./streams.js";

/** Place of an episode in the file of an evaluation, and its task. */
export interface PlayedLine {
  readonly index: number;
  readonly played: { readonly environment: string; readonly split: string; readonly index: number };
  /** Number of the episode among those of its task, from 0. */
  readonly sample: number;
}

/** An episode of an evaluation, as `palestra eval` writes it. */
export interface PlayedRecord extends PlayedLine {
  readonly prompt?: string;
  readonly family?: string;
  readonly status: string;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly score: number;
  readonly solved: boolean;
  readonly usage?: object;
  readonly wallMs: number;
  readonly opening: string;
  readonly turns: readonly {
    readonly reply: string;
    readonly action?: string;
    readonly observation: string;
    readonly reward: number;
  }[];
}

interface Details {
  readonly run: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

const metrics = { score: "mean", solved: "accuracy" } as const;

/** Returns the files of a log. The files have to be made in their order. @param lines the run's episodes */
export function evaluationLogOf(
  { run, settings }: Details,
  lines: readonly PlayedLine[],
  read: (index: number) => Promise<PlayedRecord>,
): Generator<ArchiveFile> {
  const model = typeof settings.policy === "string" ? settings.policy : noModel;
  const samples = lines.map((line) => ({
    ...identityOf(line),
    async *texts() {
      return yield* sampleOf(await read(line.index), model);
    },
  }));
  const task = String(settings.environment ?? run);
  const ids = [...new Set(samples.map(({ id }) => id))];
  const epochs = Math.max(1, ...samples.map(({ epoch }) => epoch));
  return inspectLogOf(samples, () => ({ id: run, task, model, ids, epochs, metadata: settings, metrics }));
}

/** Yields the text of a sample, and returns its summary. */
async function* sampleOf(record: PlayedRecord, model: string): AsyncGenerator<string, Summary> {
  const { opening, turns, prompt, score, solved, status } = record;
  const input = { role: "user", content: opening };
  yield `${json({ ...identityOf(record), ...endOf(record), input: [input], metadata: metadataOf(record) }).slice(0, -1)},"messages":[`;
  if (prompt !== undefined && prompt !== "") yield `${json({ role: "system", content: prompt })},`;
  yield json(input);
  for (const { reply, action, observation, reward } of turns) {
    const said = { role: "assistant", content: reply, source: "generate", model, metadata: { action: action ?? null } };
    yield `,${json(said)},${json({ role: "user", content: observation, metadata: { reward } })}`;
  }
  const last = turns.at(-1)?.reply ?? "";
  const choices = turns.length === 0 ? [] : [{ message: { role: "assistant", content: last }, stop_reason: "stop" }];
  const isSolved = status === "failed" ? "N" : solved ? "C" : "I";
  const scores = { score: { value: score }, solved: { value: isSolved } } as const;
  yield `],${json({ output: { model, choices, completion: last }, scores, turn_count: turns.length }).slice(1)}`;
  return summaryOf(record, scores);
}

function identityOf({ index, played, sample }: PlayedLine) {
  return { id: `${played.split}-${played.index}`, epoch: sample + 1, uuid: `episode-${index}`, target: "" };
}

function endOf({ status, failure }: PlayedRecord) {
  return {
    ...((status === "truncated" || status === "limit") && { limit: { type: "turn", limit: 0 } }),
    ...(failure && { error: { message: `${failure.code}: ${failure.message}`, traceback: "", traceback_ansi: "" } }),
  };
}

function metadataOf({ played, sample, family, status, usage, wallMs }: PlayedRecord) {
  return { ...played, sample, ...(family !== undefined && { family }), status, ...(usage && { usage }), wallMs };
}

function summaryOf(record: PlayedRecord, scores: Summary["scores"]): Summary {
  const { opening, prompt, turns } = record;
  const { limit, error } = endOf(record);
  return {
    ...identityOf(record),
    input: opening.slice(0, summaryLength).toWellFormed(),
    metadata: metadataOf(record),
    scores,
    completed: true,
    ...(limit && { limit: limit.type }),
    ...(error && { error: error.message }),
    message_count: 1 + (prompt === undefined || prompt === "" ? 0 : 1) + 2 * turns.length,
    turn_count: turns.length,
  };
}
