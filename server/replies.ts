/** How the gym's objects look on the wire. Shapes: `schemas/`. */
import type { z } from "zod";
import type { AnyEnvironmentSpec, ObservationPart, Options } from "../envs/env.js";
import { defaultSplit } from "../envs/registry.js";
import type { Availability } from "./episodes/availability.js";
import type { Episode } from "./episodes/episode.js";
import type { Gym } from "./episodes/gym.js";
import { newestSight } from "./episodes/sight.js";
import type { GymError } from "./errors.js";
import type { EpisodeRow } from "./log/protocol.js";
import type { LoggedStep } from "./log/step-page.js";
import type { EnvironmentInfo } from "./schemas/environment.js";
import type { Episode as EpisodeSchema } from "./schemas/episode.js";

/** The newest of what an episode's agent saw: its opening, or the reply to its last step. */
interface Sight {
  observation: string;
  parts?: ObservationPart[];
  reward?: number;
  terminated?: boolean;
  truncated?: boolean;
  info: Record<string, unknown>;
}

/** @param opening where it is at hand. @throws {GymError} LOG_FAILED */
export async function episodeReply(
  gym: Gym,
  episode: Episode,
  opening: string | null = null,
): Promise<z.input<typeof EpisodeSchema>> {
  const { row, phase, steps, expertUsed, failure } = episode;
  const sight = JSON.parse(await newestSight(gym.log, episode, opening)) as Sight;
  return {
    ...episodeSummary(row),
    phase,
    index: steps,
    observation: sight.observation,
    ...(sight.parts && { parts: sight.parts }),
    reward: sight.reward ?? 0,
    terminated: sight.terminated ?? false,
    truncated: sight.truncated ?? false,
    info: sight.info,
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
    options: JSON.parse(row.options) as Options,
    parent: row.parent,
    createdAt: new Date(row.createdAtMs).toISOString(),
  };
}

export async function environmentReply(
  spec: AnyEnvironmentSpec,
  availability: Availability,
): Promise<z.input<typeof EnvironmentInfo>> {
  const requirements = await availability.of(spec);
  const splits = Object.entries(spec.splits).map(([name, { size, summary }]) => [name, { size, summary }]);
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
    tools: [...(spec.tools ?? [])],
    queries: Object.fromEntries(queries),
    restore: spec.restore,
    hasExpert: spec.expert !== undefined,
    hasVerifier: spec.verify !== undefined,
    rendersPictures: spec.render !== undefined,
    available: requirements.every(({ available }) => available),
    requirements,
  };
}

/** JSON text of a page of a transcript: the logged replies, each with the action before it. */
export function transcriptText(steps: readonly LoggedStep[], next: number | null): string {
  const text = ['{"steps":['];
  for (const { action, reply } of steps) {
    if (text.length > 1) text.push(",");
    text.push(`{"action":${JSON.stringify(action)},`, reply.slice(1));
  }
  text.push(`],"next":${next}}`);
  // In one go: megabytes with something put around them would be copied as a whole when they are sent.
  return text.join("");
}

/** JSON text of an outcome among many: the result's own text, or the error's. */
export function outcomeText(outcome: string | GymError): string {
  return typeof outcome === "string" ? outcome : errorText(outcome);
}

export function errorText(error: GymError): string {
  return JSON.stringify({ error: error.toBody() });
}
