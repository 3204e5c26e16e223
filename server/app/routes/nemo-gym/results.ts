/** Replies and errors in the format of NeMo Gym's messages. */
import type { FastifyReply } from "fastify";
import type { z } from "zod";
import { type Played, promptOfEpisode } from "../../../adapter/play.js";
import { SessionError } from "../../../adapter/session-error.js";
import type { EpisodeResult } from "../../../episodes/episode/results.js";
import { type ErrorCode, GymError } from "../../../errors.js";
import type * as schemas from "./schemas.js";

export type ResetReply = z.input<typeof schemas.ResetReply>;
export type StepReply = z.input<typeof schemas.StepReply>;

/** Features of the server that its agent then uses. */
const features = { supports_explicit_close: true, supports_step_idempotency: true };

/** The instructions are a part of the observation, because the agent shows the model nothing else of a reset. */
export function resetReply(played: Played): ResetReply {
  const observation = `${promptOfEpisode(played.episode)}\n\n${textOf(played.newest)}`;
  return { observation, info: { ...infoOf(played, 0), ...features } };
}

/** Returns an observation as text. Pictures are left out, because the agent reads only text. */
export function textOf({ observation, parts = [] }: EpisodeResult): string {
  const others = parts.flatMap((part) => (part.type === "json" ? [JSON.stringify(part.data)] : []));
  return [observation, ...others].join("\n");
}

/** @param index index of the next step */
export function infoOf(played: Played | undefined, index: number | undefined): Record<string, unknown> {
  return played ? { ...played.newest.info, episode_id: played.episode.row.id, step_count: index } : {};
}

const sessionErrors: Record<SessionError["fault"], [code: ErrorCode, statement: string]> = {
  unknown: ["EPISODE_UNKNOWN", "expected the cookie of an open session, but received that of an unknown one"],
  closed: ["EPISODE_CLOSED", "expected the cookie of an open session, but received that of a closed one"],
  empty: ["EPISODE_UNKNOWN", "expected a session with an episode, but received one before its first reset"],
  finished: ["EPISODE_ENDED", "expected a reset after the end of the episode, but received a step"],
};

/** Converts the refusal of a session to an error of the table. Any other error is returned as it is. */
export function typedError(error: Error): Error {
  return error instanceof SessionError ? GymError.ofState(...sessionErrors[error.fault]) : error;
}

export function sendError(reply: FastifyReply, error: GymError): FastifyReply {
  return reply.status(error.status).send({ detail: error.message, error: error.toBody() });
}
