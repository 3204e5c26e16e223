/** Routes of protocols that a gym of a fleet answers for every episode, by passing requests on to other gyms. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Client } from "../../episodes/episode/client.js";
import {
  callerGone,
  episodeElsewhere,
  isCallerGone,
  isDraining,
  isElsewhere,
} from "../../episodes/episode/refusals.js";
import { mayHaveRun } from "../../fleet/peer-errors.js";
import type { PeerReply } from "../../fleet/peers.js";
import { elsewhereHeader, type Passed, type Relay } from "../../fleet/relay.js";
import type { FleetMember } from "../../log/records/protocol.js";
import type { AboutRequests } from "../plugins/about-requests.js";
import { clientOf } from "../plugins/http-client.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Facts from the gym of the fleet that has passed the request on. Undefined for a client's request. */
    passed: Passed | undefined;
  }
}

/** Bodies as they were received, since validation replaces them. */
const received = new WeakMap<FastifyRequest, unknown>();

/** Lets the gyms of a fleet answer the requests to all routes that an app registers from now on, and that tell about them. */
export function relayRequests(app: FastifyInstance, relay: Relay): void {
  app.decorateRequest("passed");
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.routeOptions.config.about) received.set(request, request.body);
    done();
  });
  app.addHook("onRoute", (route) => {
    route.handler = relayedHandler(relay, route.handler);
  });
}

/** Returns a handler that passes requests on to the gym that has their key, and leaves its own to `handler`. */
function relayedHandler(relay: Relay, handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    const { about } = request.routeOptions.config;
    if (!about) return handler.call(this, request, reply);
    const here = async () => handler.call(this, request, reply);
    return request.passed
      ? answerGym(relay, request.passed, reply, here)
      : answerClient(relay, about, here, request, reply);
  };
}

async function answerClient(
  relay: Relay,
  about: AboutRequests,
  here: () => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const client = clientOf(reply);
  try {
    return await relay.run<unknown>({
      key: about.keyOf(request),
      mayRepeat: request.method === "GET" || about.mayRepeat?.(request) === true,
      client,
      here,
      there: async (gym, key) => {
        const passed = await passOn(relay, gym, { key, client, request, reply });
        about.onPass?.pass(reply);
        return passed;
      },
    });
  } catch (error) {
    if (isCallerGone(error)) return reply.hijack();
    throw error;
  }
}

/** Answers another gym, which tries the next one if this gym does not have the episode either. */
async function answerGym(
  relay: Relay,
  passed: Passed,
  reply: FastifyReply,
  here: () => Promise<unknown>,
): Promise<unknown> {
  if (!relay.takes(passed)) return refuse(reply, "");
  try {
    return await here();
  } catch (error) {
    const isRefused = isDraining(error) || (isElsewhere(error) && !mayHaveRun(error));
    if (!isRefused || reply.sent) throw error;
    return refuse(reply, episodeElsewhere(error) ?? "");
  }
}

function refuse(reply: FastifyReply, episodeId: string): FastifyReply {
  return reply.status(503).header(elsewhereHeader, episodeId).serializer(String).send("");
}

/** Headers of a connection, of the client's identity, and of the body as it was sent. */
const notPassed = new Set([
  ...["authorization", "connection", "content-length", "expect", "host", "keep-alive", "origin", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "x-api-key", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"],
]);
const notReturned = new Set(["connection", "keep-alive", "transfer-encoding", "date"]);

async function passOn(
  relay: Relay,
  gym: FleetMember,
  { key, client, request, reply }: { key: number; client: Client; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const body = received.get(request);
  const { method, url: path, caller } = request;
  const headers = without(request.headers, notPassed);
  const text = body === undefined ? null : JSON.stringify(body);
  const gone = new AbortController();
  client.onGone(() => gone.abort());
  let answer: PeerReply;
  try {
    answer = await relay.send(gym, { caller, key }, { method, path, headers, body: text, signal: gone.signal });
  } catch (error) {
    throw gone.signal.aborted ? callerGone() : error;
  }
  return reply.status(answer.statusCode).headers(without(answer.headers, notReturned)).send(answer.body);
}

function without(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: ReadonlySet<string>,
): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !names.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}
