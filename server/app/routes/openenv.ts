/**
 * Serves each environment as an OpenEnv server at `/openenv/<environment>`. OpenEnv's clients work unchanged. An episode
 * outlives its socket until its lease lapses, and a reset with its id takes it up again.
 */
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { z } from "zod";
import { idOf } from "../../adapter/session-ids.js";
import { Sessions, type SessionsOptions } from "../../adapter/sessions.js";
import { isElsewhere } from "../../episodes/episode/refusals.js";
import { specOf } from "../../episodes/episode/tasks.js";
import type { Gym } from "../../episodes/gym.js";
import { GymError, shown } from "../../errors.js";
import type { Relay } from "../../fleet/relay.js";
import { keyOf } from "../../log/records/episode-id.js";
import { tellAbout } from "../plugins/about-requests.js";
import { reported, toGymError } from "../plugins/error-replies.js";
import { clientOf } from "../plugins/http-client.js";
import { operationIdOf } from "../plugins/openapi.js";
import { metadataOf, openapiOf, schemas } from "./openenv/documents.js";
import { frameReply } from "./openenv/frames.js";
import { Player } from "./openenv/player.js";
import { errorOf, isExpected } from "./openenv/results.js";
import { handleRpc, rpcFailure, unreadable } from "./openenv/rpc.js";
import { Frame, ResetData, Result, State, StateQuery, StepBody } from "./openenv/schemas.js";
import { framePath } from "./openenv/seat.js";
import { OpenenvSocket } from "./openenv/socket.js";
import { registerTaskRoutes } from "./task-routes.js";

export interface OpenenvOptions {
  gym: Gym;
  relay: Relay | null;
  refusalOf(owner: string): GymError | null;
  onError(error: GymError): void;
}

const sessionOptions: SessionsOptions = { namespace: "openenv", ids: "random", idleMs: 3_600_000 };

/** Registers the routes, and returns the protocol of the socket. */
export async function registerOpenenv(app: FastifyInstance, options: OpenenvOptions): Promise<OpenenvSocket> {
  const { gym, relay, onError } = options;
  const sessions = await Sessions.start(gym, sessionOptions);
  app.addHook("onClose", async () => sessions.stop());
  await app.register(
    async (scope) => {
      scope.setErrorHandler((error: FastifyError, request, reply) => {
        const gymError = reported(error, { log: request.log, onError }, request);
        const isInvalid = hasZodFastifySchemaValidationErrors(error);
        return reply.status(isInvalid ? 422 : gymError.status).send({ ...errorOf(gymError), detail: gymError.message });
      });
      scope.addHook("onRoute", (route) => {
        route.schema = { ...route.schema, operationId: operationIdOf(route.url.slice(1)) };
      });
      scope.addHook("preValidation", async (request) => {
        if (request.method === "POST" && request.body === undefined) request.body = {};
      });
      tellAbout(scope, { keyOf: keyIn, mayRepeat });
      registerDocuments(scope, gym);
      registerEpisodes(scope, gym, sessions);
      await registerRpc(scope, { gym, sessions, onError });
      if (relay) registerFrames(scope, { gym, sessions, onError });
      scope.get("/list_environments", answers("Returns the name.", z.array(z.string())), async (request) => [
        environmentOf(gym, request).id,
      ]);
      registerTaskRoutes(scope, { tag: "openenv", base: "/:name", specOf: (request) => namedTwice(gym, request) });
    },
    { prefix: "/openenv/:environment" },
  );
  return new OpenenvSocket({ ...options, sessions });
}

/** Returns the key of the episode that a request names, or of the session that a request of JSON-RPC names. */
function keyIn({ body, query, params }: FastifyRequest): number | null {
  const named = { ...(params as object), ...(query as object), ...(body as object | undefined) } as {
    episode_id?: unknown;
    params?: { session_id?: unknown };
  };
  const { episode_id: episode } = named;
  const rpcSession = named.params?.session_id;
  if (typeof episode === "string") return keyOf(episode);
  return typeof rpcSession === "string" ? idOf(rpcSession) : null;
}

/** A step with its index is taken once, and so is a reset that names its episode. */
function mayRepeat({ body }: FastifyRequest): boolean {
  const { action, method, episode_id } = (body ?? {}) as { action?: { index?: unknown }; [name: string]: unknown };
  if (action !== undefined) return typeof action.index === "number";
  return episode_id !== undefined || (typeof method === "string" && method !== "tools/call");
}

const PathParams = z.object({ environment: z.string().max(200) });

function answers(summary: string, reply: z.ZodType, takes: { body?: z.ZodType; querystring?: z.ZodType } = {}) {
  return { schema: { tags: ["openenv"], summary, params: PathParams, ...takes, response: { 200: reply } } };
}

/** @throws {GymError} ENVIRONMENT_UNKNOWN */
function environmentOf(gym: Gym, { params }: FastifyRequest) {
  return specOf(gym.registry, (params as z.output<typeof PathParams>).environment);
}

/** The routes of tasks have the name of the environment twice, since OpenEnv's servers have one environment each. */
function namedTwice(gym: Gym, request: FastifyRequest) {
  const spec = environmentOf(gym, request);
  const { name } = request.params as { name: string };
  if (name.toLowerCase() === spec.id) return spec;
  throw new GymError("ENVIRONMENT_UNKNOWN", `the name ${spec.id} again`, shown(name));
}

function registerDocuments(app: FastifyInstance, gym: Gym): void {
  const anything = z.record(z.string(), z.unknown());
  const health = answers("Says that the environment is served.", z.object({ status: z.literal("healthy") }));
  app.get("/health", health, async (request) => {
    environmentOf(gym, request);
    return { status: "healthy" };
  });
  app.get("/metadata", answers("Describes the environment.", anything), async (request) =>
    metadataOf(environmentOf(gym, request)),
  );
  app.get("/schema", answers("Returns the schemas of actions, observations and states.", anything), async (request) => {
    environmentOf(gym, request);
    return schemas();
  });
  app.get("/openapi.json", { schema: { hide: true } }, async (request) => openapiOf(environmentOf(gym, request)));
}

function registerEpisodes(app: FastifyInstance, gym: Gym, sessions: Sessions): void {
  const playerOf = (request: FastifyRequest) =>
    new Player({ gym, sessions, spec: environmentOf(gym, request), owner: request.caller.owner });
  app.post("/reset", answers("Opens an episode.", Result, { body: ResetData }), async (request, reply) =>
    playerOf(request).resetEpisode(request.body as z.output<typeof ResetData>, clientOf(reply)),
  );
  app.post("/step", answers("Takes one step of an episode.", Result, { body: StepBody }), async (request) => {
    const { episode_id, action } = request.body as z.output<typeof StepBody>;
    return playerOf(request).stepEpisode(episode_id, action);
  });
  const state = answers("Returns the state of an episode.", State, { querystring: StateQuery });
  app.get("/state", state, async (request) => {
    const { episode_id } = request.query as z.output<typeof StateQuery>;
    const player = playerOf(request);
    return episode_id === undefined ? { episode_id: null, step_count: 0 } : player.stateOfEpisode(episode_id);
  });
}

interface RpcOptions {
  gym: Gym;
  sessions: Sessions;
  onError(error: GymError): void;
}

async function registerRpc(app: FastifyInstance, { gym, sessions, onError }: RpcOptions): Promise<void> {
  await app.register(async (scope) => {
    // JSON-RPC answers also a body that is not JSON, with status 200.
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const gymError = toGymError(error, request);
      onError(gymError);
      const isBody = ["REQUEST_MALFORMED", "REQUEST_MEDIA_TYPE"].includes(gymError.code);
      if (isElsewhere(gymError)) return reply.status(gymError.status).send(rpcFailure(gymError));
      return reply.status(isBody ? 200 : gymError.status).send(unreadable(gymError.message));
    });
    const schema = { tags: ["openenv"], summary: "Answers a JSON-RPC request.", params: PathParams };
    scope.post("/mcp", { schema }, async (request) => {
      const { owner } = request.caller;
      const spec = environmentOf(gym, request);
      const own = sessions.of(spec);
      const player = new Player({ gym, sessions: own, spec, owner });
      const onFailure = (error: Error) => onError(toGymError(error));
      return handleRpc(request.body, { player, sessions: own, owner, session: null, onError: onFailure });
    });
  });
}

const Left = z.object({ type: z.literal("leave"), idleMs: z.number() });
const FrameBody = z.object({ session: z.int(), frame: z.union([Frame, Left]) });

/** Registers the route for frames of sockets that are connected to other gyms of the fleet. */
function registerFrames(app: FastifyInstance, { gym, sessions, onError }: RpcOptions): void {
  app.route({
    method: "POST",
    url: `/${framePath}`,
    schema: { hide: true, params: PathParams, body: FrameBody },
    // The frame is at most as large as a body, and stands in another one.
    bodyLimit: 2 * (app.initialConfig.bodyLimit as number),
    async handler(request, reply) {
      const { environment } = request.params as z.output<typeof PathParams>;
      if (!request.passed)
        throw new GymError("ROUTE_UNKNOWN", "a route of OpenEnv", `/openenv/${environment}/${framePath}`);
      const { session, frame } = request.body as z.output<typeof FrameBody>;
      const { owner } = request.caller;
      const spec = environmentOf(gym, request);
      const own = sessions.of(spec);
      const player = new Player({ gym, sessions: own, spec, owner });
      const told = (error: Error) => {
        const found = errorOf(error);
        if (!isExpected(error)) reported(error, { log: request.log, onError });
        return found;
      };
      reply.type("application/json");
      return frameReply(frame, {
        player,
        sessions: own,
        owner,
        session,
        client: clientOf(reply),
        told,
        isPassed: true,
      });
    },
  });
}
