/** Prompts, tools, results of calls and errors in the format of the Open Reward Standard. */
import type { FastifyReply } from "fastify";
import type { z } from "zod";
import type { Tool } from "../../../../envs/env.js";
import { MoveError } from "../../../adapter/moves.js";
import { type Played, promptOfEpisode } from "../../../adapter/play.js";
import { SessionError } from "../../../adapter/session-error.js";
import type { Episode } from "../../../episodes/episode/episode.js";
import { type EpisodeResult, parseResult, readResetResult } from "../../../episodes/episode/results.js";
import type { Gym } from "../../../episodes/gym.js";
import { type ErrorCode, GymError } from "../../../errors.js";
import type { Blocks, CallResult, Tools } from "./schemas.js";

type Result = z.input<typeof CallResult>;
type Block = z.input<typeof Blocks>[number];

/** Returns the instructions and the first observation, also if steps have been taken. @throws {GymError} LOG_FAILED */
export async function promptBlocks(gym: Gym, episode: Episode): Promise<Block[]> {
  const reset = parseResult(await readResetResult(gym.log, episode.row));
  return [text(promptOfEpisode(episode)), ...blocksOf(reset)];
}

/** The reward and the info of a result are not in its blocks, because the agent reads the blocks. */
function blocksOf({ observation, parts = [] }: EpisodeResult): Block[] {
  const others = parts.map((part): Block => {
    if (part.type === "json") return text(JSON.stringify(part.data));
    return { type: "image", data: part.data, mimeType: part.mediaType, detail: null };
  });
  return [text(observation), ...others];
}

function text(content: string): Block {
  return { type: "text", text: content, detail: null };
}

export function toolsReply(tools: readonly Tool[]): z.input<typeof Tools> {
  return {
    tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: { ...parameters } })),
  };
}

/**
 * When rewards are sent. `return`: the return of the episode with its last step, because some clients take the last reward
 * for that of the episode, and others add the rewards up. `steps`: the reward of each step.
 */
export type RewardMode = "return" | "steps";

/** @param index index of the step that the result belongs to, which may be an earlier one */
export async function calledResult(
  gym: Gym,
  { episode, newest }: Played,
  index: number,
  mode: RewardMode,
): Promise<Result> {
  const finished = newest.terminated || newest.truncated;
  const reward = mode === "steps" ? newest.reward : finished ? await returnOf(gym, episode, index + 1) : null;
  const metadata = { episode_id: episode.row.id, step_count: index + 1 };
  return { ok: true, output: { blocks: blocksOf(newest), metadata, reward, finished } };
}

const stepsPerPage = 100;

/** Adds up the rewards of the first `steps` steps in the log. @throws {GymError} LOG_FAILED */
async function returnOf(gym: Gym, episode: Episode, steps: number): Promise<number> {
  let sum = 0;
  for (let from = 0; from < steps; ) {
    const page = await gym.reader.readPage(episode, from, Math.min(stepsPerPage, steps - from));
    if (page.length === 0) throw GymError.ofState("LOG_FAILED", `Step ${from} of ${episode.row.id} is missing.`);
    for (const { reply } of page) sum += parseResult(reply).reward;
    from += page.length;
  }
  return sum;
}

/** Returns the result of a call that took no step and left the episode as before, or null for any other error. */
export function refusedResult(error: Error): Result | null {
  const reason = reasonOf(error);
  if (!reason) return null;
  const isFinished = reason === "episode_finished";
  return { ok: false, error: isFinished ? "The episode has ended. It takes no more calls." : error.message, reason };
}

function reasonOf(error: Error): Extract<Result, { ok: false }>["reason"] | null {
  if (error instanceof MoveError) return error.fault === "tool_unknown" ? "not_found" : "input_validation";
  if (error instanceof SessionError) return error.fault === "finished" ? "episode_finished" : null;
  if (!(error instanceof GymError)) return null;
  if (error.code === "EPISODE_ENDED") return "episode_finished";
  return error.code === "ACTION_TOO_LARGE" ? "input_validation" : null;
}

const sessionFaults = {
  unknown: { status: 404, detail: "expected the id of an open session, but received an unknown one" },
  closed: { status: 410, detail: "expected the id of an open session, but received that of a deleted one" },
  empty: { status: 404, detail: "expected a session with a task, but /create was not called for it" },
  finished: { status: 400, detail: "expected a running episode, but received the session of one that has ended" },
};

/** Statuses of the standard that differ from the gym's own. */
const statuses: Partial<Record<ErrorCode, number>> = {
  SPLIT_UNKNOWN: 400,
  TASK_OUT_OF_RANGE: 400,
  IDEMPOTENCY_CONFLICT: 400,
  LIMIT_TOKEN_EPISODES: 503,
  LIMIT_TOKEN_SANDBOXES: 503,
};

/** Errors that end by themselves, when other episodes end or the gym is up again. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "LIMIT_EPISODES",
  "LIMIT_TOKEN_EPISODES",
  "LIMIT_TOKEN_SANDBOXES",
  "LIMIT_IN_FLIGHT",
  "SANDBOX_FULL",
  "HOST_FAILED",
  "EPISODE_ELSEWHERE",
  "SERVER_DRAINING",
]);

const retryAfterS = 2;

/** Whether the same request may succeed soon. */
export function isPassing(error: Error): boolean {
  return error instanceof GymError && passing.has(error.code);
}

/** Sends an error. Clients repeat a request for up to 10 minutes if its reply says that the environment is starting. */
export function sendError(reply: FastifyReply, error: GymError | SessionError): FastifyReply {
  if (error instanceof SessionError) {
    const { status, detail } = sessionFaults[error.fault];
    return reply.status(status).send({ detail });
  }
  if (isPassing(error)) reply.headers({ "retry-after": `${retryAfterS}`, "x-backend-state": "starting" });
  return reply.status(statuses[error.code] ?? error.status).send({ detail: error.message });
}
