/**
 * Streams of server-sent events: `GET /v1/episodes/:episodeId/events` follows one episode, and `GET /v1/events` the gym.
 * Both only watch: they renew no lease and restore no instance. openapi/events.md documents them.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Gym } from "../episodes/gym.js";
import type { WatchedState } from "../episodes/watchers.js";
import { type ErrorCode, GymError } from "../errors.js";
import { EpisodeId } from "../schemas/episode.js";
import { EpisodeEvent, EpisodeEventsQuery, GymEvent, GymEventsQuery, ReconnectHeaders } from "../schemas/events.js";
import { EpisodeFeed } from "./events/episode-feed.js";
import { GymFeed } from "./events/gym-feed.js";
import { type StreamOptions, Streams } from "./events/streams.js";
import { commonErrors, errorResponses, numbersOf } from "./v1.js";

export interface EventOptions extends StreamOptions {
  gym: Gym;
}

const errors: ErrorCode[] = [...commonErrors, "EPISODE_UNKNOWN", "STEP_INDEX", "LOG_FAILED", "SERVER_DRAINING"];

interface Watch {
  episode?: string | undefined;
  from?: number | undefined;
}

/** Registers both routes. When the app closes, the streams end first, and their clients connect again later. */
export function registerEvents(app: FastifyInstance, options: EventOptions): void {
  const streams = new Streams(options);
  app.addHook("preClose", async () => streams.end());
  const common = { tags: ["events"], headers: ReconnectHeaders };
  app.route({
    method: "GET",
    url: "/v1/episodes/:episodeId/events",
    exposeHeadRoute: false,
    config: { isStream: true },
    schema: {
      ...common,
      operationId: "episodeEvents",
      summary: "Follows an episode: its steps as server-sent events, from any index on, without renewing its lease.",
      params: z.object({ episodeId: EpisodeId }),
      querystring: EpisodeEventsQuery,
      response: { 200: streamOf(EpisodeEvent), ...errorResponses(errors) },
    },
    preValidation: numbersOf("query", EpisodeEventsQuery) ?? [],
    handler: async (request, reply) => {
      const { episodeId } = request.params as { episodeId: string };
      const watched = await startOf(options.gym, request, { ...(request.query as Watch), episode: episodeId });
      const stream = streams.open(request, reply);
      EpisodeFeed.begin(options.gym, stream, watched as Start);
    },
  });
  app.route({
    method: "GET",
    url: "/v1/events",
    exposeHeadRoute: false,
    config: { isStream: true },
    schema: {
      ...common,
      operationId: "gymEvents",
      summary: "Follows the gym: its status once a second, the caller's changed episodes, and one episode if asked.",
      querystring: GymEventsQuery,
      response: { 200: streamOf(GymEvent), ...errorResponses(errors) },
    },
    preValidation: numbersOf("query", GymEventsQuery) ?? [],
    handler: async (request, reply) => {
      const watched = await startOf(options.gym, request, request.query as Watch);
      const stream = streams.open(request, reply);
      GymFeed.begin(options.gym, stream, request.caller.owner);
      if (watched) EpisodeFeed.begin(options.gym, stream, watched);
    },
  });
}

function streamOf(schema: z.ZodType) {
  return { description: "The events.", content: { "text/event-stream": { schema } } };
}

interface Start {
  state: WatchedState;
  from: number;
}

/** Returns where to begin with an episode. @throws {GymError} EPISODE_UNKNOWN, STEP_INDEX, LOG_FAILED */
async function startOf(gym: Gym, request: FastifyRequest, { episode, from = 0 }: Watch): Promise<Start | null> {
  if (gym.status.draining) throw GymError.ofState("SERVER_DRAINING", "The server is shutting down.");
  if (episode === undefined) return null;
  const last = request.headers["last-event-id"];
  const start = last === undefined ? from : Number(last) + 1;
  const state = await gym.reader.peek(request.caller.owner, episode);
  if (start > state.steps) {
    throw new GymError("STEP_INDEX", `an index from 0 to ${state.steps}`, `${start}`, { nextIndex: state.steps });
  }
  return { state, from: start };
}
