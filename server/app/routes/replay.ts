/** `POST /v1/episodes/:episodeId/replay`: plays an episode again, and sends the outcome of each step as it is known. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from "fastify";
import { z } from "zod";
import type { Gym } from "../../episodes/gym.js";
import type { RunningReplay } from "../../episodes/replays.js";
import { type ErrorCode, GymError } from "../../errors.js";
import { keyOf } from "../../log/records/episode-id.js";
import { EpisodeId } from "../../operations/schemas/episode.js";
import { ReplayLine } from "../../operations/schemas/replay.js";
import { commonErrors, errorResponses } from "./v1.js";

const mediaType = "application/x-ndjson";

/** Errors that are known before the first line. Later errors are lines. */
const errors: readonly ErrorCode[] = [
  "EPISODE_ELSEWHERE",
  "EPISODE_UNKNOWN",
  "ENVIRONMENT_UNKNOWN",
  "EPISODE_LOST",
  "LOG_FAILED",
  "LOG_CORRUPT",
  "LIMIT_IN_FLIGHT",
  "LIMIT_EPISODES",
  "LIMIT_TOKEN_EPISODES",
  "LIMIT_TOKEN_SANDBOXES",
  "SERVER_DRAINING",
];

const params = z.object({ episodeId: EpisodeId });

const schema = {
  tags: ["streams"],
  operationId: "replay",
  summary:
    "Plays the episode again in a fresh instance and compares each result with the log. Ends at the first difference, or when the client disconnects.",
  produces: [mediaType],
  params,
  response: {
    200: ReplayLine.describe("One line of JSON for the reset, one for each step, and one for the end or for an error."),
    ...errorResponses([...commonErrors, ...errors]),
  },
};

export function registerReplay(app: FastifyInstance, gym: Gym, onError: (error: GymError) => void): void {
  const idIn = ({ params: given }: FastifyRequest) => (given as z.output<typeof params>).episodeId;
  const handler: RouteHandlerMethod = async (request, reply) => {
    const episodeId = idIn(request);
    const replay = await gym.replay(request.caller.owner, episodeId);
    reply.raw.once("close", () => replay.cancel());
    // A proxy that collects the reply would hold the lines back until the end.
    reply.headers({ "cache-control": "no-store", "x-accel-buffering": "no" }).type(`${mediaType}; charset=utf-8`);
    return reply.send(Readable.from(linesOf(replay, onError), { objectMode: false }));
  };
  const about = { keyOf: (request: FastifyRequest) => keyOf(idIn(request)), mayRepeat: () => true };
  app.post("/v1/episodes/:episodeId/replay", { schema, config: { about } }, handler);
}

type Line = z.input<typeof ReplayLine>;

async function* linesOf(replay: RunningReplay, onError: (error: GymError) => void): AsyncGenerator<string> {
  let proved = true;
  try {
    for await (const result of replay.results) {
      proved &&= result.equal;
      yield text(result);
    }
    yield text({ steps: replay.steps, proved });
  } catch (error) {
    if (!(error instanceof GymError)) throw error;
    onError(error);
    yield text({ error: error.toBody() });
  }
}

function text(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
