/**
 * The HTTP application of the rollout endpoint. Each rollout has its own OpenAI API under `/rollouts/:id/v1`. Through
 * other routes, an agent program or its launcher claims rollouts, sends rewards and ends rollouts.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { z } from "zod";
import { openAbort } from "../abort.js";
import { foreignPart } from "../foreign-page.js";
import { Chat } from "./chat.js";
import { EndpointError, shown } from "./protocol/errors.js";
import { ChatRequest, EndRequest, FailRequest, parseBody, RewardRequest, RolloutRequest } from "./protocol/schemas.js";
import type { Rollouts } from "./rollouts.js";
import { sendStream } from "./stream.js";

const maxBodyBytes = 16 * 2 ** 20;
const slowestRequestMs = 60_000;

/**
 * Builds the application, without listening. @param apiKey key that callers must send; undefined if no key is required
 */
export function buildApp(rollouts: Rollouts, apiKey: string | undefined): FastifyInstance {
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
    refuse(
      reply,
      new EndpointError("unknown_url", `expected a known URL, but received ${request.method} ${request.url}`),
    );
  });
  app.setErrorHandler((error: FastifyError, _, reply) => refuse(reply, endpointError(error)));
  app.addHook("onRequest", async ({ headers }) => {
    if (apiKey !== undefined) expectKey(headers.authorization, apiKey);
    else refuseForeignPage(headers);
  });
  registerRollouts(app, rollouts);
  registerOpenai(app, rollouts);
  app.get("/status", async () => rollouts.status());
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
    const { reward, call, end, solved } = body(RewardRequest, request);
    rollout.reward(reward, call);
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

function registerOpenai(app: FastifyInstance, rollouts: Rollouts): void {
  const { model } = rollouts.chat;
  const card = { id: model, object: "model", created: Math.floor(Date.now() / 1000), owned_by: "palestra" };
  app.get("/rollouts/:id/v1/models", async (request) => {
    rollouts.open(idOf(request));
    return { object: "list", data: [card] };
  });
  app.post("/rollouts/:id/v1/chat/completions", async (request, reply) => {
    const rollout = rollouts.open(idOf(request));
    const asked = body(ChatRequest, request);
    const leaving = hangUp(reply);
    return rollout.during(async () => {
      const chat = Chat.begin(rollout, asked, rollouts.chat, leaving.signal);
      if (!asked.stream) return reply.send(chat.writer.whole(await chat.whole()));
      reply.hijack();
      await sendStream(reply.raw, chat, asked.stream_options?.include_usage === true);
    });
  });
}

function idOf({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}

/** Parses the body of a request; a missing body counts as an empty object. */
function body<T extends z.ZodType>(schema: T, request: FastifyRequest): z.output<T> {
  return parseBody(schema, request.body ?? {});
}

/** Makes a controller that aborts if the caller disconnects before its reply is complete. */
function hangUp(reply: FastifyReply): AbortController {
  const leaving = openAbort();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) leaving.abort(new EndpointError("endpoint_closed", "the caller has disconnected"));
  });
  return leaving;
}

function expectKey(header: string | undefined, apiKey: string): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (header !== undefined && timingSafeEqual(digest(header), digest(`Bearer ${apiKey}`))) return;
  const received = header === undefined ? "no authorization header" : "a different token";
  throw new EndpointError(
    "invalid_api_key",
    `expected the endpoint's API key as a bearer token, but received ${received}`,
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

function refuse(reply: FastifyReply, error: EndpointError): void {
  // The request has already waited for admission, so the caller can retry soon.
  if (error.code === "no_room") reply.header("retry-after", "1");
  reply.status(error.status).send(error.toBody());
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
