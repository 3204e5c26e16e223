import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import { Registry } from "../../envs/registry.js";
import type { Config } from "../config/config.js";
import { privateFolder } from "../config/data-dir.js";
import { OperatorError } from "../config/operator-error.js";
import { type ClientTimes, type Times, usualTimes } from "../config/times.js";
import { Gym } from "../episodes/gym.js";
import type { GymObserver, GymOptions } from "../episodes/gym-options.js";
import type { QuotaHolder } from "../episodes/quotas/quota.js";
import { GymError } from "../errors.js";
import { FleetPart } from "../fleet/fleet-part.js";
import type { Relay } from "../fleet/relay.js";
import { alone } from "../fleet/router.js";
import { isLoopback } from "../formats/loopback.js";
import { logFailure } from "../log/log.js";
import type { LogThreadData } from "../log/records/protocol.js";
import type { Served } from "../operations/operation.js";
import { Runs } from "../runs/runs.js";
import type { LocalToken } from "../tokens/local-token.js";
import type { Tokens } from "../tokens/token-records.js";
import { Fleet } from "./fleet/fleet.js";
import { DatabaseFailed, type GymState, openState } from "./gym-state.js";
import { type AuthOptions, localOwner, refusalOfOwner, registerAuth, tokenFromPath } from "./plugins/auth.js";
import { mergeChunks } from "./plugins/chunked-bodies.js";
import { refuseUnreadable } from "./plugins/client-errors.js";
import { Connections } from "./plugins/connections.js";
import { longestPathPart, refusePath, registerErrorReplies } from "./plugins/error-replies.js";
import { logged } from "./plugins/gym-log.js";
import { registerHealth } from "./plugins/health.js";
import { registerLargeReplies } from "./plugins/large-replies.js";
import { Metrics, registerMetrics } from "./plugins/metrics.js";
import { registerOpenapi } from "./plugins/openapi.js";
import { registerRequestLog } from "./plugins/request-log.js";
import { registerUpgrades, UpgradingRequest } from "./plugins/upgrades.js";
import { registerAgentgym } from "./routes/agentgym.js";
import { registerEvents } from "./routes/events.js";
import { registerExports } from "./routes/exports.js";
import { registerMcp } from "./routes/mcp.js";
import { NemoPorts, pathOnPort } from "./routes/nemo-gym/ports.js";
import { registerNemoGym } from "./routes/nemo-gym.js";
import { type OpenenvOptions, registerOpenenv } from "./routes/openenv.js";
import { registerOrs } from "./routes/ors.js";
import { registerReplay } from "./routes/replay.js";
import { registerRoot } from "./routes/root.js";
import { registerUi } from "./routes/ui.js";
import { registerV1 } from "./routes/v1.js";
import { GymSockets, type SocketProtocol } from "./sockets/gym-socket.js";
import { V1Socket } from "./sockets/v1-socket.js";
import { compilersFactory } from "./validation.js";

declare module "fastify" {
  interface FastifyInstance {
    tokens: Tokens;
    /** Gives all episodes to other gyms, if there are any. See `Sharing.leave`. */
    leaveFleet(giveUpMs: number): Promise<boolean>;
  }
}

export interface AppOptions {
  /** Called when the log fails permanently. After such a failure the gym answers every call with LOG_FAILED. */
  onLogLost?: (error: GymError) => void;
  localToken?: LocalToken;
  /**
   * Milliseconds to wait for a ready host before the app listens. The app does not start if a host ends before any host
   * is ready. Default: 0.
   */
  startingMs?: number;
  /** Environments to serve. Default: the environments in the configuration. */
  registry?: Registry | undefined;
  /** Receives the lines of the gym's log. Default: stdout. */
  logStream?: { write(line: string): void } | undefined;
  /** Default: the usual times. */
  times?: Times | undefined;
}

/**
 * Builds the gym's server for HTTP and WebSocket. The app does not listen yet, so tests can inject requests. Closing
 * the app drains the gym: requests in flight are answered, sockets are closed after their last reply, and the log is
 * flushed.
 *
 * @throws {GymError} LOG_FAILED if the data directory cannot be used, for example because another server uses it
 */
export async function buildApp(config: Config, options: AppOptions = {}): Promise<FastifyInstance> {
  const { onLogLost, localToken, startingMs = 0, logStream, times = usualTimes } = options;
  const registry = options.registry ?? (await Registry.load(config.environments));
  const metrics = new Metrics();
  const onError = (error: GymError) => metrics.onError(error);
  const connections = new Connections({ ...config.sockets, ...config.limits, ...times.clients, onError });
  const app = createApp(config, { connections, onError, logStream, times: times.clients });
  const state = await openStateOf(config, app);
  const { tokens } = state;
  const start = new HostStart(startingMs);
  const observer = start.watching(logged(metrics, app.log));
  const gym = await openGym(config, { registry, state }, { observer, onLogLost, times });
  if (gym.log.warning !== null) app.log.warn(gym.log.warning);
  metrics.watch(gym);
  app.addHook("onReady", () => start.untilReady(gym));
  app.addHook("onClose", () => gym.close().finally(() => state.close()));
  const fleet = openFleet(app, gym, times.fleet.giveUpMs);
  fleet?.count(metrics);
  const relay = fleet?.relay ?? null;
  const served = { gym, runs: openRuns(app, config), judgments: state.judgments, router: fleet?.router ?? alone };

  registerOpenapi(app);
  registerErrorReplies(app, onError);
  registerRequestLog(app);
  const { maxSocketInFlight: maxInFlight, maxBodyBytes: maxPayload } = config.limits;
  const refusalOf = (owner: string) => refusalOfOwner(tokens, owner);
  const sockets = new GymSockets({ connections, ...config.sockets, onSockets: (change) => metrics.onSockets(change) });
  const drain = () => sockets.drain();
  await registerUpgrades(app, { gym, connections, maxPayload, closeMs: times.clients.closeMs, drain, onError });
  connections.register(app);
  registerLargeReplies(app, connections, config.limits.maxUnsentBytes);
  registerCallers(app, config, { tokens, localToken, passedCaller: fleet?.passedCaller });
  registerHealth(app, gym);
  registerMetrics(app, metrics);
  registerPages(app, gym);
  registerV1(app, served);
  registerStreams(app, { served, relay, config, refusalOf, onError });
  fleet?.serveGyms(app, { sockets, served, maxBodyBytes: maxPayload, onError });
  sockets.register(app, new V1Socket({ served, maxInFlight, refusalOf, onError }));
  sockets.register(app, await registerProtocols(app, { gym, relay, refusalOf, onError }));
  listenForNemoGym(app, { config, registry, connections });
  return app;
}

function openFleet(app: FastifyInstance, gym: Gym, giveUpMs: number): Fleet | null {
  app.decorate("leaveFleet", async (leavingMs: number) => (await gym.sharing?.leave(leavingMs)) ?? true);
  return Fleet.open(app, gym, giveUpMs);
}

function registerCallers(
  app: FastifyInstance,
  { auth, host, localExpert }: Config,
  parts: Pick<AuthOptions, "tokens" | "localToken" | "passedCaller">,
): void {
  const loopback = isLoopback(host);
  registerAuth(app, {
    ...parts,
    required: auth === "required" || (auth === "auto" && !loopback),
    loopback,
    localExpert,
  });
}

/** Registers the protocols of other projects, and returns the one that also needs a WebSocket. */
async function registerProtocols(app: FastifyInstance, parts: OpenenvOptions): Promise<SocketProtocol> {
  const { gym, onError } = parts;
  await registerAgentgym(app, gym, onError);
  await registerOrs(app, gym, onError);
  registerMcp(app, gym, onError);
  await registerNemoGym(app, gym, onError);
  return registerOpenenv(app, parts);
}

function listenForNemoGym(
  app: FastifyInstance,
  { config, registry, connections }: { config: Config; registry: Registry; connections: Connections },
): void {
  const { host, nemoGym: ports, limits } = config;
  const { maxConnections } = limits;
  new NemoPorts(app, { host, ports, registry, connections, maxConnections, probeAfterMs }).register();
}

function registerPages(app: FastifyInstance, gym: Gym): void {
  registerRoot(app, gym);
  registerUi(app);
}

interface StreamParts {
  served: Served;
  relay: Relay | null;
  config: Config;
  refusalOf(owner: string): GymError | null;
  onError(error: GymError): void;
}

/** Registers the routes of /v1 whose replies are files, or streams of lines or events. */
function registerStreams(app: FastifyInstance, { served, relay, config, refusalOf, onError }: StreamParts): void {
  const { gym } = served;
  registerReplay(app, gym, onError);
  registerExports(app, served);
  const has = (key: number) => gym.ownership.has(key);
  registerEvents(app, { gym, relay, heartbeatMs: config.sockets.pingMs / 2, refusalOf, has });
}

function openRuns(app: FastifyInstance, config: Config): Runs {
  const runs = new Runs(config.runs);
  app.addHook("onClose", () => runs.close());
  return runs;
}

/**
 * Milliseconds without traffic after which the system probes the peer of a connection. A peer that has vanished while it
 * waited for a reply would otherwise hold its connection until the reply.
 */
const probeAfterMs = 30_000;

interface AppParts extends Pick<AppOptions, "logStream"> {
  connections: Connections;
  onError(error: GymError): void;
  times: ClientTimes;
}

function createApp(
  { logLevel, limits }: Config,
  { connections, onError, logStream, times }: AppParts,
): FastifyInstance {
  const logger = {
    level: logLevel,
    redact: ["req.headers.authorization", 'req.headers["x-api-key"]'],
    ...(logStream && { stream: logStream }),
  };
  const app = Fastify({
    logger: logLevel === "silent" ? false : logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.maxBodyBytes,
    requestTimeout: times.requestMs,
    keepAliveTimeout: times.idleMs,
    http: {
      IncomingMessage: UpgradingRequest,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
      connectionsCheckingInterval: times.lookMs,
    },
    // While the app drains, replies come from the error table, not from the framework.
    return503OnClosing: false,
    rewriteUrl: (request) => pathOnPort(request, tokenFromPath(request)),
    routerOptions: { maxParamLength: longestPathPart },
    schemaController: { compilersFactory },
    frameworkErrors: (_error, request, reply) => {
      connections.add(request.raw, reply.raw);
      refusePath(request, reply, onError);
    },
    clientErrorHandler: (cause, socket) => refuseUnreadable(cause, socket, connections, onError, times.requestMs),
  });
  app.removeContentTypeParser("text/plain");
  mergeChunks(app);
  parseJson(app);
  return app;
}

/** @throws {OperatorError} the token file cannot be read @throws {GymError} LOG_FAILED if the database cannot be used */
async function openStateOf(config: Config, app: FastifyInstance): Promise<GymState> {
  mkdirSync(config.dataDir, { recursive: true, mode: privateFolder });
  try {
    const state = await openState(config, (text) => app.log.warn(text));
    app.decorate("tokens", state.tokens);
    return state;
  } catch (error) {
    throw error instanceof DatabaseFailed ? logFailure(error.message) : error;
  }
}

/** Opens the gym, and closes its state if that fails. */
async function openGym(
  config: Config,
  { registry, state }: { registry: Registry; state: GymState },
  given: Pick<GymOptions, "observer" | "onLogLost" | "times">,
): Promise<Gym> {
  const { tokens, usage } = state;
  const { hosts, sandboxes, limits, leases, log } = config;
  const local: QuotaHolder = { kind: "local", name: localOwner, quota: { maxEpisodes: limits.maxEpisodesPerCaller } };
  const options: GymOptions = {
    registry,
    log: logData(config),
    hosts: {
      count: hosts.count,
      isolation: hosts.isolation,
      passVariables: hosts.passVariables,
      sandboxes,
      stepDeadlineMs: hosts.stepDeadlineMs,
      limits: { memoryMb: hosts.memoryMb, maxReplyLength: limits.maxReplyLength },
    },
    limits,
    defaultLeaseMs: leases.defaultMs,
    quietMs: leases.quietMs,
    sweepMs: leases.sweepMs,
    retainMs: log.retainDays * 86_400_000,
    storage: {
      minFreeBytes: bytesOf(log.minFreeMb),
      maxBytes: log.maxMb * mebibyte,
      maxBytesOf: (owner) => bytesOf(tokens.findById(owner)?.maxLogMb) ?? null,
    },
    quotasOf: (owner) => (owner === localOwner ? { own: local, group: null } : tokens.quotasOf(owner)),
    ...(usage && { usage }),
    share: (log) => new FleetPart(log),
    ...given,
  };
  try {
    return await Gym.open(options);
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** Path of the episode log in a data directory. */
function logData({ dataDir, log, fleet }: Config): LogThreadData {
  if (log.url === undefined) return { path: logPath(dataDir), sync: log.sync };
  return {
    url: log.url,
    durability: log.durability,
    ...(fleet.address !== undefined && { node: { address: fleet.address, isStarting: true } }),
  };
}

export function logPath(dataDir: string): string {
  return join(dataDir, "episodes.db");
}

const mebibyte = 2 ** 20;

function bytesOf(mebibytes: number | undefined): number | undefined {
  return mebibytes === undefined ? undefined : mebibytes * mebibyte;
}

const readyPollMs = 20;

/** Waits until the first host is ready. */
class HostStart {
  private loss: string | undefined;

  constructor(private readonly giveUpMs: number) {}

  /** Returns an observer that records the first loss of a host and passes all events on to `observer`. */
  watching(observer: GymObserver): GymObserver {
    const onHostLost = (cause: string) => {
      this.loss ??= cause;
      observer.onHostLost(cause);
    };
    return { ...observer, onHostLost };
  }

  /** @throws {OperatorError} if a host ended before any host was ready, since its replacements would end too */
  async untilReady(gym: Gym): Promise<void> {
    const givenUpAt = performance.now() + this.giveUpMs;
    while (gym.status.readyHosts === 0 && performance.now() < givenUpAt) {
      if (this.loss !== undefined) throw new OperatorError("a worker thread to load the environments", this.loss);
      await sleep(readyPollMs);
    }
  }
}

function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    // Several HTTP clients send `DELETE` with a JSON content type and no body.
    if (body === "") done(null, undefined);
    else parse(request, body as string, (error, value) => done(error && refusedJson(body as string), value));
  });
}

/**
 * Returns the error for a body that the framework's parser refused: its JSON is invalid, or a key could change a
 * prototype.
 */
function refusedJson(body: string): GymError {
  try {
    JSON.parse(body);
  } catch (error) {
    return new GymError("REQUEST_MALFORMED", "a body of JSON", (error as Error).message);
  }
  const expected = "a body without the keys `__proto__` and `constructor.prototype`";
  return new GymError("REQUEST_MALFORMED", expected, "a body with one of these keys");
}
