/** A gym inside the test process. Requests are injected, without a port or a network. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import type { z } from "zod";
import { type StatePlace, withTokens } from "#palestra/server/app/gym-state.js";
import { loadConfig, type Settings } from "#palestra/server/config/settings.js";
import { usualTimes } from "#palestra/server/config/times.js";
import { type ErrorBody, errorTable } from "#palestra/server/errors.js";
import type { Operation } from "#palestra/server/operations/operation.js";
import { type OperationName, operations } from "#palestra/server/operations/operations.js";
import type { EnvironmentInfo, EnvironmentList, TaskPage } from "#palestra/server/operations/schemas/environment.js";
import type {
  Advice,
  Answer,
  Closed,
  CreateManyReply,
  Episode,
  EpisodePage,
  Picture,
} from "#palestra/server/operations/schemas/episode.js";
import { ErrorReply } from "#palestra/server/operations/schemas/error.js";
import type { Fleet as FleetReply } from "#palestra/server/operations/schemas/fleet.js";
import type { Agreement, Judgment, JudgmentPage, NextPair } from "#palestra/server/operations/schemas/judgment.js";
import type { NoteList } from "#palestra/server/operations/schemas/note.js";
import type { Now } from "#palestra/server/operations/schemas/now.js";
import type { RewardReply } from "#palestra/server/operations/schemas/reward.js";
import type {
  EpisodeRecord,
  EpisodesPage,
  GroupsReply,
  MetricsPage,
  RolloutReply,
  RunList,
  RunReply,
  SearchReply,
} from "#palestra/server/operations/schemas/runs.js";
import type { SeatView } from "#palestra/server/operations/schemas/seat.js";
import type { Opening, StepManyReply, StepReply, Transcript } from "#palestra/server/operations/schemas/step.js";
import type { Usage } from "#palestra/server/operations/schemas/usage.js";
import type { TokenOptions, Tokens, tokenRights } from "#palestra/server/tokens/token-records.js";
import { databaseOfTests } from "./postgres.js";
import { whenDone } from "./when-done.js";

interface Replies {
  listEnvironments: z.output<typeof EnvironmentList>;
  getEnvironment: z.output<typeof EnvironmentInfo>;
  listTasks: z.output<typeof TaskPage>;
  create: z.output<typeof Episode>;
  createMany: z.output<typeof CreateManyReply>;
  list: z.output<typeof EpisodePage>;
  get: z.output<typeof Episode>;
  opening: z.output<typeof Opening>;
  transcript: z.output<typeof Transcript>;
  step: z.output<typeof StepReply>;
  stepMany: z.output<typeof StepManyReply>;
  seat: z.output<typeof SeatView>;
  seatStep: z.output<typeof SeatView>;
  note: z.output<typeof NoteList>;
  score: z.output<typeof RewardReply>;
  fork: z.output<typeof Episode>;
  expert: z.output<typeof Advice>;
  render: z.output<typeof Picture>;
  query: z.output<typeof Answer>;
  close: z.output<typeof Closed>;
  judge: z.output<typeof Judgment>;
  listJudgments: z.output<typeof JudgmentPage>;
  nextPair: z.output<typeof NextPair>;
  agreement: z.output<typeof Agreement>;
  usage: z.output<typeof Usage>;
  now: z.output<typeof Now>;
  listRuns: z.output<typeof RunList>;
  getRun: z.output<typeof RunReply>;
  runMetrics: z.output<typeof MetricsPage>;
  runGroups: z.output<typeof GroupsReply>;
  runRollout: z.output<typeof RolloutReply>;
  runEpisodes: z.output<typeof EpisodesPage>;
  searchRun: z.output<typeof SearchReply>;
  runEpisode: z.output<typeof EpisodeRecord>;
  getFleet: z.output<typeof FleetReply>;
}

export type EpisodeReply = Replies["get"];
export type Params = Record<string, unknown>;

interface Documented {
  responses: Record<string, { description: string }>;
}

/** Options of a call in addition to its parameters. */
export interface Sent {
  token?: string | undefined;
  headers?: Record<string, string>;
}

/** Returns the path of a fixture environment, such as `faulty` or `plain`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/environments/${name}.mjs`, import.meta.url));
}

/** Makes a folder that is removed at the end of the test, or of the file outside of a test. */
export function scratchDir(): string {
  const path = mkdtempSync(join(tmpdir(), "palestra-test-"));
  whenDone(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Opens a gym that is closed at the end of the test, or of the file outside of a test. */
export async function openGym(settings: Settings = {}, dataDir = scratchDir(), times = usualTimes): Promise<TestGym> {
  const url = await databaseOfTests(dataDir);
  const log = { ...(url !== undefined && { url }), ...(settings.log as object | undefined) };
  const flags = { logLevel: "silent", hosts: { count: 1 }, ...settings, dataDir, log };
  const config = loadConfig({ env: {}, flags });
  // The app takes half a second to load, and many test files do not need it.
  const { buildApp } = await import("#palestra/server/app/app.js");
  const gym = new TestGym(await buildApp(config, { times }), config, settings, times);
  whenDone(() => gym.close());
  return gym;
}

export class TestGym {
  constructor(
    readonly app: FastifyInstance,
    private readonly place: StatePlace,
    private readonly settings: Settings,
    private readonly times = usualTimes,
  ) {}

  get dataDir(): string {
    return this.place.dataDir;
  }

  /** Calls an operation over HTTP, and checks that the reply is documented and fits its schema. */
  async send(name: OperationName, params: Params = {}, { token, headers }: Sent = {}): Promise<LightMyRequestResponse> {
    const { method, url, query, body, header } = operations[name] as Operation;
    const rest = { ...params };
    const take = (key: string) => {
      const value = rest[key];
      delete rest[key];
      return value;
    };
    const path = url.replace(/:([A-Za-z]+)/g, (_, key) => encodeURIComponent(String(take(key))));
    const key = "idempotencyKey" in header.shape ? take("idempotencyKey") : undefined;
    const search = Object.keys(query.shape).filter((key) => key in rest);
    const response = await this.app.inject({
      method,
      url: path,
      query: Object.fromEntries(search.map((key) => [key, String(take(key))])),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { "idempotency-key": String(key) }),
        ...headers,
      },
      ...(body && { payload: rest }),
    });
    await this.checkReply(name, response);
    return response;
  }

  /** Makes a call that has to succeed, and returns the text of its reply. */
  async text(name: OperationName, params: Params = {}, sent: Sent = {}): Promise<string> {
    const { statusCode, payload } = await this.send(name, params, sent);
    expect(statusCode, payload).toBe(200);
    return payload;
  }

  /** Makes a call that has to succeed, and returns its reply. */
  async call<Name extends OperationName>(name: Name, params: Params = {}, sent: Sent = {}): Promise<Replies[Name]> {
    return JSON.parse(await this.text(name, params, sent)) as Replies[Name];
  }

  /** Makes a call that has to fail, and returns its error. */
  async refusal(name: OperationName, params: Params = {}, sent: Sent = {}): Promise<ErrorBody> {
    const { statusCode, payload } = await this.send(name, params, sent);
    expect(statusCode, payload).not.toBe(200);
    return (JSON.parse(payload) as { error: ErrorBody }).error;
  }

  /** Creates an episode, by default of TextCraft's first task. */
  create(params: Params = {}, sent: Sent = {}): Promise<EpisodeReply> {
    return this.call("create", { environment: "textcraft", task: { split: "all", index: 0 }, ...params }, sent);
  }

  /** Takes a step, and returns the text of the reply. */
  step(episodeId: string, index: number, action: string, sent: Sent = {}): Promise<string> {
    return this.text("step", { episodeId, index, action }, sent);
  }

  /** Changes the gym's tokens and groups, as the command `palestra token` does. */
  changeTokens<T>(change: (tokens: Tokens) => T | Promise<T>): Promise<T> {
    return withTokens(
      this.place,
      () => {},
      async ({ tokens }) => change(tokens),
    );
  }

  /** Creates a token. Call it before the first request with any token, since a server caches its tokens for a second. */
  async createToken(
    rights: (typeof tokenRights)[number][] = [],
    maxEpisodes = 100,
    limits: Partial<TokenOptions> = {},
  ): Promise<string> {
    const options = { name: "ada", rights, maxEpisodes, ...limits };
    return (await this.changeTokens((tokens) => tokens.create(options))).secret;
  }

  async metric(name: string): Promise<number> {
    const { payload } = await this.app.inject("/metrics");
    const values = payload
      .split("\n")
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .map((line) => Number(line.slice(line.lastIndexOf(" "))));
    expect(values, `the metric ${name}`).not.toEqual([]);
    return values.reduce((sum, value) => sum + value, 0);
  }

  /** Closes this gym, and opens another on the same data. */
  async restart(settings: Settings = this.settings): Promise<TestGym> {
    await this.close();
    return openGym(settings, this.dataDir, this.times);
  }

  async close(): Promise<void> {
    await this.app.close();
  }

  private async checkReply(name: OperationName, { statusCode, payload }: LightMyRequestResponse): Promise<void> {
    const reply: unknown = JSON.parse(payload);
    if (statusCode === 200) {
      expect(operations[name].reply.parse(reply), `a reply of ${name}`).toEqual(reply);
    } else {
      const { code } = checkError(reply, statusCode);
      expect(await this.documentedErrors(name, statusCode), `errors of ${name} with status ${statusCode}`).toContain(
        code,
      );
    }
  }

  private async documentedErrors(name: OperationName, status: number): Promise<string[]> {
    const { method, url } = operations[name];
    const { paths } = (await this.app.openapi()) as unknown as { paths: Record<string, Record<string, Documented>> };
    const documented = paths[url.replace(/:([A-Za-z]+)/g, "{$1}")]?.[method.toLowerCase()];
    return documented?.responses[status]?.description.split(", ") ?? [];
  }
}

/** Checks an error's body against its schema and the error table, and returns it. */
export function checkError(reply: unknown, status?: number): ErrorBody {
  expect(ErrorReply.parse(reply)).toEqual(reply);
  const { error } = reply as { error: ErrorBody };
  expect(errorTable[error.code].class).toBe(error.class);
  if (status !== undefined) expect(errorTable[error.code].status).toBe(status);
  expect(error.message).toMatch(/^(expected .+, but received .+|[A-Z0-9].+\.|The [^:]+: .+)$/s);
  return error;
}

/** Waits until `holds` returns true. Only a hang reaches the limit, also on a busy machine. */
export async function eventually(holds: () => boolean | Promise<boolean>, withinMs = 100_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`expected it within ${withinMs} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
