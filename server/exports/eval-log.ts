/**
 * Episodes as a log of Inspect (https://inspect.aisi.org.uk/eval-logs.html): a zip archive with a JSON file for each
 * sample, the summaries of all samples, and a header with the results. A sample is an episode.
 */
import type { ObservationPart } from "../../envs/env.js";
import { type EpisodeResult, parseResult } from "../episodes/results.js";
import { version } from "../version.js";
import type { ExportedEpisode } from "./episode.js";
import { functionOf, json } from "./json-text.js";
import type { ArchiveFile } from "./streams.js";

/** Version of the log format that Inspect names `LOG_SCHEMA_VERSION`. */
const formatVersion = 2;

/** Inspect's name for a log without a model. The gym does not know who plays. */
const model = "none/none";

/** Number of characters of a text in a summary. */
const summaryLength = 500;

interface Scores {
  /** Sum of the rewards. */
  readonly return: { value: number };
  /** `C` for solved, `I` for not solved, `N` for an episode that has not ended. */
  readonly solved: { value: "C" | "I" | "N" };
}

interface Summary {
  readonly scores: Scores;
  readonly metadata: { readonly environment: string };
}

/** Returns the files of a log. The files have to be made in their order. */
export function* evalLogOf(
  ids: readonly string[],
  read: (id: string) => Promise<ExportedEpisode>,
): Generator<ArchiveFile> {
  const summaries: Summary[] = [];
  const start = new Date().toISOString();
  for (const id of ids) {
    yield {
      name: `samples/${id}_epoch_1.json`,
      async *texts() {
        const episode = await read(id);
        const scores = yield* sampleOf(episode);
        summaries.push(summaryOf(episode, scores));
      },
    };
  }
  const spec = () => specOf(ids, summaries, start);
  yield file("_journal/start.json", () => ({ version: formatVersion, eval: spec(), plan }));
  yield file("summaries.json", () => summaries);
  yield file("header.json", () => ({
    version: formatVersion,
    status: "success",
    eval: spec(),
    plan,
    results: resultsOf(summaries),
    stats: { started_at: start, completed_at: new Date().toISOString() },
  }));
}

function file(name: string, content: () => unknown): ArchiveFile {
  return {
    name,
    async *texts() {
      yield json(content());
    },
  };
}

/** Yields the text of a sample, and returns its scores. */
async function* sampleOf(episode: ExportedEpisode): AsyncGenerator<string, Scores> {
  const { facts } = episode;
  const opening = parseResult(episode.opening);
  const input = message("user", opening, `${facts.episodeId}-0`);
  yield `${json({ ...identityOf(episode), ...endOf(episode), input: [input], metadata: metadataOf(episode) }).slice(0, -1)},"messages":[`;
  if (facts.prompt !== "") yield `${json({ role: "system", content: facts.prompt })},`;
  yield json(input);
  let [sum, turns, last] = [0, 0, ""];
  for await (const step of episode.steps()) {
    sum += step.reward;
    turns += 1;
    last = step.action;
    const said = {
      id: `${facts.episodeId}-${turns}-action`,
      role: "assistant",
      content: last,
      source: "generate",
      model,
    };
    yield `,${json(said)},${json(message("user", step, `${facts.episodeId}-${turns}`))}`;
  }
  const choices = turns === 0 ? [] : [{ message: { role: "assistant", content: last }, stop_reason: "stop" }];
  const scores = scoresOf(episode, sum);
  yield `],${json({ output: { model, choices, completion: last }, scores, turn_count: turns }).slice(1)}`;
  return scores;
}

function identityOf({ facts: { episodeId, createdAt } }: ExportedEpisode) {
  return { id: episodeId, epoch: 1, uuid: episodeId, target: "", started_at: createdAt };
}

/** Returns the reason for an end that is not the task's own. */
function endOf({ facts: { truncated, maxSteps, failure } }: ExportedEpisode) {
  return {
    ...(truncated && { limit: { type: "turn", limit: maxSteps } }),
    ...(failure && { error: { message: `${failure.code}: ${failure.message}`, traceback: "", traceback_ansi: "" } }),
  };
}

function metadataOf({ facts }: ExportedEpisode) {
  const { environment, task, seed, options, phase, terminated, truncated, expertUsed, parent, maxSteps } = facts;
  const { index: steps, failure, tools } = facts;
  const outcome = { phase, terminated, truncated, steps, failure };
  return { environment, task, seed, options, ...outcome, expertUsed, parent, maxSteps, tools: tools.map(functionOf) };
}

/** Returns a message of the environment. Facts that the agent did not see are in the metadata. */
function message(role: "user", { observation, parts = [], ...rest }: EpisodeResult, id: string) {
  const pictures = parts.flatMap((part) => (part.type === "image" ? [imageOf(part)] : []));
  const content = pictures.length === 0 ? observation : [{ type: "text", text: observation }, ...pictures];
  const data = parts.flatMap((part) => (part.type === "json" ? [part.data] : []));
  return { id, role, content, metadata: { ...rest, ...(data.length > 0 && { json: data }) } };
}

function imageOf({ mediaType, data }: Extract<ObservationPart, { type: "image" }>) {
  return { type: "image", image: `data:${mediaType};base64,${data}` };
}

function scoresOf({ isEnded, solvedReward }: ExportedEpisode, sum: number): Scores {
  const solved = isEnded ? (sum >= solvedReward ? "C" : "I") : "N";
  return { return: { value: sum }, solved: { value: solved } };
}

function summaryOf(episode: ExportedEpisode, scores: Scores): Summary & Record<string, unknown> {
  const { tools: _, ...metadata } = metadataOf(episode);
  const { limit, error } = endOf(episode);
  const { observation } = parseResult(episode.opening);
  const input = observation.slice(0, summaryLength).toWellFormed();
  const count = 1 + (episode.facts.prompt === "" ? 0 : 1) + 2 * episode.facts.index;
  return {
    ...identityOf(episode),
    input,
    metadata,
    scores,
    completed: true,
    ...(limit && { limit: limit.type }),
    ...(error && { error: error.message }),
    message_count: count,
    turn_count: episode.facts.index,
  };
}

const plan = { name: "plan", steps: [], config: {} };

function specOf(ids: readonly string[], summaries: readonly Summary[], created: string) {
  const environments = [...new Set(summaries.map(({ metadata }) => metadata.environment))];
  const [environment = "palestra"] = environments;
  const task = environments.length === 1 ? environment : "palestra";
  return {
    eval_id: `palestra-${ids[0]}`,
    run_id: `palestra-${ids[0]}`,
    task_id: task,
    created,
    task,
    dataset: { name: task, samples: ids.length, sample_ids: ids, shuffled: false },
    model,
    config: { epochs: 1 },
    packages: { palestra: version },
    scorers: [{ name: "return" }, { name: "solved" }],
    metadata: { environments },
  };
}

function resultsOf(summaries: readonly Summary[]) {
  const returns = summaries.map(({ scores }) => scores.return.value);
  const ended = summaries.filter(({ scores }) => scores.solved.value !== "N");
  const solved = ended.map(({ scores }) => (scores.solved.value === "C" ? 1 : 0));
  return {
    total_samples: summaries.length,
    completed_samples: summaries.length,
    scores: [scoreOf("return", "mean", returns), scoreOf("solved", "accuracy", solved)],
  };
}

function scoreOf(name: string, metric: string, values: readonly number[]) {
  const mean = values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  return { name, scorer: name, scored_samples: values.length, metrics: { [metric]: { name: metric, value: mean } } };
}
