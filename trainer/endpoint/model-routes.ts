/**
 * Routes by which an agent program calls the model, one for each protocol: under `/rollouts/:id/v1` in a claimed rollout,
 * and under `/v1` without one.
 */
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { CallTree } from "./call-tree.js";
import { Chat, type ChatOptions, promptTokensOf } from "./chat.js";
import { hangUp, idOf, refuse, seatOf } from "./http.js";
import { chatCompletions } from "./protocol/chat-completions/protocol.js";
import type { EndpointError } from "./protocol/errors.js";
import { messages } from "./protocol/messages/protocol.js";
import type { History, ModelRequest, Protocol } from "./protocol/protocol.js";
import { responses } from "./protocol/responses/protocol.js";
import type { Rollouts } from "./rollouts.js";
import { sendStream } from "./stream.js";
import type { TrafficCall } from "./traffic.js";

const protocols: readonly Protocol[] = [chatCompletions, responses, messages];

/** Maximum number of characters of the header that names the ignored parameters. */
const ignoredLength = 2_000;

/** Where the calls of some routes belong. */
export interface Callers {
  /** Beginning of the routes' paths, such as `/rollouts/:id`. */
  readonly prefix: string;
  readonly chat: ChatOptions;
  /** Checks that the caller of a request may call the model. @throws {EndpointError} */
  expect(request: FastifyRequest): void;
  /** Finds the caller of a request. @throws {EndpointError} */
  of(request: FastifyRequest): Caller;
}

export interface Caller {
  /** Earlier calls, which the request may name. */
  readonly history: History;
  /** Calls that the request may continue; absent if the request begins a conversation. */
  readonly tree?: CallTree;
  /** Runs a call in its rollout. */
  during(asked: ModelRequest, call: TrafficCall): Promise<unknown>;
}

/** Makes the callers of claimed rollouts, and of the seats of such rollouts. */
export function callersOf(rollouts: Rollouts): Callers[] {
  const open = (request: FastifyRequest) => rollouts.open(idOf(request));
  return ["/rollouts/:id", "/rollouts/:id/seats/:seat"].map((prefix) => ({
    prefix,
    chat: rollouts.chat,
    expect: open,
    of: (request) => {
      const rollout = open(request);
      const seat = seatOf(request);
      const { tree } = rollout;
      return {
        history: tree,
        tree,
        during: (asked, call) => rollout.during(() => call(rollout, { ...asked, seat }, {})),
      };
    },
  }));
}

/** @param errorOf converts what a route throws to an error of the endpoint */
export function registerModelRoutes(
  app: FastifyInstance,
  callers: Callers,
  errorOf: (error: FastifyError) => EndpointError,
): void {
  const { model } = callers.chat;
  const card = { id: model, object: "model", created: Math.floor(Date.now() / 1000), owned_by: "palestra" };
  app.get(`${callers.prefix}/v1/models`, async (request) => {
    callers.expect(request);
    return { object: "list", data: [card] };
  });
  for (const protocol of protocols) {
    app.register(async (routes) => {
      routes.setErrorHandler((thrown: FastifyError, _, reply) => {
        const error = errorOf(thrown);
        refuse(reply, error, protocol.errorBody(error));
      });
      registerReplies(routes, callers, protocol);
      registerCounting(routes, callers, protocol);
    });
  }
}

function registerReplies(app: FastifyInstance, callers: Callers, protocol: Protocol): void {
  app.post(`${callers.prefix}/v1/${protocol.path}`, async (request, reply) => {
    const caller = callers.of(request);
    const asked = protocol.read(request.body ?? {}, caller.history);
    const leaving = hangUp(reply);
    return caller.during(asked, async (rollout, asked, own) => {
      const chat = Chat.begin(rollout, asked, protocol.idPrefix, callers.chat, leaving.signal);
      const headers = { ...own, ...ignoredHeader(chat.ignored) };
      if (!asked.isStreamed) return reply.headers(headers).send(await chat.whole());
      reply.hijack();
      return sendStream(reply.raw, chat, headers);
    });
  });
}

function registerCounting(app: FastifyInstance, callers: Callers, { counting, read }: Protocol): void {
  if (!counting) return;
  app.post(`${callers.prefix}/v1/${counting.path}`, async (request, reply) => {
    const { history, tree = new CallTree() } = callers.of(request);
    const asked = read(request.body ?? {}, history);
    const tokens = promptTokensOf(tree, { ...asked, seat: seatOf(request) }, callers.chat.format);
    return reply.headers(ignoredHeader(asked.ignored)).send(counting.bodyOf(tokens));
  });
}

/** Names the ignored parameters in a header. A client chooses the names, so characters outside ASCII are replaced. */
function ignoredHeader(ignored: readonly string[]): Record<string, string> {
  const names = [...new Set(ignored)].map((name) => name.replace(/[^\w.[\]-]/g, "?"));
  const text = names.join(", ");
  if (text === "") return {};
  return { "x-palestra-ignored": text.length <= ignoredLength ? text : `${text.slice(0, ignoredLength - 3)}...` };
}
