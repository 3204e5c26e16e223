/** The errors with which an episode refuses a call. */
import type { AnyEnvironmentSpec } from "../../../envs/env.js";
import { type ErrorBody, GymError, shown } from "../../errors.js";
import { type Question, queryOf } from "../../hosts/protocol.js";
import { keyOf } from "../../log/records/episode-id.js";
import type { Phase } from "../../log/records/episode-state.js";
import type { StepWaiter } from "./waiting.js";

/** Returns the error for a further step of an episode, or null if the episode takes steps. */
export function refusalOf(id: string, phase: Phase, failure: ErrorBody | null): GymError | null {
  switch (phase) {
    case "running":
      return null;
    case "closed":
      return GymError.ofState("EPISODE_CLOSED", `The episode ${id} was deleted.`);
    case "ended":
      return GymError.ofState("EPISODE_ENDED", `The episode ${id} has ended.`);
    case "failed": {
      const { code, message } = failure as ErrorBody;
      return GymError.ofState("EPISODE_FAILED", `The episode ${id} has failed: ${code}: ${message}`, { failure });
    }
  }
}

/** Returns the error for a question that the environment cannot answer, or null if it can answer. */
export function refusalToAnswer(spec: AnyEnvironmentSpec, question: Question): GymError | null {
  if (question === "expert")
    return spec.expert ? null : GymError.ofState("EXPERT_MISSING", `The environment ${spec.id} has no expert.`);
  if (question === "render")
    return spec.render ? null : GymError.ofState("RENDER_MISSING", `The environment ${spec.id} draws no pictures.`);
  const { id, queries = {} } = spec;
  const query = queryOf(question) as string;
  if (Object.hasOwn(queries, query)) return null;
  const known = Object.keys(queries).join(", ") || "none";
  return new GymError("QUERY_UNKNOWN", `one of ${id}'s queries: ${known}`, shown(query));
}

/** Returns the error for a repeated step whose action differs from the action taken. */
export function conflict(index: number, taken: string, received: string): GymError {
  return new GymError("STEP_CONFLICT", `step ${index} with the action ${shown(taken)}`, shown(received));
}

/** Returns the error of an episode that cannot be restored. @param why end of the message: a clause with a period */
export function lost(why: string): GymError {
  return GymError.ofState("EPISODE_LOST", `The environment cannot be replayed, and ${why}`);
}

/** Returns the error for an episode that another gym of the fleet has. */
export function elsewhere(id: string): GymError {
  return GymError.ofState("EPISODE_ELSEWHERE", `Another gym of the fleet has the episode ${id}.`, { episodeId: id });
}

/** Returns the error of an opening that ends because its caller has gone. */
export function callerGone(): GymError {
  return GymError.ofState("CALLER_GONE", "The caller disconnected before the episode was open.");
}

export function isCallerGone(error: unknown): boolean {
  return error instanceof GymError && error.code === "CALLER_GONE";
}

/**
 * Returns a waiter for a step that is in flight, for a caller who sent another action for the same index. The conflict is
 * certain only when the step is in the log: a step that the log refuses leaves its index to the next caller.
 */
export function conflicting(index: number, taken: string, received: string, waiter: StepWaiter): StepWaiter {
  return {
    resolve: () => waiter.reject(conflict(index, taken, received)),
    reject: (error) => waiter.reject(error),
  };
}

export function isElsewhere(error: unknown): error is GymError & { code: "EPISODE_ELSEWHERE" } {
  return error instanceof GymError && error.code === "EPISODE_ELSEWHERE";
}

/** Whether a gym has refused to carry out a request because it is about to end. */
export function isDraining(error: unknown): error is GymError & { code: "SERVER_DRAINING" } {
  return error instanceof GymError && error.code === "SERVER_DRAINING";
}

/** Returns the id of the episode that an error EPISODE_ELSEWHERE names, or null for any other error. */
export function episodeElsewhere(error: unknown): string | null {
  const { code, details } = error as Partial<ErrorBody>;
  const id = code === "EPISODE_ELSEWHERE" ? details?.episodeId : undefined;
  return typeof id === "string" && keyOf(id) !== null ? id : null;
}
