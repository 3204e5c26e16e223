/**
 * Serves the Model Context Protocol, revision 2026-07-28 and the earlier ones that begin with `initialize`, on two
 * endpoints: `/mcp` for people and desktops, and one for each live episode, whose agent can neither reset the episode nor
 * see its rewards. No state is kept between requests.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Gym } from "../episodes/gym.js";
import { GymError, shown } from "../errors.js";
import { reported } from "../plugins/error-replies.js";
import type { Desk } from "./mcp/desk.js";
import { EpisodeDesk } from "./mcp/episode-desk.js";
import { GymDesk } from "./mcp/gym-desk.js";
import { plainReply } from "./mcp/plain-call.js";
import type { McpService } from "./mcp/service.js";

const EpisodeParams = z.object({ environment: z.string().max(200), episodeId: z.string().max(64) });

export function registerMcp(app: FastifyInstance, gym: Gym, onError: (error: GymError) => void): void {
  let service: Promise<McpService> | undefined;
  const answer = async (desk: Desk, request: FastifyRequest, reply: FastifyReply) => {
    const plain = await plainReply(desk, request);
    if (plain) return reply.type("application/json").send(plain);
    // The library is loaded on first use, since it takes a part of the start.
    service ??= import("./mcp/service.js").then(({ McpService }) => new McpService());
    const response = await (await service).answer(desk, request);
    return reply.send(response);
  };
  const told = (error: Error) => reported(error, { log: app.log, onError });
  app.addHook("onClose", async () => (await service)?.close());

  // Both eras send requests by POST. The library refuses the other methods as the specification asks.
  const method: ("GET" | "POST" | "DELETE")[] = ["GET", "POST", "DELETE"];
  app.route({
    method,
    url: "/mcp",
    schema: { hide: true },
    handler: (request, reply) => answer(new GymDesk(gym, request.caller, told), request, reply),
  });
  app.route({
    method,
    url: "/mcp/:environment/:episodeId",
    schema: { hide: true, params: EpisodeParams },
    async handler(request, reply) {
      const { environment, episodeId } = request.params as z.output<typeof EpisodeParams>;
      const { owner } = request.caller;
      const episode = await gym.find(owner, episodeId);
      if (episode.spec.id !== environment && episode.row.environment !== environment)
        throw new GymError("EPISODE_UNKNOWN", `an episode of ${shown(environment)}`, `one of ${episode.spec.id}`);
      return answer(new EpisodeDesk(gym, owner, episode, told), request, reply);
    },
  });
}
