/**
 * Serves the Model Context Protocol, revision 2026-07-28 and the earlier ones that begin with `initialize`, on two
 * endpoints: `/mcp` for people and desktops, and one for each live episode, whose agent can neither reset the episode nor
 * see its rewards. No state is kept between requests.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isDraining, isElsewhere } from "../../episodes/episode/refusals.js";
import type { Gym } from "../../episodes/gym.js";
import { GymError, shown } from "../../errors.js";
import { keyOf } from "../../log/records/episode-id.js";
import { reported } from "../plugins/error-replies.js";
import { clientOf } from "../plugins/http-client.js";
import { EpisodeHandler } from "./mcp/episode-handler.js";
import { GymHandler } from "./mcp/gym-handler.js";
import { episodeIn, type Told, type ToolHandler } from "./mcp/handler.js";
import { plainReply } from "./mcp/plain-call.js";
import type { McpService } from "./mcp/service.js";

const EpisodeParams = z.object({ environment: z.string().max(200), episodeId: z.string().max(64) });

export function registerMcp(app: FastifyInstance, gym: Gym, onError: (error: GymError) => void): void {
  let service: Promise<McpService> | undefined;
  const answer = async (handlerOf: (told: Told) => ToolHandler, request: FastifyRequest, reply: FastifyReply) => {
    const moved: GymError[] = [];
    // Calls of a batch may be for several gyms, and some have been carried out when another is refused.
    const isBatch = Array.isArray(request.body);
    const handler = handlerOf((error) => {
      const isRefused = !isBatch && (isElsewhere(error) || (request.passed && isDraining(error)));
      if (!isRefused) return reported(error, { log: app.log, onError });
      moved.push(error);
      return error;
    });
    const plain = await plainReply(handler, request);
    // The library is loaded on first use, since it takes a part of the start.
    if (!plain) service ??= import("./mcp/service.js").then(({ McpService }) => new McpService());
    const response = plain ?? (await (await (service as Promise<McpService>)).answer(handler, request));
    // The gym that has the episode now answers instead.
    for (const error of moved) throw error;
    return plain ? reply.type("application/json").send(plain) : reply.send(response);
  };
  app.addHook("onClose", async () => (await service)?.close());

  // Both eras send requests by POST. The library refuses the other methods as the specification asks.
  const method: ("GET" | "POST" | "DELETE")[] = ["GET", "POST", "DELETE"];
  app.route({
    method,
    url: "/mcp",
    config: { about: { keyOf: keyInCall, mayRepeat } },
    schema: { hide: true },
    handler: (request, reply) =>
      answer((told) => new GymHandler(gym, request.caller, clientOf(reply), told), request, reply),
  });
  app.route({
    method,
    url: "/mcp/:environment/:episodeId",
    config: { about: { keyOf: keyInPath, mayRepeat } },
    schema: { hide: true, params: EpisodeParams },
    handler: async (request, reply) => {
      const { environment, episodeId } = request.params as z.output<typeof EpisodeParams>;
      const { owner } = request.caller;
      const episode = await gym.find(owner, episodeId);
      if (episode.spec.id !== environment && episode.row.environment !== environment)
        throw new GymError("EPISODE_UNKNOWN", `an episode of ${shown(environment)}`, `one of ${episode.spec.id}`);
      return answer((told) => new EpisodeHandler(gym, owner, episode, told), request, reply);
    },
  });
}

function keyInPath({ params }: FastifyRequest): number | null {
  return keyOf((params as z.output<typeof EpisodeParams>).episodeId);
}

interface McpBody {
  method?: unknown;
  params?: { name?: unknown; uri?: unknown; arguments?: { episode?: unknown } | null } | null;
}

/** Returns the messages of a request: one, or those of a batch, which the earlier revisions have. */
function messagesIn({ body }: FastifyRequest): McpBody[] {
  return [body].flat().map((message) => (message ?? {}) as McpBody);
}

/** Returns the key of the first episode that a call of a tool, or the address of a resource, names. */
function keyInCall(request: FastifyRequest): number | null {
  for (const { params } of messagesIn(request)) {
    const { arguments: given, uri } = params ?? {};
    const id = given?.episode ?? (typeof uri === "string" ? episodeIn(uri) : undefined);
    if (typeof id === "string") return keyOf(id);
  }
  return null;
}

/** Calls of an environment's tools are steps, and steps have no numbers in this protocol. */
function mayRepeat(request: FastifyRequest): boolean {
  return messagesIn(request).every(({ method, params }) => method !== "tools/call" || params?.name === "end_episode");
}
