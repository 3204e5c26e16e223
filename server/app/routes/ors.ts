/**
 * Serves the Open Reward Standard at the root of the host, because its clients cannot send a path prefix. The header
 * `X-Deployment` or the path chooses the environment, `X-Session-ID` the session, and `X-API-Key` has the token.
 */
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { namesOf, requestOf } from "../../adapter/create-request.js";
import { offeredTools } from "../../adapter/moves.js";
import { toolsOfEpisode } from "../../adapter/play.js";
import { SessionError } from "../../adapter/session-error.js";
import { idOf, nameOf } from "../../adapter/session-ids.js";
import { Sessions, type SessionsOptions } from "../../adapter/sessions.js";
import type { CreateRequest } from "../../episodes/episode-factory.js";
import type { Gym } from "../../episodes/gym.js";
import { GymError, shown } from "../../errors.js";
import { version } from "../../version.js";
import { tellAbout } from "../plugins/about-requests.js";
import { reported } from "../plugins/error-replies.js";
import { clientOf } from "../plugins/http-client.js";
import { operationIdOf } from "../plugins/openapi.js";
import { eventText, streamHeaders } from "./ors/call-stream.js";
import { Calls } from "./ors/calls.js";
import { environmentOf, environmentOfTask } from "./ors/deployment.js";
import { promptBlocks, sendError, toolsReply } from "./ors/results.js";
import { Blocks, Call, CreateSession, SessionReply, Tools } from "./ors/schemas.js";
import { registerTaskRoutes } from "./task-routes.js";

type OnError = (error: GymError) => void;

const sessionOptions: SessionsOptions = { namespace: "ors", ids: "random", idleMs: 3_600_000 };

/** Paths of an environment's routes: with the environment in the path, and without. */
const bases = ["", "/:environment"];

export async function registerOrs(app: FastifyInstance, gym: Gym, onError: OnError): Promise<void> {
  const sessions = await Sessions.start(gym, sessionOptions);
  app.addHook("onClose", async () => sessions.stop());
  await app.register(async (scope) => {
    const told = (error: Error, request: FastifyRequest) => reported(error, { log: request.log, onError }, request);
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      sendError(reply, error instanceof SessionError ? error : told(error, request)),
    );
    scope.addHook("onRoute", (route) => {
      route.schema = { ...route.schema, operationId: operationIdOf(`ors${route.url}`) };
    });
    acceptEmptyBodies(scope);
    tellAbout(scope, { keyOf: keyIn, mayRepeat });
    const calls = new Calls({ gym, told: (error, request) => messageOf(error, () => told(error, request)) });
    registerServer(scope, gym);
    registerSessions(scope, { gym, sessions, calls });
    for (const base of bases) {
      registerEnvironment(scope, base, { gym, sessions, calls });
      registerTaskRoutes(scope, { tag: "ors", base, specOf: (request) => environmentOf(gym, request) });
    }
  });
}

/** A request for a new session may have the header of an earlier one. */
function keyIn({ headers, routeOptions }: FastifyRequest): number | null {
  const { "x-session-id": name } = headers;
  return typeof name === "string" && routeOptions.url !== "/create_session" ? idOf(name) : null;
}

/** A call without an id is a step without a number. All other requests may be repeated. */
function mayRepeat({ body, routeOptions }: FastifyRequest): boolean {
  return !routeOptions.url?.endsWith("/call") || typeof (body as { task_id?: unknown } | null)?.task_id === "string";
}

/** The Python client sends requests without a body with the content type of bytes. */
function acceptEmptyBodies(app: FastifyInstance): void {
  app.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(new GymError("REQUEST_MEDIA_TYPE", "the content type application/json", shown("application/octet-stream")));
  });
}

function messageOf(error: Error, told: () => GymError): string {
  if (error instanceof SessionError) return error.message;
  const { code, failureClass, message } = told();
  return `${code} (${failureClass}): ${message}`;
}

interface Parts {
  gym: Gym;
  sessions: Sessions;
  calls: Calls;
}

function answers(summary: string, reply: z.ZodType, body?: z.ZodType) {
  return { schema: { tags: ["ors"], summary, ...(body && { body }), response: { 200: reply } } };
}

function registerServer(app: FastifyInstance, gym: Gym): void {
  const status = z.object({ status: z.literal("ok") });
  const health = answers("Says that the server answers.", status);
  app.get("/health", { ...health, config: { public: true } }, async () => ({ status: "ok" }));
  const versions = z.object({ version: z.string(), build_sha: z.null() });
  app.get("/version", answers("Returns the version of the gym.", versions), async () => ({ version, build_sha: null }));
  app.get("/list_environments", answers("Lists the environments.", z.array(z.string())), async () =>
    namesOf(gym.registry),
  );
}

function registerSessions(app: FastifyInstance, { gym, sessions, calls }: Parts): void {
  const opening = { schema: { tags: ["ors"], summary: "Returns a new session's id as server-sent events." } };
  app.post("/create_session", opening, async (request, reply) => {
    const name = nameOf(await sessions.openNamed(request.caller.owner));
    return reply.headers(streamHeaders).send(eventText("task_id", name) + eventText("end", ""));
  });

  const create = answers("Begins a session's episode. A repeated request has no effect.", SessionReply, CreateSession);
  app.post("/create", create, async (request, reply) => {
    const id = sessionOf(request);
    const { owner } = request.caller;
    const asked = { ...taskRequest(gym, request), near: id };
    // A repeated request finds the episode by its key, and the request for a second task is refused.
    const options = { idempotencyKey: `ors:${nameOf(id)}`, client: clientOf(reply) };
    await sessions.take(owner, id, () => gym.create(owner, asked, options));
    return { sid: nameOf(id) };
  });

  const ping = answers("Renews the lease of a session.", z.object({ status: z.literal("ok") }));
  app.post("/ping", ping, async (request) => {
    await sessions.touch(request.caller.owner, sessionOf(request));
    return { status: "ok" };
  });

  for (const path of ["/delete", "/delete_session"]) {
    app.post(path, answers("Closes a session and its episode.", SessionReply), async (request) => {
      const id = sessionOf(request);
      if (await sessions.close(request.caller.owner, id)) calls.forget(id);
      return { sid: nameOf(id) };
    });
  }
}

function registerEnvironment(app: FastifyInstance, base: string, { gym, sessions, calls }: Parts): void {
  /** The sessions of the environment in the path, or all sessions for a path without one. */
  const sessionsFor = (request: FastifyRequest) => {
    const { environment } = request.params as { environment?: string };
    return environment === undefined ? sessions : sessions.of(environmentOf(gym, request));
  };

  app.get(`${base}/tools`, answers("Lists the tools of an environment.", Tools), async (request) =>
    toolsReply(offeredTools(environmentOf(gym, request), {})),
  );

  app.get(`${base}/task_tools`, answers("Lists the tools of a session's episode.", Tools), async (request) =>
    sessionsFor(request).use(request.caller.owner, sessionOf(request), async ({ episode }) =>
      toolsReply(toolsOfEpisode(episode)),
    ),
  );

  const prompt = answers("Returns the instructions and the first observation.", Blocks);
  app.get(`${base}/prompt`, prompt, async (request) =>
    sessionsFor(request).use(request.caller.owner, sessionOf(request), ({ episode }) => promptBlocks(gym, episode)),
  );

  const summary = "Calls a tool, which is one step. The result comes as server-sent events.";
  const schema = { tags: ["ors"], summary, body: Call };
  app.post(`${base}/call`, { schema }, (request, reply) =>
    calls.answer(sessionsFor(request), sessionOf(request), request, reply),
  );
}

/** @throws {GymError} ENVIRONMENT_UNKNOWN, SPLIT_UNKNOWN */
function taskRequest(gym: Gym, request: FastifyRequest): CreateRequest {
  const { env_name, task_spec, split, index } = request.body as z.output<typeof CreateSession>;
  const spec = environmentOfTask(gym, request, env_name ?? null);
  const { max_steps: maxSteps = null, ...wanted } = task_spec ?? { split, index };
  return requestOf(spec, { ...wanted, maxSteps });
}

/** @throws {GymError} REQUEST_INVALID without the header @throws {SessionError} if it is no id of a session */
function sessionOf({ headers }: FastifyRequest): number {
  const name = headers["x-session-id"];
  if (typeof name !== "string") throw new GymError("REQUEST_INVALID", "the header X-Session-ID", "no such header");
  const id = idOf(name);
  if (id === null) throw new SessionError("unknown", 0);
  return id;
}
