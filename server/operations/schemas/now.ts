/** Schema of `GET /v1/now`: players, failures and pictures. */
import { z } from "zod";
import { EpisodeId } from "./episode.js";
import { ErrorBody } from "./error.js";
import { failureClasses } from "./events.js";

const count = z.int().min(0);

const Player = z
  .object({
    kind: z.enum(["token", "local"]).describe("`local`: the callers without a token."),
    name: z.string().describe("Name of the token; its id if it was revoked."),
  })
  .meta({ id: "Player" });

const environment = z.string().describe("`id@version`");

export const Now = z
  .object({
    at: z.iso.datetime(),
    plays: z
      .array(
        z.object({
          player: Player,
          environment,
          runs: z.array(z.string()).describe("Runs that play, as far as the client names them; at most 5."),
          episodes: count.describe("Live episodes."),
          stepsLastMinute: count.describe("Steps of the last minute, to within five seconds."),
        }),
      )
      .describe("Who plays what at this gym, the busiest first, at most 100."),
    more: z.boolean().describe("Whether further callers play, who are not listed."),
    failures: z
      .array(
        z.object({
          at: z.iso.datetime(),
          player: Player,
          environment,
          atReset: z.boolean().describe("Whether the reset failed, so that there is no episode."),
          episodeId: EpisodeId.nullable().describe("Null if there is no episode, or if it is another caller's."),
          class: z.enum(failureClasses),
          code: ErrorBody.shape.code,
          message: z.string().nullable().describe("Cut to 500 characters; null for a failure of another caller."),
        }),
      )
      .describe("The last failures of episodes and of resets since the start of the gym, newest first, at most 20."),
    pictured: z
      .array(z.object({ episodeId: EpisodeId, environment, index: count.describe("Number of steps so far.") }))
      .describe("The caller's live episodes with pictures that were called last, at most 12."),
  })
  .meta({ id: "Now" });
