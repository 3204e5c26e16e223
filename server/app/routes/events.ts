/**
 * Streams of server-sent events: `GET /v1/episodes/:episodeId/events` follows one episode, and `GET /v1/events` the gym.
 * Both only watch: they renew no lease and restore no instance. openapi/events.md documents them.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { WatchedState } from "../../episodes/episode/watchers.js";
import type { Gym } from "../../episodes/gym.js";
import { type ErrorCode, GymError } from "../../errors.js";
import type { Relay } from "../../fleet/relay.js";
import { keyOf } from "../../log/records/episode-id.js";
import { EpisodeId } from "../../operations/schemas/episode.js";
import {
  EpisodeEvent,
  EpisodeEventsQuery,
  GymEvent,
  GymEventsQuery,
  ReconnectHeaders,
} from "../../operations/schemas/events.js";
import { EpisodeFeed } from "./events/episode-feed.js";
import { FleetFeed } from "./events/fleet-feed.js";
import { GymFeed } from "./events/gym-feed.js";
import { follow, type RemoteEvent, sendRemote } from "./events/remote-events.js";
import { type StreamOptions, Streams } from "./events/streams.js";
import { commonErrors, errorResponses, numbersOf } from "./v1.js";

export interface EventOptions extends StreamOptions {
  gym: Gym;
  relay: Relay | null;
}

const errors: ErrorCode[] = [
  ...commonErrors,
  "EPISODE_UNKNOWN",
  "EPISODE_ELSEWHERE",
  "STEP_INDEX",
  "LOG_FAILED",
  "SERVER_DRAINING",
];

interface Watch {
  episode?: string | undefined;
  from?: number | undefined;
}

const common = { tags: ["events"], headers: ReconnectHeaders };

/** Registers both routes. When the app closes, the streams end first, and their clients connect again later. */
export function registerEvents(app: FastifyInstance, options: EventOptions): void {
  const streams = new Streams(options);
  app.addHook("preClose", async () => streams.end());
  registerEpisodeEvents(app, streams, options);
  registerGymEvents(app, streams, options);
}

function registerEpisodeEvents(app: FastifyInstance, streams: Streams, { gym }: EventOptions): void {
  app.route({
    method: "GET",
    url: "/v1/episodes/:episodeId/events",
    exposeHeadRoute: false,
    config: { isStream: true, about: { keyOf: keyInPath, onPass: streams } },
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
      const watched = await startOf(gym, request, { ...(request.query as Watch), episode: episodeId });
      EpisodeFeed.begin(gym, streams.open(request, reply, keyOf(episodeId)), watched as Start);
      return reply;
    },
  });
}

function registerGymEvents(app: FastifyInstance, streams: Streams, options: EventOptions): void {
  const { gym, relay } = options;
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
      const { caller } = request;
      const gone = new AbortController();
      const watched = await anywhere(options, request, request.query as Watch, gone.signal);
      const local = watched && "state" in watched ? watched : null;
      const stream = streams.open(request, reply, local?.state.row.key ?? null);
      stream.whenClosed(() => gone.abort());
      const onChange = GymFeed.begin(gym, stream, caller.owner);
      // Another gym asks for this gym's episodes alone.
      if (relay && !request.passed) FleetFeed.begin({ relay, caller, stream, onChange });
      if (local) EpisodeFeed.begin(gym, stream, local);
      if (watched && "events" in watched) void sendRemote(watched.events, stream);
      return reply;
    },
  });
}

function keyInPath({ params }: FastifyRequest): number | null {
  return keyOf((params as { episodeId: string }).episodeId);
}

/** Returns where to begin with an episode of this gym, or the events of another gym's. @throws {GymError} as `startOf` */
async function anywhere(
  { gym, relay }: EventOptions,
  request: FastifyRequest,
  watch: Watch,
  signal: AbortSignal,
): Promise<Start | { events: AsyncIterable<RemoteEvent> } | null> {
  const { episode } = watch;
  const key = episode === undefined ? null : keyOf(episode);
  const here = () => startOf(gym, request, watch);
  if (!relay || key === null) return here();
  const path = `/v1/episodes/${episode}/events?from=${beginOf(request, watch)}`;
  return relay.run<Start | { events: AsyncIterable<RemoteEvent> } | null>({
    key,
    mayRepeat: true,
    here,
    there: async (other) => ({ events: await follow(relay, other, { caller: request.caller, key, path, signal }) }),
  });
}

function beginOf({ headers }: FastifyRequest, { from = 0 }: Watch): number {
  const { "last-event-id": last } = headers;
  return last === undefined ? from : Number(last) + 1;
}

function streamOf(schema: z.ZodType) {
  return { description: "The events.", content: { "text/event-stream": { schema } } };
}

interface Start {
  state: WatchedState;
  from: number;
}

/** Returns where to begin with an episode. @throws {GymError} EPISODE_UNKNOWN, STEP_INDEX, LOG_FAILED */
async function startOf(gym: Gym, request: FastifyRequest, watch: Watch): Promise<Start | null> {
  const { episode } = watch;
  if (gym.status.draining) throw GymError.ofState("SERVER_DRAINING", "The server is shutting down.");
  if (episode === undefined) return null;
  const start = beginOf(request, watch);
  const state = await gym.reader.peek(request.caller.owner, episode);
  if (start > state.steps) {
    throw new GymError("STEP_INDEX", `an index from 0 to ${state.steps}`, `${start}`, { nextIndex: state.steps });
  }
  return { state, from: start };
}
