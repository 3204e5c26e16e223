/**
 * Serves each environment as a Gymnasium server of NeMo Gym, at `/nemo-gym/<environment>` and at the root of a port of its
 * own. NeMo Gym's `gymnasium_agent` works unchanged. A cookie names the session of a rollout.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Sessions, type SessionsOptions } from "../../adapter/sessions.js";
import { specOf, splitOf } from "../../episodes/episode/tasks.js";
import type { Gym } from "../../episodes/gym.js";
import { GymError } from "../../errors.js";
import { tellAbout } from "../plugins/about-requests.js";
import { reported } from "../plugins/error-replies.js";
import { clientOf } from "../plugins/http-client.js";
import { operationIdOf } from "../plugins/openapi.js";
import { cookieOf, type Seat, seatIn } from "./nemo-gym/cookie.js";
import { aggregatedMetrics } from "./nemo-gym/metrics.js";
import { Player } from "./nemo-gym/player.js";
import { sendError, typedError } from "./nemo-gym/results.js";
import { rowsOf } from "./nemo-gym/rows.js";
import { MetricsBody, ResetBody, ResetReply, RowsQuery, StepBody, StepReply } from "./nemo-gym/schemas.js";

const sessionOptions: SessionsOptions = { namespace: "nemo-gym", ids: "random", idleMs: 3_600_000 };

export async function registerNemoGym(
  app: FastifyInstance,
  gym: Gym,
  onError: (error: GymError) => void,
): Promise<void> {
  const sessions = await Sessions.start(gym, sessionOptions);
  app.addHook("onClose", async () => sessions.stop());
  await app.register(
    async (scope) => {
      scope.setErrorHandler((error: FastifyError, request, reply) =>
        sendError(reply, reported(typedError(error), { log: request.log, onError }, request)),
      );
      scope.addHook("onRoute", (route) => {
        route.schema = { ...route.schema, operationId: operationIdOf(route.url.slice(1)) };
      });
      tellAbout(scope, { keyOf: (request) => seatOf(request)?.session ?? null, mayRepeat });
      registerRollouts(scope, gym, new Player(sessions, gym.sharing !== null));
      registerRuns(scope, gym);
    },
    { prefix: "/nemo-gym/:environment" },
  );
}

/** A step with the id of its request is taken once. */
function mayRepeat({ body, routeOptions }: FastifyRequest): boolean {
  const { _ng_step_request_id: id } = (body ?? {}) as { _ng_step_request_id?: unknown };
  return routeOptions.url?.endsWith("/step") !== true || typeof id === "string";
}

const PathParams = z.object({ environment: z.string().max(200) });

function answers(summary: string, reply: z.ZodType, takes: { body?: z.ZodType; querystring?: z.ZodType } = {}) {
  return { schema: { tags: ["nemo-gym"], summary, params: PathParams, ...takes, response: { 200: reply } } };
}

function nameIn({ params }: FastifyRequest): string {
  return (params as z.output<typeof PathParams>).environment;
}

function registerRollouts(app: FastifyInstance, gym: Gym, player: Player): void {
  const reset = answers("Opens an episode, and sets the cookie of its session.", ResetReply, { body: ResetBody });
  app.post("/reset", reset, async (request, reply) => {
    const spec = specOf(gym.registry, nameIn(request));
    const body = request.body as z.output<typeof ResetBody>;
    const from = { seat: seatOf(request), client: clientOf(reply) };
    return sendWith(request, reply, await player.reset(request.caller.owner, spec, body, from));
  });

  const step = answers("Takes the steps of a model's response.", StepReply, { body: StepBody });
  app.post("/step", step, async (request, reply) => {
    const body = request.body as z.output<typeof StepBody>;
    const seat = neededSeat(request);
    const spec = specOf(gym.registry, nameIn(request));
    return sendWith(request, reply, await player.step(request.caller.owner, spec, seat, body));
  });

  app.post("/close", answers("Closes the episode of a session.", z.object({})), async (request) => {
    const seat = neededSeat(request);
    await player.close(request.caller.owner, specOf(gym.registry, nameIn(request)), seat);
    return {};
  });
}

function seatOf(request: FastifyRequest): Seat | null {
  return seatIn(request, nameIn(request));
}

/** @throws {GymError} REQUEST_INVALID */
function neededSeat(request: FastifyRequest): Seat {
  const seat = seatOf(request);
  if (seat) return seat;
  throw new GymError("REQUEST_INVALID", "the cookie of the reply to /reset", "no such cookie");
}

function sendWith(request: FastifyRequest, reply: FastifyReply, { reply: body, seat }: { reply: object; seat: Seat }) {
  return reply.header("set-cookie", cookieOf(nameIn(request), seat)).send(body);
}

/** Registers what a run needs besides its rollouts. */
function registerRuns(app: FastifyInstance, gym: Gym): void {
  const health = answers("Says that the environment is served.", z.object({ status: z.literal("ok") }));
  app.get("/health", health, async (request) => {
    specOf(gym.registry, nameIn(request));
    return { status: "ok" };
  });

  const rows = { tags: ["nemo-gym"], summary: "Lists tasks as the rows of a dataset.", params: PathParams };
  app.get("/rows", { schema: { ...rows, querystring: RowsQuery } }, async (request, reply) => {
    const spec = specOf(gym.registry, nameIn(request));
    const { split, from, limit } = request.query as z.output<typeof RowsQuery>;
    const lines = rowsOf(spec, splitOf(spec, split), from, limit).map((row) => `${JSON.stringify(row)}\n`);
    return reply.type("application/x-ndjson").send(lines.join(""));
  });

  const metrics = answers("Returns statistics over rollouts.", z.record(z.string(), z.unknown()), {
    body: MetricsBody,
  });
  app.post("/aggregate_metrics", { ...metrics, bodyLimit: largestRun }, async (request) =>
    aggregatedMetrics((request.body as z.output<typeof MetricsBody>).verify_responses),
  );
}

/** Largest size in bytes of the rollouts of one run. */
const largestRun = 16 * 2 ** 20;
