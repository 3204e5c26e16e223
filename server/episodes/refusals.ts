/** The errors with which an episode refuses a call. */
import type { AnyEnvironmentSpec } from "../../envs/env.js";
import { type ErrorBody, GymError, shown } from "../errors.js";
import { type Question, queryOf } from "../hosts/protocol.js";
import type { Phase } from "../log/episode-state.js";

/** Returns the reason why an episode takes no further step, or null if the episode takes steps. */
export function refusalOf(id: string, phase: Phase, failure: ErrorBody | null): GymError | null {
  switch (phase) {
    case "running":
      return null;
    case "closed":
      return new GymError("EPISODE_CLOSED", "an open episode", `${id}, which was deleted`);
    case "ended":
      return new GymError("EPISODE_ENDED", "a running episode", `${id}, which has ended`);
    case "failed": {
      const { code, message } = failure as ErrorBody;
      const received = `${id}, which failed: ${code}: ${message}`;
      return new GymError("EPISODE_FAILED", "a running episode", received, { failure });
    }
  }
}

/** Returns the reason why an environment cannot answer the question, or null if the environment can answer. */
export function refusalToAnswer(spec: AnyEnvironmentSpec, question: Question): GymError | null {
  if (question === "expert")
    return spec.expert ? null : new GymError("EXPERT_MISSING", "an environment with an expert", spec.id);
  if (question === "render")
    return spec.render ? null : new GymError("RENDER_MISSING", "an environment that draws pictures", spec.id);
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

/** Returns the error that ends an episode that cannot be restored. @param why clause for the message */
export function lost(why: string): GymError {
  return new GymError("EPISODE_LOST", "an environment that can be restored", `one that cannot, and ${why}`);
}
