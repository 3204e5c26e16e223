/**
 * The HTTP application of the rollout endpoint. Each rollout has its own model APIs under `/rollouts/:id/v1`. Through
 * other routes, an agent program or its launcher claims rollouts, sends rewards and ends rollouts.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from "fastify";
import type { z } from "zod";
import { foreignPart } from "../foreign-page.js";
import { hangUp, idOf, refuse } from "./http.js";
import { callersOf, registerModelRoutes } from "./model-routes.js";
import { EndpointError, shown } from "./protocol/errors.js";
import { parseBody } from "./protocol/reading.js";
import { EndRequest, FailRequest, RewardRequest, RolloutRequest, TrafficReward } from "./rollout-schemas.js";
import type { Rollouts } from "./rollouts.js";
import { expectTraffic, type MaybeTraffic, trafficCallers } from "./traffic-routes.js";

const maxBodyBytes = 16 * 2 ** 20;
const slowestRequestMs = 60_000;

/**
 * Builds the application, without listening.
 *
 * @param traffic calls without a claimed rollout
 * @param apiKey key that callers must send; undefined if no key is required
 */
export function buildApp(rollouts: Rollouts, traffic: MaybeTraffic, apiKey: string | undefined): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: slowestRequestMs,
    // While the endpoint closes, it sends its own error instead of Fastify's.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
  });
  app.removeContentTypeParser("text/plain");
  app.setNotFoundHandler((request, reply) => {
    const error = new EndpointError(
      "unknown_url",
      `expected a known URL, but received ${request.method} ${request.url}`,
    );
    refuse(reply, error, error.toBody());
  });
  app.setErrorHandler((thrown: FastifyError, _, reply) => {
    const error = endpointError(thrown);
    refuse(reply, error, error.toBody());
  });
  app.addHook("onRequest", async ({ headers }) => {
    if (apiKey !== undefined) expectKey(headers, apiKey);
    else refuseForeignPage(headers);
  });
  registerRollouts(app, rollouts);
  for (const callers of callersOf(rollouts)) registerModelRoutes(app, callers, endpointError);
  registerModelRoutes(app, trafficCallers(traffic), endpointError);
  app.post("/v1/rewards", async (request) => expectTraffic(traffic).reward(body(TrafficReward, request)));
  app.get("/status", async () => ({ ...rollouts.status(), ...("reward" in traffic && { traffic: traffic.status() }) }));
  return app;
}

function registerRollouts(app: FastifyInstance, rollouts: Rollouts): void {
  app.post("/rollouts", async (request, reply) => {
    const { task, mode } = body(RolloutRequest, request);
    const leaving = hangUp(reply);
    const rollout = await rollouts.claim(task, mode, leaving.signal);
    // No other caller has the rollout's id, so nobody else could end it.
    const abandon = () => {
      if (!rollout.outcome) rollout.giveUp("the agent disconnected before it received the rollout");
    };
    if (leaving.signal.aborted) abandon();
    leaving.signal.addEventListener("abort", abandon);
    return reply.status(201).send(rollouts.invitation(rollout));
  });
  app.get("/rollouts/:id", async (request) => rollouts.describe(idOf(request), { renews: true }));
  app.post("/rollouts/:id/reward", async (request) => {
    const rollout = rollouts.open(idOf(request));
    const { reward, call, seat, end, solved } = body(RewardRequest, request);
    rollout.reward(reward, { id: call, seat });
    if (end) rollout.end(solved);
    return rollouts.describe(rollout.id);
  });
  app.post("/rollouts/:id/end", async (request) => {
    const rollout = rollouts.open(idOf(request));
    rollout.end(body(EndRequest, request).solved);
    return rollouts.describe(rollout.id);
  });
  app.post("/rollouts/:id/fail", async (request) => {
    const rollout = rollouts.open(idOf(request));
    rollout.giveUp(body(FailRequest, request).reason);
    return rollouts.describe(rollout.id);
  });
}

/** Parses the body of a request; a missing body counts as an empty object. */
function body<T extends z.ZodType>(schema: T, request: FastifyRequest): z.output<T> {
  return parseBody(schema, request.body ?? {});
}

/** Checks the key of a request: a bearer token, as OpenAI's clients send it, or `x-api-key`, as Anthropic's do. */
function expectKey({ authorization, "x-api-key": key }: IncomingHttpHeaders, apiKey: string): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const sent = [authorization, ...[key].flat().map((each) => each && `Bearer ${each}`)].filter(
    (each) => each !== undefined,
  );
  if (sent.some((each) => timingSafeEqual(digest(each), digest(`Bearer ${apiKey}`)))) return;
  const received = sent.length === 0 ? "neither of these headers" : "a different key";
  throw new EndpointError(
    "invalid_api_key",
    `expected the endpoint's API key as a bearer token or in the header x-api-key, but received ${received}`,
  );
}

/** @throws {EndpointError} origin_refused */
function refuseForeignPage(headers: IncomingHttpHeaders): void {
  const foreign = foreignPart(headers);
  if (foreign === undefined) return;
  throw new EndpointError(
    "origin_refused",
    `expected a program that calls this machine by a loopback address, but received ${foreign}. Set an API key of the endpoint`,
  );
}

function endpointError(error: FastifyError | Error): EndpointError {
  if (error instanceof EndpointError) return error;
  const { code, statusCode = 500, message } = error as FastifyError;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new EndpointError(
      "request_too_large",
      `expected a body of at most ${maxBodyBytes} bytes, but received a larger body`,
    );
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new EndpointError(
      "unsupported_media_type",
      "expected the content type application/json, but received a different content type",
    );
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new EndpointError("invalid_request", `expected a well-formed request, but received: ${shown(message)}`);
  }
  console.error(error);
  return new EndpointError("endpoint_fault", "The endpoint failed because of a bug. Its log has the details.");
}
