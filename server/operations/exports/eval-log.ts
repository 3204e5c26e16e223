/** Episodes as a log of Inspect. A sample is an episode. */
import type { ObservationPart } from "../../../envs/env.js";
import { type EpisodeResult, parseResult } from "../../episodes/episode/results.js";
import type { ExportedEpisode } from "./episode.js";
import { inspectLogOf, noModel, type Summary, summaryLength } from "./inspect-log.js";
import { functionOf, json } from "./json-text.js";
import type { ArchiveFile } from "./streams.js";

const metrics = { return: "mean", solved: "accuracy" } as const;

/** Returns the files of a log with a sample for each episode. The files have to be made in their order. */
export function evalLogOf(
  ids: readonly string[],
  read: (id: string) => Promise<ExportedEpisode>,
): Generator<ArchiveFile> {
  const samples = ids.map((id) => ({
    id,
    epoch: 1,
    async *texts() {
      return yield* sampleOf(await read(id));
    },
  }));
  return inspectLogOf(samples, (summaries) => factsOf(ids, summaries));
}

/** Yields the text of a sample, and returns its summary. */
async function* sampleOf(episode: ExportedEpisode): AsyncGenerator<string, Summary> {
  const { facts } = episode;
  const opening = parseResult(episode.opening);
  const input = message("user", opening, `${facts.episodeId}-0`);
  yield `${json({ ...identityOf(episode), ...endOf(episode), input: [input], metadata: metadataOf(episode) }).slice(0, -1)},"messages":[`;
  if (facts.prompt !== "") yield `${json({ role: "system", content: facts.prompt })},`;
  yield json(input);
  let [sum, turns, last] = [0, 0, ""];
  let newestAtMs: number | null = null;
  for await (const step of episode.steps()) {
    sum += step.reward;
    turns += 1;
    last = step.action;
    newestAtMs = step.atMs;
    const said = {
      id: `${facts.episodeId}-${turns}-action`,
      role: "assistant",
      content: last,
      source: "generate",
      model: noModel,
    };
    yield `,${json(said)},${json(message("user", step, `${facts.episodeId}-${turns}`))}`;
  }
  const choices = turns === 0 ? [] : [{ message: { role: "assistant", content: last }, stop_reason: "stop" }];
  const scores = scoresOf(episode, sum);
  const times = timesOf(episode, newestAtMs);
  const output = { model: noModel, choices, completion: last };
  yield `],${json({ output, scores, turn_count: turns, ...times }).slice(1)}`;
  return { ...summaryOf(episode, scores), ...times };
}

/** Returns when the last step was logged. A fork without own steps, and a log without times, have no such time. */
function timesOf({ facts: { createdAt } }: ExportedEpisode, newestAtMs: number | null) {
  const startedMs = Date.parse(createdAt);
  if (newestAtMs === null || newestAtMs < startedMs) return {};
  return { completed_at: new Date(newestAtMs).toISOString(), total_time: (newestAtMs - startedMs) / 1_000 };
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

/** Returns the sum of the rewards, and whether it solves the task: `N` for an episode that has not ended. */
function scoresOf({ isEnded, solvedReward }: ExportedEpisode, sum: number): Summary["scores"] {
  const solved = isEnded ? (sum >= solvedReward ? "C" : "I") : "N";
  return { return: { value: sum }, solved: { value: solved } };
}

function summaryOf(episode: ExportedEpisode, scores: Summary["scores"]): Summary {
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

function factsOf(ids: readonly string[], summaries: readonly Summary[]) {
  const environments = [...new Set(summaries.map(({ metadata }) => (metadata as { environment: string }).environment))];
  const [environment = "palestra"] = environments;
  const task = environments.length === 1 ? environment : "palestra";
  // The gym does not know who plays.
  return { id: ids[0] ?? "", task, model: noModel, ids, epochs: 1, metadata: { environments }, metrics };
}
