/**
 * A row for each operation of the OpenAPI document: how it could reach another caller's objects. For
 * test/server/owners.test.ts.
 */
import {
  type Ask,
  agentgym,
  episode,
  type Kind,
  nemo,
  openenv,
  openenvSession,
  ors,
  pair,
  post,
  rpc,
} from "./owned-things.js";

/** Requests about an object, and the reason if even its owner may get the reply for an absent object. */
export type ById = { of: Kind; asks: ((id: string) => Ask)[]; mayBeSameForOwner?: string };
/** Requests whose replies list the caller's own objects. */
export type Lists = { lists: Ask[] };
/** Requests that need a right. */
export type Right = { right: "runs"; asks: Ask[] };
/** A row is either the reason why an operation concerns no caller's objects, or the requests that attack it. */
export type Row = string | ById | Lists | Right;

const ofSession = (id: string) => ({ "x-deployment": "textcraft", "x-session-id": id });
const ofCookie = (id: string) => ({ cookie: `palestra-textcraft=${id}.0` });

const byId = (of: Kind, ...asks: ((id: string) => Ask)[]): ById => ({ of, asks });

/** The operations of one environment of AgentGym. */
function agentgymRows(
  name: string,
  kind: Kind,
  field: "id" | "env_idx",
  operations: Record<string, object | null>,
): Record<string, Row> {
  const title = name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
  const rowOf = ([operation, body]: [string, object | null]): [string, Row] => {
    const path = `/agentgym/${name}/${operation}`;
    const key = operation.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    const ask = (id: string): Ask =>
      body === null ? { path: `${path}?${field}=${id}` } : post(path, { [field]: Number(id), ...body });
    const needsSites = name.startsWith("webarena") && operation === "reset";
    const mayBeSameForOwner = needsSites ? "a reset fails on a machine without sites or a browser" : undefined;
    return [`agentgym${title}${key}`, { of: kind, asks: [ask], ...(mayBeSameForOwner && { mayBeSameForOwner }) }];
  };
  return {
    [`agentgym${title}Hello`]: "says which environment it is",
    [`agentgym${title}Create`]: "opens a session of the caller's own",
    ...Object.fromEntries(Object.entries(operations).map(rowOf)),
  };
}

const textcraft = agentgym("textcraft", "id");
const searchqa = agentgym("searchqa", "env_idx", { id: 0 });
const ofOrs = (path: string, body?: unknown) =>
  byId(ors, (id) =>
    body === undefined ? { path, headers: ofSession(id) } : { method: "POST", path, body, headers: ofSession(id) },
  );
const inventory = { name: "inventory", input: {} };
const aboutTasks = "describes tasks, which belong to no caller";
const aboutGym = "describes the gym or an environment";
const formats = ["html", "eval", "atif", "json", "openai", "agentgym", "steps", "preferences"];
const runs = (path: string): Right => ({ right: "runs", asks: [{ path }] });

export const rows: Record<string, Row> = {
  livez: aboutGym,
  readyz: aboutGym,
  root: aboutGym,
  listEnvironments: aboutGym,
  getEnvironment: aboutGym,
  listTasks: aboutTasks,
  getFleet: aboutGym,
  score: "scores answers without an episode",
  create: "opens an episode of the caller's own: see the test of idempotency keys",
  createMany: "opens episodes of the caller's own: see the test of idempotency keys",
  get: byId(episode(), (id) => ({ path: `/v1/episodes/${id}` })),
  opening: byId(episode(), (id) => ({ path: `/v1/episodes/${id}/opening` })),
  transcript: byId(
    episode(),
    (id) => ({ path: `/v1/episodes/${id}/transcript` }),
    (id) => ({ path: `/v1/episodes/${id}/transcript?from=1` }),
  ),
  step: byId(
    episode(),
    // A repeated step, whose stored reply must stay secret, and a new step.
    (id) => post(`/v1/episodes/${id}/step`, { index: 0, action: "again" }),
    (id) => post(`/v1/episodes/${id}/step`, { index: 1, action: "more" }),
  ),
  stepMany: byId(episode(), (id) => post("/v1/stepMany", { steps: [{ episodeId: id, index: 1, action: "more" }] })),
  fork: byId(
    episode(),
    (id) => post(`/v1/episodes/${id}/fork`),
    (id) => post(`/v1/episodes/${id}/fork`, { index: 0 }),
  ),
  expert: byId(episode("babyai"), (id) => ({ path: `/v1/episodes/${id}/expert` })),
  seat: byId(episode("textcraft"), (id) => ({ path: `/v1/episodes/${id}/seats/left` })),
  seatStep: byId(episode("textcraft"), (id) =>
    post(`/v1/episodes/${id}/seats/left/step`, { index: 0, action: "inventory" }),
  ),
  render: byId(episode("babyai"), (id) => ({ path: `/v1/episodes/${id}/render` })),
  query: byId(
    episode(),
    (id) => ({ path: `/v1/episodes/${id}/queries/heard` }),
    (id) => ({ path: `/v1/episodes/${id}/queries/odd` }),
  ),
  replay: byId(episode(), (id) => ({ method: "POST", path: `/v1/episodes/${id}/replay` })),
  exportEpisode: byId(
    episode(),
    ...formats.slice(0, 4).map((format) => (id: string) => ({ path: `/v1/episodes/${id}/export?format=${format}` })),
  ),
  exportEpisodes: byId(
    episode(),
    ...formats.map((format) => (id: string) => post("/v1/export", { format, episodeIds: [id] })),
    ...["best", "all", "judged"].map(
      (pairs) => (id: string) => post("/v1/export", { format: "preferences", pairs, episodeIds: [id] }),
    ),
  ),
  episodeEvents: byId(episode(), (id) => ({ path: `/v1/episodes/${id}/events` })),
  close: byId(episode(), (id) => ({ method: "DELETE", path: `/v1/episodes/${id}` })),
  note: byId(episode(), (id) => post(`/v1/episodes/${id}/notes`, { text: "seen" })),
  judge: byId(pair, (id) => {
    const [left, right] = id.split(",");
    return post("/v1/judgments", { left, right, choice: "left", rater: "ada", note: "seen" });
  }),
  list: {
    lists: [{ path: "/v1/episodes" }, { path: "/v1/episodes?detail=state" }, { path: "/v1/episodes?text=faulty" }],
  },
  listJudgments: { lists: [{ path: "/v1/judgments" }] },
  nextPair: { lists: [{ path: "/v1/judgments/next?rater=somebody" }] },
  agreement: { lists: [{ path: "/v1/judgments/agreement" }] },
  exportJudgments: { lists: [{ path: "/v1/judgments/export" }] },
  gymEvents: byId(episode(), (id) => ({ path: `/v1/events?episode=${id}` })),
  usage: { lists: [{ path: "/v1/usage" }] },
  now: { lists: [{ path: "/v1/now" }] },
  listRuns: runs("/v1/runs"),
  getRun: runs("/v1/runs/one"),
  runMetrics: runs("/v1/runs/one/metrics"),
  runGroups: runs("/v1/runs/one/groups?step=1"),
  runRollout: runs("/v1/runs/one/groups/1/rollouts/0?step=1"),
  runEpisodes: runs("/v1/runs/one/episodes"),
  searchRun: runs("/v1/runs/one/search?q=a"),
  runEpisode: runs("/v1/runs/one/episodes/0"),
  exportRun: runs("/v1/runs/one/export"),
  ...agentgymRows("textcraft", textcraft, "id", {
    reset: { data_idx: 1 },
    step: { action: "inventory" },
    observation: null,
    detail: null,
    close: {},
  }),
  ...agentgymRows("babyai", agentgym("babyai", "id"), "id", {
    reset: { data_idx: 1 },
    step: { action: "turn left" },
    observation: null,
    render: {},
    close: {},
  }),
  ...agentgymRows("sciworld", agentgym("sciworld", "id"), "id", {
    reset: { data_idx: 1 },
    step: { action: "look around" },
    step_visual: { action: "look around" },
    observation: null,
    detail: null,
    action_hint: null,
    goals: null,
    task_description: null,
    object_tree: null,
    state: null,
    close: {},
  }),
  ...Object.assign(
    {},
    ...["webarena", "webarena-lab"].map((name) =>
      agentgymRows(name, agentgym(name, "env_idx"), "env_idx", {
        reset: { seed: 0, idx: 1_000_000 },
        step: { action: "```stop [x]```" },
        observation: null,
        observation_metadata: null,
        close: {},
      }),
    ),
  ),
  ...agentgymRows("searchqa", searchqa, "env_idx", {
    reset: { id: 1 },
    step: { action: "<search>x</search>" },
    observation: null,
    close: {},
  }),
  orsHealth: aboutGym,
  orsVersion: aboutGym,
  orsListEnvironments: aboutGym,
  orsCreateSession: "opens a session of the caller's own",
  orsCreate: ofOrs("/create", { split: "all", index: 4 }),
  orsPing: ofOrs("/ping", {}),
  orsDelete: ofOrs("/delete", {}),
  orsDeleteSession: ofOrs("/delete_session", {}),
  orsTools: aboutGym,
  orsTaskTools: ofOrs("/task_tools"),
  orsPrompt: ofOrs("/prompt"),
  orsCall: ofOrs("/call", inventory),
  orsSplits: aboutTasks,
  orsNumTasks: aboutTasks,
  orsTask: aboutTasks,
  orsTasks: aboutTasks,
  orsTaskRange: aboutTasks,
  orsEnvironmentTools: aboutGym,
  orsEnvironmentTaskTools: ofOrs("/textcraft/task_tools"),
  orsEnvironmentPrompt: ofOrs("/textcraft/prompt"),
  orsEnvironmentCall: ofOrs("/textcraft/call", inventory),
  orsEnvironmentSplits: aboutTasks,
  orsEnvironmentNumTasks: aboutTasks,
  orsEnvironmentTask: aboutTasks,
  orsEnvironmentTasks: aboutTasks,
  orsEnvironmentTaskRange: aboutTasks,
  nemoGymEnvironmentReset: byId(nemo, (id) =>
    post("/nemo-gym/textcraft/reset", { responses_create_params: { input: [] }, split: "all", index: 5 }, ofCookie(id)),
  ),
  nemoGymEnvironmentStep: byId(nemo, (id) => {
    const content = [{ type: "output_text", text: "inventory", annotations: [] }];
    const output = [{ type: "message", id: "m", role: "assistant", status: "completed", content }];
    const response = { id: "r", object: "response", model: "m", output };
    return post("/nemo-gym/textcraft/step", { responses_create_params: { input: [] }, response }, ofCookie(id));
  }),
  nemoGymEnvironmentClose: byId(nemo, (id) => post("/nemo-gym/textcraft/close", {}, ofCookie(id))),
  nemoGymEnvironmentHealth: aboutGym,
  nemoGymEnvironmentRows: aboutTasks,
  nemoGymEnvironmentAggregateMetrics: "computes with the numbers of the request",
  openenvEnvironmentHealth: aboutGym,
  openenvEnvironmentMetadata: aboutGym,
  openenvEnvironmentSchema: aboutGym,
  openenvEnvironmentReset: byId(openenv, (id) => post("/openenv/textcraft/reset", { episode_id: id })),
  openenvEnvironmentStep: byId(
    openenv,
    (id) => post("/openenv/textcraft/step", { episode_id: id, action: { message: "inventory" } }),
    (id) => post("/openenv/textcraft/step", { episode_id: id, action: { message: "inventory", index: 0 } }),
  ),
  openenvEnvironmentState: byId(openenv, (id) => ({ path: `/openenv/textcraft/state?episode_id=${id}` })),
  openenvEnvironmentMcp: byId(
    openenvSession,
    (id) => rpc("tools/list", { session_id: id }),
    (id) => rpc("tools/call", { session_id: id, name: "inventory", arguments: {} }),
    (id) => rpc("openenv/session/close", { session_id: id }),
  ),
  openenvEnvironmentListEnvironments: aboutGym,
  openenvEnvironmentNameSplits: aboutTasks,
  openenvEnvironmentNameNumTasks: aboutTasks,
  openenvEnvironmentNameTask: aboutTasks,
  openenvEnvironmentNameTasks: aboutTasks,
  openenvEnvironmentNameTaskRange: aboutTasks,
};
