/**
 * All operations of `/v1`, with their method and URL, parameters, reply, errors and implementation. `routes/v1.ts` and
 * `sockets/v1-socket.ts` serve this table, and the OpenAPI document is generated from it.
 *
 * An operation returns JSON text, because a step's reply from the log is already text.
 */
import { z } from "zod";
import { ResultWindow } from "../episodes/episode/result-window.js";
import { readResetResult } from "../episodes/episode/results.js";
import { pageOf, specOf, splitOf } from "../episodes/episode/tasks.js";
import { filteredPage, plainPage } from "../episodes/episode-pages.js";
import { ReplyBudget } from "../episodes/step-batch.js";
import { type ErrorCode, GymError } from "../errors.js";
import { environmentList } from "./environment-list.js";
import { fleetOperations } from "./fleet-operations.js";
import { judgmentOperations } from "./judgment-operations.js";
import { noteOperations } from "./note-operations.js";
import { nowOperation } from "./now-operation.js";
import { findErrors, type Operation, operation } from "./operation.js";
import {
  environmentReply,
  episodeReply,
  episodeSummary,
  errorText,
  outcomeText,
  transcriptText,
  wholeReply,
} from "./replies.js";
import { runOperations } from "./run-operations.js";
import { EnvironmentInfo, EnvironmentList, EnvironmentName, TaskPage, TaskQuery } from "./schemas/environment.js";
import {
  Advice,
  Answer,
  Closed,
  CreateBody,
  CreateManyBody,
  CreateManyReply,
  Episode,
  EpisodeId,
  EpisodePage,
  EpisodeQuery,
  ForkBody,
  IdempotencyKey,
  Picture,
  QueryName,
  TranscriptQuery,
} from "./schemas/episode.js";
import { RewardBody, RewardReply } from "./schemas/reward.js";
import { Opening, StepBody, StepManyBody, StepManyReply, StepReply, Transcript } from "./schemas/step.js";
import { Usage } from "./schemas/usage.js";
import { seatOperations } from "./seat-operations.js";

const episodePath = z.object({ episodeId: EpisodeId });
const queryPath = episodePath.extend({ query: QueryName });
const environmentPath = z.object({ environment: EnvironmentName });
const idempotencyHeader = z.object({ idempotencyKey: IdempotencyKey.optional() });

/** Errors of the infrastructure of an environment. */
const engineErrors: ErrorCode[] = [
  "ENVIRONMENT_TIMEOUT",
  "SANDBOX_MISSING",
  "SANDBOX_REFUSED",
  "SANDBOX_START",
  "SANDBOX_TIMEOUT",
  "SANDBOX_LOST",
  "SANDBOX_NO_FILE",
  "SANDBOX_TOO_LARGE",
  "SANDBOX_FULL",
  "SERVICE_FAILED",
];
/** Errors of a new episode that has no room in the log. */
const roomErrors: ErrorCode[] = ["DISK_LOW", "LIMIT_LOG", "LIMIT_TOKEN_LOG"];
const orderErrors: ErrorCode[] = ["STEP_INDEX", "STEP_CONFLICT", "ACTION_TOO_LARGE", "LIMIT_TOKEN_STEPS"];
const stepErrors: ErrorCode[] = [
  ...findErrors,
  "EPISODE_CLOSED",
  "EPISODE_ENDED",
  "EPISODE_FAILED",
  "EPISODE_LOST",
  "HOST_FAILED",
  "SERVER_DRAINING",
  "LIMIT_EPISODES",
  "LIMIT_TOKEN_EPISODES",
  "LIMIT_TOKEN_SANDBOXES",
  "LIMIT_IN_FLIGHT",
  "ENVIRONMENT_THREW",
  "ENVIRONMENT_HUNG",
  "ENVIRONMENT_OUT_OF_MEMORY",
  "ENVIRONMENT_RESULT",
  "ENVIRONMENT_DIVERGED",
  ...engineErrors,
];
const createErrors: ErrorCode[] = [
  "ENVIRONMENT_UNKNOWN",
  "ENVIRONMENT_UNAVAILABLE",
  "SPLIT_UNKNOWN",
  "TASK_OUT_OF_RANGE",
  "OPTION_UNKNOWN",
  "IDEMPOTENCY_CONFLICT",
  "EPISODE_ELSEWHERE",
  "HOST_FAILED",
  "LOG_FAILED",
  "SERVER_DRAINING",
  "LIMIT_EPISODES",
  "LIMIT_TOKEN_EPISODES",
  "LIMIT_TOKEN_SANDBOXES",
  "ENVIRONMENT_THREW",
  "ENVIRONMENT_HUNG",
  "ENVIRONMENT_OUT_OF_MEMORY",
  "ENVIRONMENT_RESULT",
  ...roomErrors,
  ...engineErrors,
];

const get = operation({
  method: "GET",
  url: "/v1/episodes/:episodeId",
  summary: "Returns the state of an episode, for example after a dropped connection.",
  path: episodePath,
  reply: Episode,
  errors: findErrors,
  async run({ gym, caller }, { episodeId }) {
    return JSON.stringify(await wholeReply(gym, caller, await gym.find(caller.owner, episodeId)));
  },
});

const transcript = operation({
  method: "GET",
  url: "/v1/episodes/:episodeId/transcript",
  summary: "Lists the steps of an episode with their replies, a page at a time.",
  path: episodePath,
  query: TranscriptQuery,
  reply: Transcript,
  errors: findErrors,
  async run({ gym, caller }, { episodeId, from, limit }) {
    const { rows, next } = await gym.reader.readSteps(caller.owner, episodeId, from, limit);
    return transcriptText(rows, next);
  },
});

export const operations = {
  listEnvironments: operation({
    method: "GET",
    url: "/v1/environments",
    summary: "Lists the environments of this gym, and whether this machine can run them.",
    reply: EnvironmentList,
    errors: [],
    async run({ gym }) {
      return (await environmentList(gym)).text;
    },
    async bytes({ gym }) {
      return (await environmentList(gym)).bytes;
    },
  }),

  getEnvironment: operation({
    method: "GET",
    url: "/v1/environments/:environment",
    summary: "Describes one environment: splits, limits, prompt, requirements.",
    path: environmentPath,
    reply: EnvironmentInfo,
    errors: ["ENVIRONMENT_UNKNOWN"],
    async run({ gym }, { environment }) {
      return JSON.stringify(await environmentReply(specOf(gym.registry, environment), gym.availability));
    },
  }),

  listTasks: operation({
    method: "GET",
    url: "/v1/environments/:environment/tasks",
    summary: "Lists the tasks of a split, a page at a time.",
    path: environmentPath,
    query: TaskQuery,
    reply: TaskPage,
    errors: ["ENVIRONMENT_UNKNOWN", "SPLIT_UNKNOWN"],
    async run({ gym }, { environment, split, from, limit, text }) {
      return JSON.stringify(await pageOf(splitOf(specOf(gym.registry, environment), split), from, limit, text));
    },
  }),

  create: operation({
    method: "POST",
    url: "/v1/episodes",
    summary: "Opens an episode: resets the environment to a task.",
    header: idempotencyHeader,
    body: CreateBody,
    reply: Episode,
    errors: createErrors,
    async run({ gym, caller, client }, { idempotencyKey, ...request }) {
      const { episode, resetResult } = await gym.create(caller.owner, request, { idempotencyKey, client });
      client.plays?.(episode.row.id);
      return JSON.stringify(await episodeReply(gym, caller, episode, resetResult));
    },
  }),

  createMany: operation({
    method: "POST",
    url: "/v1/createMany",
    summary:
      "Opens many episodes. If a request is repeated with its idempotency key, each entry gives the same episode again.",
    header: idempotencyHeader,
    body: CreateManyBody,
    reply: CreateManyReply,
    errors: [],
    async run({ gym, caller, client }, { idempotencyKey, episodes }) {
      const budget = new ReplyBudget();
      const window = new ResultWindow();
      const results = episodes.map(async (request, i) => {
        // The key differs from every key of a single create request, since those have no line feed.
        const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}\n${i}`;
        let episodeId = "";
        const reply = await window.run(async () => {
          const { episode, resetResult } = await gym.create(caller.owner, request, { idempotencyKey: key, client });
          episodeId = episode.row.id;
          client.plays?.(episodeId);
          return JSON.stringify(await episodeReply(gym, caller, episode, resetResult));
        });
        if (budget.take(reply.length)) return reply;
        throw budget.exceeded("the episode is open, and the details have its id", { episodeId });
      });
      const settled = await Promise.allSettled(results);
      return `{"results":[${settled.map(settledText).join()}]}`;
    },
  }),

  list: operation({
    method: "GET",
    url: "/v1/episodes",
    summary: "Lists the caller's episodes, newest first, a page at a time.",
    query: EpisodeQuery,
    reply: EpisodePage,
    errors: ["EPISODE_UNKNOWN", "LOG_FAILED", "LOG_CORRUPT"],
    async run({ gym, router, caller }, { before, limit, task, since, detail, ...rest }) {
      const sinceMs = since === undefined ? undefined : Date.parse(since);
      const filter = { ...rest, taskIndex: task, sinceMs };
      const { outcome } = filter;
      const isFiltered = Object.values(filter).some((value) => value !== undefined);
      const { rows, next } = await (isFiltered
        ? filteredPage(gym, caller, before, limit, filter)
        : plainPage(gym, caller.owner, before, limit));
      const keys = rows.map(({ key }) => key);
      const needsStates = detail === "state" || outcome !== undefined;
      const states = needsStates ? await router.states(gym, caller, keys) : [];
      const episodes = rows.flatMap((row, i) => {
        const state = states[i];
        // The log's filter does not know which steps were the last.
        if (outcome !== undefined && state?.outcome !== outcome) return [];
        return [{ ...episodeSummary(row), ...(detail === "state" && state && { state }) }];
      });
      return JSON.stringify({ episodes, next });
    },
  }),

  get,

  opening: operation({
    method: "GET",
    url: "/v1/episodes/:episodeId/opening",
    summary: "Returns the result of the reset: the first observation.",
    path: episodePath,
    reply: Opening,
    errors: findErrors,
    async run({ gym, caller }, { episodeId }) {
      return readResetResult(gym.log, (await gym.find(caller.owner, episodeId)).row);
    },
  }),

  transcript,

  step: operation({
    method: "POST",
    url: "/v1/episodes/:episodeId/step",
    summary: "Takes one step. A retry is safe: the same index and action give the stored reply.",
    path: episodePath,
    body: StepBody,
    reply: StepReply,
    errors: [...stepErrors, ...orderErrors],
    run({ gym, caller, client }, request) {
      return new Promise((resolve, reject) => {
        const noted = (reply: string) => {
          client.plays?.(request.episodeId);
          resolve(reply);
        };
        gym.step(caller.owner, request, { resolve: client.plays ? noted : resolve, reject });
      });
    },
  }),

  ...seatOperations({ ofStep: stepErrors, ofOrder: orderErrors }),

  stepMany: operation({
    method: "POST",
    url: "/v1/stepMany",
    summary: "Takes many steps of one or more episodes. Steps of one episode are taken in the given order.",
    body: StepManyBody,
    reply: StepManyReply,
    errors: [],
    run({ gym, caller, client }, { steps }) {
      return new Promise((resolve) => {
        gym.stepMany(caller.owner, steps, (outcomes) => {
          for (const { episodeId } of steps) client.plays?.(episodeId);
          resolve(`{"results":[${outcomes.map(outcomeText).join()}]}`);
        });
      });
    },
  }),

  score: operation({
    method: "POST",
    url: "/v1/rewards",
    summary:
      "Scores answers with the environment's verifier, without an episode, for trainers that generate answers themselves.",
    body: RewardBody,
    reply: RewardReply,
    errors: [
      "ENVIRONMENT_UNKNOWN",
      "ENVIRONMENT_UNAVAILABLE",
      "VERIFIER_MISSING",
      "OPTION_UNKNOWN",
      "LIMIT_IN_FLIGHT",
      "SERVER_DRAINING",
    ],
    async run({ gym, caller, client }, request) {
      const { environment, outcomes } = await gym.score(caller, request, client);
      const budget = new ReplyBudget();
      const results = outcomes.map((outcome) => {
        const text = outcomeText(outcome);
        return budget.take(text.length) ? text : errorText(budget.exceeded("send the answer alone to get its verdict"));
      });
      return `{"environment":${JSON.stringify(environment)},"results":[${results.join()}]}`;
    },
  }),

  fork: operation({
    method: "POST",
    url: "/v1/episodes/:episodeId/fork",
    summary: "Creates an episode that has taken the first steps of this one.",
    path: episodePath,
    body: ForkBody,
    reply: Episode,
    errors: [...stepErrors, ...roomErrors, "STEP_INDEX"],
    async run({ gym, caller, client }, { episodeId, index }) {
      const fork = await gym.fork(caller.owner, episodeId, index);
      client.plays?.(fork.row.id);
      return JSON.stringify(await episodeReply(gym, caller, fork));
    },
  }),

  expert: operation({
    method: "GET",
    url: "/v1/episodes/:episodeId/expert",
    summary:
      "Returns the expert's next action. The call needs a token with the right `expert` and marks the episode for good.",
    path: episodePath,
    reply: Advice,
    errors: [...stepErrors, "RIGHT_MISSING", "EXPERT_MISSING"],
    async run({ gym, caller }, { episodeId }) {
      return JSON.stringify(await gym.advise(caller, episodeId));
    },
  }),

  render: operation({
    method: "GET",
    url: "/v1/episodes/:episodeId/render",
    summary: "Returns a picture of a running episode, for people.",
    path: episodePath,
    reply: Picture,
    errors: [...stepErrors, "RENDER_MISSING"],
    async run({ gym, caller }, { episodeId }) {
      const { index, picture } = await gym.render(caller.owner, episodeId);
      return `{"index":${index},"picture":${picture}}`;
    },
  }),

  query: operation({
    method: "GET",
    url: "/v1/episodes/:episodeId/queries/:query",
    summary:
      "Answers one of the environment's queries about a running episode, without using up a step. A query that gives away the solution needs the right `expert` and marks the episode.",
    path: queryPath,
    reply: Answer,
    errors: [...stepErrors, "QUERY_UNKNOWN", "RIGHT_MISSING"],
    async run({ gym, caller }, { episodeId, query }) {
      const { index, answer } = await gym.query(caller, episodeId, query);
      return `{"index":${index},"answer":${answer}}`;
    },
  }),

  close: operation({
    method: "DELETE",
    url: "/v1/episodes/:episodeId",
    summary: "Closes an episode for good and frees its instance. Its transcript stays.",
    path: episodePath,
    reply: Closed,
    errors: findErrors,
    async run({ gym, caller }, { episodeId }) {
      await (await gym.find(caller.owner, episodeId)).close();
      return JSON.stringify({ episodeId, phase: "closed" });
    },
  }),

  ...noteOperations,
  ...judgmentOperations({ get, transcript }),

  usage: operation({
    method: "GET",
    url: "/v1/usage",
    summary: "Returns what the caller uses of the limits on episodes, steps of the day and bytes in the log.",
    reply: Usage,
    errors: [],
    async run({ gym, caller }) {
      const { bytes, maxBytes } = gym.storage.usageOf(caller.owner);
      const [own, group] = [gym.useOf(caller.owner), gym.groupUseOf(caller.owner)];
      return JSON.stringify({ logBytes: bytes, maxLogBytes: maxBytes, ...own, group });
    },
  }),

  ...nowOperation,
  ...runOperations,
  ...fleetOperations,
};

export type OperationName = keyof typeof operations;

/** Returns the operation of a name that another gym has sent, or null if there is none. */
export function operationNamed(name: string): Operation | null {
  return Object.hasOwn(operations, name) ? (operations[name as OperationName] as Operation) : null;
}

function settledText(result: PromiseSettledResult<string>): string {
  if (result.status === "fulfilled") return result.value;
  if (result.reason instanceof GymError) return errorText(result.reason);
  throw result.reason;
}
