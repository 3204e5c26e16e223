/** The operations of `/v1/runs`: training runs and evaluations, read from the folders of the setting `runs`. */
import { z } from "zod";
import { type ErrorCode, GymError } from "../errors.js";
import type { RunCalls } from "../runs/protocol.js";
import { EpisodesQuery, GroupsQuery, MetricsQuery, RolloutQuery, SearchQuery } from "../runs/queries.js";
import { type Call, operation } from "./operation.js";
import {
  EpisodeRecord,
  EpisodesPage,
  GroupsReply,
  MetricsPage,
  RolloutReply,
  RunList,
  RunName,
  RunReply,
  SearchReply,
} from "./schemas/runs.js";

const runPath = z.object({ run: RunName });
const episodePath = runPath.extend({ index: z.int().min(0).describe("Number of the episode in the file.") });
const rolloutPath = runPath.extend({
  group: z.string().min(1).max(100),
  index: z.int().min(0).describe("Number of the rollout in its group."),
});

const listErrors: ErrorCode[] = ["RIGHT_MISSING", "RUNS_FAILED"];
const runErrors: ErrorCode[] = [...listErrors, "RUN_UNKNOWN", "RUN_DAMAGED"];

export const runOperations = {
  listRuns: operation({
    method: "GET",
    url: "/v1/runs",
    summary: "Lists training runs and evaluations, newest first. A caller with a token needs the right `runs`.",
    reply: RunList,
    errors: listErrors,
    run: (call) => read(call, "list", {}),
  }),

  getRun: operation({
    method: "GET",
    url: "/v1/runs/:run",
    summary: "Describes a run: its settings and, for an evaluation, its report.",
    path: runPath,
    reply: RunReply,
    errors: runErrors,
    run: (call, params) => read(call, "run", params),
  }),

  runMetrics: operation({
    method: "GET",
    url: "/v1/runs/:run/metrics",
    summary: "Returns the metrics of a training run, from a record on. Repeat the call with `next` and `mark`.",
    path: runPath,
    query: MetricsQuery,
    reply: MetricsPage,
    errors: runErrors,
    run: (call, params) => read(call, "metrics", params),
  }),

  runGroups: operation({
    method: "GET",
    url: "/v1/runs/:run/groups",
    summary: "Lists the groups of a train step with their rollouts.",
    path: runPath,
    query: GroupsQuery,
    reply: GroupsReply,
    errors: [...runErrors, "RUN_PART_UNKNOWN"],
    run: (call, params) => read(call, "groups", params),
  }),

  runRollout: operation({
    method: "GET",
    url: "/v1/runs/:run/groups/:group/rollouts/:index",
    summary: "Returns the tokens of a rollout with their log-probabilities, advantages and policy versions.",
    path: rolloutPath,
    query: RolloutQuery,
    reply: RolloutReply,
    errors: [...runErrors, "RUN_PART_UNKNOWN"],
    run: (call, params) => read(call, "rollout", params),
  }),

  runEpisodes: operation({
    method: "GET",
    url: "/v1/runs/:run/episodes",
    summary: "Lists the episodes of an evaluation without their turns, a page at a time.",
    path: runPath,
    query: EpisodesQuery,
    reply: EpisodesPage,
    errors: runErrors,
    run: (call, params) => read(call, "episodes", params),
  }),

  searchRun: operation({
    method: "GET",
    url: "/v1/runs/:run/search",
    summary: "Searches the transcripts of an evaluation for a fraction of a second. Repeat the call with `next`.",
    path: runPath,
    query: SearchQuery,
    reply: SearchReply,
    errors: runErrors,
    run: (call, params) => read(call, "search", params),
  }),

  runEpisode: operation({
    method: "GET",
    url: "/v1/runs/:run/episodes/:index",
    summary: "Returns an episode of an evaluation with its turns.",
    path: episodePath,
    reply: EpisodeRecord,
    errors: [...runErrors, "RUN_PART_UNKNOWN"],
    run: (call, params) => read(call, "episode", params),
  }),
};

/** @throws {GymError} RIGHT_MISSING, and the errors of the run's files */
async function read<Name extends keyof RunCalls>(
  { runs, caller, client }: Call,
  name: Name,
  params: RunCalls[Name],
): Promise<string> {
  if (!caller.mayReadRuns) throw runsRefused();
  return runs.call(name, params, (listener) => client.onGone(listener));
}

export function runsRefused(): GymError {
  return GymError.ofState("RIGHT_MISSING", "The call has no token with the right `runs`.");
}
