/** The part of the library `palestra` that plays in process: a gym without a command line, and single environments. */
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions } from "fastify";
import type { z } from "zod";
import type { AnyEnvironmentSpec, Options, ResetResult, StepResult, TaskRef } from "../../envs/env.js";
import { checkTask, defaultSplit, fillOptions, promptOf, Registry, toolsOf } from "../../envs/registry.js";
import { createAsyncWrapped, createWrapped } from "../../envs/shared/wrappers/wrap.js";
import { buildApp } from "../app/app.js";
import type { Config } from "../config/config.js";
import { openDataDir } from "../config/data-dir.js";
import { loadConfig } from "../config/settings.js";
import { ask } from "../hosts/answer.js";
import { openSandboxes } from "../hosts/sandboxes.js";
import { LocalToken } from "../tokens/local-token.js";

/** Settings of a gym, as in a file for `palestra --config`. server/README.md lists them. */
export type GymSettings = z.input<typeof Config>;

export interface LocalGym {
  /** URL of the gym after `listen`; undefined before. */
  readonly url: string | undefined;
  /** Data directory, with the episode log. Programs of this user find there the token for the rights of the gym's user. */
  readonly dataDir: string;
  /**
   * Listens for HTTP and WebSocket connections.
   *
   * @param address default: the settings `host` and `port`. Port 0, the library's default, takes a free port
   * @returns the URL of the gym
   */
  listen(address?: { host?: string; port?: number }): Promise<string>;
  /** Calls a route in process, as the global `fetch` does over the network: `gym.fetch("/v1/environments")`. */
  fetch(path: string, init?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<Response>;
  /** Answers the requests in flight, closes the sockets and flushes the log. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a gym in this process. Other than `palestra serve`, it reads no environment variables and handles no signals.
 *
 * @param settings by default the gym logs warnings only, and its data directory is a temporary one that `close` removes
 * @throws {ConfigError} an unknown setting or value
 * @throws {OperatorError} the data directory cannot be used
 * @throws {GymError} LOG_FAILED: another gym uses the data directory
 */
export async function createGym(settings: GymSettings = {}): Promise<LocalGym> {
  const scratch = settings.dataDir === undefined ? mkdtempSync(join(tmpdir(), "palestra-")) : undefined;
  const removeScratch = () => scratch !== undefined && rmSync(scratch, { recursive: true, force: true });
  try {
    const defaults = { port: 0, logLevel: "warn", ...(scratch !== undefined && { dataDir: scratch }) };
    const config = loadConfig({ env: {}, flags: { ...defaults, ...settings } });
    openDataDir(config.dataDir);
    return await openGym(config, removeScratch);
  } catch (error) {
    removeScratch();
    throw error;
  }
}

async function openGym(config: Config, onClosed: () => void): Promise<LocalGym> {
  const localToken = new LocalToken(config.dataDir);
  const app = await buildApp(config, { localToken });
  try {
    await app.ready();
  } catch (error) {
    // Otherwise the gym's threads would keep this process running, and its log would stay locked.
    await app.close().catch(() => {});
    throw error;
  }
  let url: string | undefined;
  let closing: Promise<void> | undefined;
  const shut = async () => {
    localToken.withdraw();
    await app.close();
    onClosed();
  };
  const close = () => {
    closing ??= shut();
    return closing;
  };
  return {
    get url() {
      return url;
    },
    dataDir: config.dataDir,
    async listen({ host = config.host, port = config.port } = {}) {
      url = await app.listen({ host, port });
      localToken.publish(host, (app.server.address() as AddressInfo).port);
      return url;
    },
    async fetch(path, { method = "GET", headers = {}, body } = {}) {
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const request = { method: method as "GET", url: path, headers: { ...json, ...lowerCase(headers) } };
      const reply = await app.inject({ ...request, ...(body !== undefined && { payload: body }) } as InjectOptions);
      return new Response(mayHaveBody(reply.statusCode) ? new Uint8Array(reply.rawPayload) : null, {
        status: reply.statusCode,
        headers: Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether a reply may have a body. `Response` refuses one for other statuses. */
function mayHaveBody(status: number): boolean {
  return ![204, 205, 304].includes(status);
}

export interface EnvironmentSettings {
  /** Modules and definition files with environments of your own, like the setting `environments` of a gym. */
  environments?: readonly string[];
  /** Number of steps after which an episode is truncated. Default: `maxSteps` of the environment. */
  maxSteps?: number;
  /** Time limit of a reset, a step or the expert, in milliseconds. It can only stop environments that wait. */
  timeoutMs?: number;
  /** Settings of the sandboxes, for environments that run commands or browsers. */
  sandboxes?: NonNullable<GymSettings["sandboxes"]>;
}

export interface EpisodeSettings {
  /** Split of the task. Default: that of the environment. */
  split?: string;
  /** Index of the task. Default: 0. */
  index?: number;
  seed?: number;
  options?: Options;
}

/** An environment that is played in this process, one episode at a time. */
export interface LoadedEnvironment {
  readonly spec: AnyEnvironmentSpec;
  /** Returns the instructions for a model. */
  prompt(options?: Options): string;
  /** Returns the tools that the environment offers in addition to text actions. */
  tools(options?: Options): readonly { name: string; description: string }[];
  /** Starts an episode, and ends the one before. */
  reset(episode?: EpisodeSettings): Promise<ResetResult & { task: TaskRef }>;
  /**
   * Takes a step. The time limit truncates the episode.
   *
   * @throws {ResetNeeded} before the first reset
   * @throws {EpisodeOver} after the end of the episode
   */
  step(action: string): Promise<StepResult>;
  /** Returns the expert's next action; null if it has none or the environment has no expert. */
  expert(): Promise<string | null>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Loads an environment to play in this process, without a server, a log or isolation.
 *
 * @param name name as `palestra envs` lists it, such as `textcraft` or `textcraft@1`
 * @throws {UnknownEnvironment} @throws {UnusableModule}
 */
export async function loadEnvironment(name: string, settings: EnvironmentSettings = {}): Promise<LoadedEnvironment> {
  const config = loadConfig({ env: {}, flags: settings.sandboxes ? { sandboxes: settings.sandboxes } : {} });
  const spec = (await Registry.load([...(settings.environments ?? [])])).get(name);
  const sandboxes = openSandboxes(config);
  const context = { now: Date.now };
  const environment = spec.isAsync
    ? createAsyncWrapped(spec, { ...context, sandboxes, record: (act) => act() }, settings.maxSteps)
    : createWrapped(spec, context, settings.maxSteps);
  const limit = () => AbortSignal.timeout(settings.timeoutMs ?? defaultTimeoutMs);
  const close = async () => {
    await environment.close();
    await sandboxes.close();
  };
  return {
    spec,
    prompt: (options = {}) => promptOf(spec, fillOptions(spec, options)),
    tools: (options = {}) => toolsOf(spec, fillOptions(spec, options)),
    async reset({ split = defaultSplit(spec), index = 0, seed = 0, options = {} } = {}) {
      const task = checkTask(spec, { split, index });
      return {
        ...(await environment.reset({ task, seed, options: fillOptions(spec, options, task.split) }, limit())),
        task,
      };
    },
    step: async (action) => environment.step(action, limit()),
    expert: async () => ((await ask(spec, environment.unwrapped, "expert", limit())) as string | undefined) ?? null,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Time limit of a call, in milliseconds. Starting a virtual machine or a browser takes minutes at most. */
const defaultTimeoutMs = 600_000;
