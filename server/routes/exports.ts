/** `GET /v1/episodes/:episodeId/export` and `POST /v1/export`: episodes as files. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Gym } from "../episodes/gym.js";
import type { ErrorCode } from "../errors.js";
import { ExportedEpisode } from "../exports/episode.js";
import { archiveOf, type Download, downloadOf, type EpisodeFormat } from "../exports/formats.js";
import { ExportPlaces } from "../exports/places.js";
import { type Selection, selectedEpisodes } from "../exports/selection.js";
import { EpisodeId } from "../schemas/episode.js";
import { ExportBody, ExportQuery } from "../schemas/export.js";
import { commonErrors, errorResponses } from "./v1.js";

const headers = {
  "cache-control": "no-store",
  // A file has untrusted texts. A browser that shows it all the same gives it no access to this server.
  "content-security-policy": "sandbox; default-src 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const readErrors: ErrorCode[] = [
  "EPISODE_UNKNOWN",
  "ENVIRONMENT_UNKNOWN",
  "LOG_FAILED",
  "LOG_CORRUPT",
  "LIMIT_EXPORTS",
];

/** Limits on the exports that are being sent. */
const most = { perOwner: 4, inAll: 16 };

const episodePath = z.object({ episodeId: EpisodeId });

export function registerExports(app: FastifyInstance, gym: Gym): void {
  const exports = new Exports(gym);
  const one = documented("exportEpisode", "Returns an episode as a file.", readErrors);
  app.get(
    "/v1/episodes/:episodeId/export",
    { schema: { ...one, params: episodePath, querystring: ExportQuery } },
    (request, reply) => {
      const { episodeId } = request.params as z.output<typeof episodePath>;
      const { format } = request.query as z.output<typeof ExportQuery>;
      return exports.send(request, reply, episodeId, () => exports.episode(request.caller.owner, episodeId, format));
    },
  );
  const several = documented("exportEpisodes", "Returns several episodes as a file.", readErrors);
  app.post("/v1/export", { schema: { ...several, body: ExportBody } }, (request, reply) => {
    const { format, ...selection } = request.body as z.output<typeof ExportBody>;
    return exports.send(request, reply, "episodes", () => exports.episodes(request.caller.owner, selection, format));
  });
}

class Exports {
  private readonly places = new ExportPlaces(most);

  constructor(private readonly gym: Gym) {}

  /** Refuses a missing episode before the file begins. */
  async episode(owner: string, id: string, format: EpisodeFormat): Promise<Download> {
    return downloadOf(format, await ExportedEpisode.read(this.gym, owner, id));
  }

  async episodes(owner: string, selection: Selection, format: EpisodeFormat): Promise<Download> {
    const ids = await selectedEpisodes(this.gym, owner, selection);
    return archiveOf(format, ids, (id) => ExportedEpisode.read(this.gym, owner, id));
  }

  /** Sends a file, and holds a place until the file is sent or the client disconnects. */
  async send(
    { caller }: FastifyRequest,
    reply: FastifyReply,
    name: string,
    open: () => Promise<Download>,
  ): Promise<FastifyReply> {
    const leave = this.places.take(caller.owner);
    try {
      const { stream, mediaType, suffix } = await open();
      stream.once("close", leave);
      reply.headers(headers).type(mediaType);
      reply.header("content-disposition", `attachment; filename="palestra-${name}.${suffix}"`);
      return reply.send(stream);
    } catch (error) {
      leave();
      throw error;
    }
  }
}

function documented(operationId: string, summary: string, errors: ErrorCode[]) {
  return {
    tags: ["exports"],
    operationId,
    summary,
    response: {
      200: { description: "The file.", content: { "application/octet-stream": { schema: z.string() } } },
      ...errorResponses([...commonErrors, ...errors]),
    },
  };
}
