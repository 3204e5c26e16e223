/** Converts the gym's objects to replies. The schemas of the replies are in `schemas/`. */
import type { z } from "zod";
import type { AnyEnvironmentSpec } from "../../envs/env.js";
import { defaultSplit, knownOptions, promptOf, toolsOf } from "../../envs/registry.js";
import type { Availability } from "../episodes/episode/availability.js";
import type { Episode } from "../episodes/episode/episode.js";
import { parseResult, readNewestResult } from "../episodes/episode/results.js";
import { instructionsOf, labelsOf, settingsOf } from "../episodes/episode/settings.js";
import { endingOf, goalOf } from "../episodes/episode-pages.js";
import type { Caller, Gym } from "../episodes/gym.js";
import type { GymError } from "../errors.js";
import { episodeFormats } from "../formats/actions/action-formats.js";
import type { EpisodeRow } from "../log/records/protocol.js";
import type { LoggedStep } from "../log/records/step-page.js";
import type { EnvironmentInfo } from "./schemas/environment.js";
import type { Episode as EpisodeSchema } from "./schemas/episode.js";

/**
 * @param caller caller who gets the reply
 * @param resetResult reset result, or null to read it from the log
 * @throws {GymError} LOG_FAILED
 */
export async function episodeReply(
  gym: Gym,
  caller: Caller,
  episode: Episode,
  resetResult: string | null = null,
): Promise<z.input<typeof EpisodeSchema>> {
  const played = await playedReply(gym, episode, resetResult);
  // A running episode needs no look into the log.
  const record = played.phase === "running" ? null : await gym.log.call("findEpisode", episode.row.key);
  return { ...played, ...endingOf(record ?? unended, caller) };
}

/** Returns an episode with what only the log knows: its goal and people's notes. @throws {GymError} LOG_FAILED */
export async function wholeReply(gym: Gym, caller: Caller, episode: Episode): Promise<z.input<typeof EpisodeSchema>> {
  const played = await playedReply(gym, episode, null);
  const record = await gym.log.call("findEpisode", episode.row.key);
  const ending = endingOf(played.phase === "running" || !record ? unended : record, caller);
  const goal = await goalOf(gym, episode.row, record, caller);
  return { ...played, ...ending, goal, notes: record?.notes ?? [] };
}

const unended = { outcome: "running", verdict: null } as const;

/** The fields of a reply that an episode in memory and its newest result have. */
async function playedReply(gym: Gym, episode: Episode, resetResult: string | null) {
  const { row, spec, phase, steps, expertUsed, failure } = episode;
  const summary = episodeSummary(row);
  const options = knownOptions(spec, summary.options);
  const { format } = summary;
  const { read: _, rewards: __, ...result } = parseResult(await readNewestResult(gym.log, episode, resetResult));
  return {
    ...summary,
    prompt: instructionsOf(spec, { options, format }),
    tools: toolsOf(spec, options),
    phase,
    index: steps,
    ...result,
    expertUsed,
    failure,
    maxSteps: row.maxSteps,
    leaseMs: row.leaseMs,
  };
}

export function episodeSummary(row: EpisodeRow) {
  return {
    episodeId: row.id,
    environment: row.environment,
    task: { split: row.split, index: row.taskIndex },
    seed: row.seed,
    ...settingsOf(row),
    ...labelsOf(row),
    parent: row.parent,
    createdAt: new Date(row.createdAtMs).toISOString(),
  };
}

export async function environmentReply(
  spec: AnyEnvironmentSpec,
  availability: Availability,
): Promise<z.input<typeof EnvironmentInfo>> {
  const requirements = await availability.of(spec);
  const splits = Object.entries(spec.splits).map(([name, { size, summary, options }]) => [
    name,
    { size, summary, ...(options && { options }) },
  ]);
  const queries = Object.entries(spec.queries ?? {}).map(([name, { summary }]) => [name, { summary }]);
  return {
    id: spec.id,
    version: spec.version,
    summary: spec.summary,
    splits: Object.fromEntries(splits),
    defaultSplit: defaultSplit(spec),
    options: spec.options ?? {},
    maxSteps: spec.maxSteps,
    rewardRange: [...spec.rewardRange],
    solvedReward: spec.solvedReward ?? spec.rewardRange[1],
    familyKey: spec.familyKey ?? null,
    prompt: spec.prompt,
    formats: episodeFormats,
    promptFormat: spec.promptFormat ?? "plain",
    tools: [...(spec.tools ?? [])],
    seats: seatsReply(spec),
    queries: Object.fromEntries(queries),
    restore: spec.restore,
    hasExpert: spec.expert !== undefined,
    hasVerifier: spec.verify !== undefined,
    rendersPictures: spec.render !== undefined,
    available: requirements.every(({ available }) => available),
    requirements,
  };
}

function seatsReply(spec: AnyEnvironmentSpec) {
  const seats = Object.entries(spec.seats ?? {}).map(([name, { summary }]) => [
    name,
    { summary, prompt: promptOf(spec, {}, name), tools: toolsOf(spec, {}, name) },
  ]);
  return seats.length > 0 ? Object.fromEntries(seats) : null;
}

/** Returns the JSON text of a page of a transcript. The page contains the logged replies, each with its action and its time. */
export function transcriptText(steps: readonly LoggedStep[], next: number | null): string {
  const text = ['{"steps":['];
  for (const step of steps) {
    if (text.length > 1) text.push(",");
    text.push(...transcriptStep(step));
  }
  text.push(`],"next":${next}}`);
  // The parts are joined once, since each concatenation would copy megabytes.
  return text.join("");
}

type TimedStep = Pick<LoggedStep, "action" | "reply" | "atMs" | "gymMs">;

/** Returns the JSON text of a step with its action and its time. */
export function stepText(step: TimedStep): string {
  return transcriptStep(step).join("");
}

function transcriptStep({ action, reply, atMs, gymMs }: TimedStep): [string, string] {
  const took = gymMs === undefined ? "" : `"gymMs":${gymMs},`;
  return [`{"action":${JSON.stringify(action)},"atMs":${atMs},${took}`, reply.slice(1)];
}

/** Returns the JSON text of one outcome of a batch. */
export function outcomeText(outcome: string | GymError): string {
  return typeof outcome === "string" ? outcome : errorText(outcome);
}

export function errorText(error: GymError): string {
  return JSON.stringify({ error: error.toBody() });
}
