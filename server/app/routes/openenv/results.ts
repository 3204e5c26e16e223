/** Results, states and errors in the format of OpenEnv's messages. */
import type { z } from "zod";
import type { JsonValue, Tool } from "../../../../envs/env.js";
import { MoveError } from "../../../adapter/moves.js";
import { type Played, promptOfEpisode } from "../../../adapter/play.js";
import { SessionError } from "../../../adapter/session-error.js";
import type { Episode } from "../../../episodes/episode/episode.js";
import { GymError } from "../../../errors.js";
import { toGymError } from "../../plugins/error-replies.js";
import { boundedIssues } from "../../validation.js";
import type { Result, State } from "./schemas.js";

export type OpenenvResult = z.input<typeof Result>;

/** A reset has no reward: clients add up the rewards, and the episode may be one that was taken up again. */
export function resetReply(played: Played): OpenenvResult {
  const prompt = promptOfEpisode(played.episode);
  return { ...stepReply(played, { prompt, ...observationOf(played) }), reward: null };
}

export function stepReply(played: Played, observation: Record<string, unknown> = observationOf(played)): OpenenvResult {
  const { reward, terminated, truncated } = played.newest;
  return { observation, reward, done: terminated || truncated, metadata: metadataOf(played) };
}

/** Reply to a call of a tool, as FastMCP's results are written. */
export function calledReply(played: Played, tool: string): OpenenvResult {
  return stepReply(played, { tool_name: tool, result: callResult(played), error: null });
}

export function callResult({ newest }: Played) {
  const { observation, parts = [] } = newest;
  const images = parts.map((part) =>
    part.type === "image" ? { type: "image", data: part.data, mimeType: part.mediaType } : textOf(part.data),
  );
  return { content: [textOf(observation), ...images], data: observation, is_error: false };
}

function textOf(data: JsonValue) {
  return { type: "text", text: typeof data === "string" ? data : JSON.stringify(data) };
}

/** Reply to a call that no tool takes. The episode is as before. */
export function refusedReply(error: MoveError, tool: string): OpenenvResult {
  const error_type = error.fault === "tool_unknown" ? "tool_not_found" : "invalid_args";
  const observation = { tool_name: tool, result: null, error: { error_type, message: error.message } };
  return { observation, reward: null, done: false, metadata: {} };
}

export function toolsReply(tools: readonly Tool[]): OpenenvResult {
  return { observation: { tools: tools.map(toolReply) }, reward: null, done: false, metadata: {} };
}

/** Clients of different versions read `input_schema` or `inputSchema`. */
export function toolReply({ name, description, parameters }: Tool) {
  return { name, description, input_schema: parameters, inputSchema: parameters };
}

export function stateReply({ row, steps, phase }: Episode): z.input<typeof State> {
  const { environment, split, taskIndex: index, seed, maxSteps: max_steps } = row;
  return { episode_id: row.id, step_count: steps, environment, split, index, seed, max_steps, phase };
}

export const emptyState: z.input<typeof State> = { episode_id: null, step_count: 0 };

function observationOf({ newest: { observation: text, parts } }: Played) {
  return { text, ...(parts && { parts }) };
}

/** Facts for trainers. They stand beside the observation, since clients show the observation to the model. */
function metadataOf({ episode, newest }: Played) {
  const { terminated, truncated, info } = newest;
  return { episode_id: episode.row.id, step_count: episode.steps, terminated, truncated, info };
}

/** Codes of OpenEnv's error frames. The first three and VALIDATION_ERROR are the caller's mistakes. */
type OpenenvCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "SESSION_ERROR"
  | "VALIDATION_ERROR"
  | "CAPACITY_REACHED"
  | "EXECUTION_ERROR";

export interface OpenenvError {
  code: OpenenvCode;
  message: string;
  /** Parts of the message that do not fit. */
  errors?: { loc: string[]; msg: string }[];
  /** Entry of the gym's own error table. It is absent if the protocol itself refuses the message. */
  error?: ReturnType<GymError["toBody"]>;
}

/** Thrown when the protocol refuses a message. */
export class Refusal extends Error {
  constructor(
    readonly code: OpenenvCode,
    message: string,
    readonly errors?: OpenenvError["errors"],
  ) {
    super(message);
  }
}

export function invalidMessage({ issues }: z.ZodError): Refusal {
  const all = issues.map(({ path, message }) => ({ instancePath: path.map(String).join("."), message }));
  const errors = boundedIssues(all).map(({ instancePath, message }) => ({
    loc: instancePath.split("."),
    msg: message,
  }));
  const received = errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  return new Refusal("VALIDATION_ERROR", `expected a message that fits its schema, but received ${received}`, errors);
}

export function errorOf(error: Error): OpenenvError {
  if (error instanceof Refusal) {
    const { code, message, errors } = error;
    return { code, message, ...(errors && { errors }) };
  }
  if (error instanceof MoveError) {
    const { message } = error;
    return {
      code: "VALIDATION_ERROR",
      message,
      error: GymError.reported({ code: "REQUEST_INVALID", message }).toBody(),
    };
  }
  if (error instanceof SessionError) {
    const message = sessionFaults[error.fault];
    const body = GymError.reported({ code: sessionCodes[error.fault], message }).toBody();
    return { code: "SESSION_ERROR", message, error: body };
  }
  const gymError = toGymError(error);
  const code = gymError.failureClass === "capacity" ? "CAPACITY_REACHED" : "EXECUTION_ERROR";
  return { code, message: gymError.message, error: gymError.toBody() };
}

/** Whether the protocol expects an error, which is then no fault of the gym. */
export function isExpected(error: Error): boolean {
  return error instanceof Refusal || error instanceof MoveError || error instanceof SessionError;
}

const sessionCodes = {
  unknown: "EPISODE_UNKNOWN",
  closed: "EPISODE_CLOSED",
  empty: "EPISODE_UNKNOWN",
  finished: "EPISODE_ENDED",
} as const;

const sessionFaults = {
  unknown: "expected the id of an open session, but received an unknown one",
  closed: "expected the id of an open session, but received that of a closed one",
  empty: "expected a reset before the first step, but received a step",
  finished: "expected a reset after the end of the episode, but received a step",
};
