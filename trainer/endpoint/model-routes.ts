/** Routes by which an agent program calls the model: under `/rollouts/:id/v1`, one for each protocol. */
import type { FastifyError, FastifyInstance } from "fastify";
import { Chat, promptTokensOf } from "./chat.js";
import { hangUp, idOf, refuse } from "./http.js";
import { chatCompletions } from "./protocol/chat-completions/protocol.js";
import type { EndpointError } from "./protocol/errors.js";
import { messages } from "./protocol/messages/protocol.js";
import type { Protocol } from "./protocol/protocol.js";
import { responses } from "./protocol/responses/protocol.js";
import type { Rollouts } from "./rollouts.js";
import { sendStream } from "./stream.js";

const protocols: readonly Protocol[] = [chatCompletions, responses, messages];

/** Maximum number of characters of the header that names the ignored parameters. */
const ignoredLength = 2_000;

/** @param errorOf converts what a route throws to an error of the endpoint */
export function registerModelRoutes(
  app: FastifyInstance,
  rollouts: Rollouts,
  errorOf: (error: FastifyError) => EndpointError,
): void {
  const { model } = rollouts.chat;
  const card = { id: model, object: "model", created: Math.floor(Date.now() / 1000), owned_by: "palestra" };
  app.get("/rollouts/:id/v1/models", async (request) => {
    rollouts.open(idOf(request));
    return { object: "list", data: [card] };
  });
  for (const protocol of protocols) {
    app.register(async (routes) => {
      routes.setErrorHandler((thrown: FastifyError, _, reply) => {
        const error = errorOf(thrown);
        refuse(reply, error, protocol.errorBody(error));
      });
      registerReplies(routes, rollouts, protocol);
      registerCounting(routes, rollouts, protocol);
    });
  }
}

function registerReplies(app: FastifyInstance, rollouts: Rollouts, protocol: Protocol): void {
  app.post(`/rollouts/:id/v1/${protocol.path}`, async (request, reply) => {
    const rollout = rollouts.open(idOf(request));
    const asked = protocol.read(request.body ?? {}, rollout.tree);
    const leaving = hangUp(reply);
    return rollout.during(async () => {
      const chat = Chat.begin(rollout, asked, protocol.idPrefix, rollouts.chat, leaving.signal);
      const headers = ignoredHeader(chat.ignored);
      if (!asked.isStreamed) return reply.headers(headers).send(await chat.whole());
      reply.hijack();
      await sendStream(reply.raw, chat, headers);
    });
  });
}

function registerCounting(app: FastifyInstance, rollouts: Rollouts, { counting, read }: Protocol): void {
  if (!counting) return;
  app.post(`/rollouts/:id/v1/${counting.path}`, async (request, reply) => {
    const rollout = rollouts.open(idOf(request));
    const asked = read(request.body ?? {}, rollout.tree);
    const tokens = promptTokensOf(rollout, asked, rollouts.chat.format);
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
