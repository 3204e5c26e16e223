/** Events of the streams of server-sent events. */
import { z } from "zod";
import { errorTable, type FailureClass } from "../../errors.js";
import { phases } from "../../log/records/episode-state.js";
import { EpisodeId } from "./episode.js";
import { ErrorBody } from "./error.js";
import { TranscriptStep } from "./step.js";

const count = z.int().min(0);

export const EpisodeState = z
  .object({
    episodeId: EpisodeId,
    phase: z.enum(phases),
    index: count.describe("Number of steps so far. All of them were sent before this event."),
    live: z
      .boolean()
      .describe("Whether the episode has an instance. A running episode without one is parked until its next call."),
    expertUsed: z.boolean(),
    failure: ErrorBody.nullable(),
  })
  .meta({ id: "EpisodeState" });

const Bounded = z
  .object({ used: count, limit: count.nullable().describe("Null if there is no limit.") })
  .meta({ id: "Bounded" });

export const failureClasses = [...new Set(Object.values(errorTable).map((entry) => entry.class))] as [FailureClass];

/** Schema of `Sample`. */
export const GymSample = z
  .object({
    at: z.iso.datetime().describe("End of the second."),
    stepsPerSecond: count,
    p50Ms: z.number().nullable().describe("Median duration of a step in this second; null without a step."),
    p95Ms: z.number().nullable(),
    liveEpisodes: count,
    writtenBytes: count.describe("Bytes of steps written to the log since the start."),
  })
  .meta({ id: "GymSample" });

export const GymStatus = z
  .object({
    version: z.string(),
    startedAt: z.iso.datetime().describe("Start of the gym. It tells a restart from a lost connection."),
    now: GymSample,
    episodes: Bounded.describe("Live episodes of all callers."),
    sandboxEpisodes: count.describe("Live episodes of all callers that hold a sandbox."),
    stepsInFlight: Bounded.describe("Steps of all callers that wait for their reply."),
    hosts: Bounded.describe("Worker threads that are ready, and that the gym keeps."),
    hostsLost: count.describe("Worker threads and processes that ended and were replaced, since the start."),
    steps: count.describe("Steps since the start."),
    created: count.describe("Episodes created since the start."),
    failures: z
      .record(z.enum(failureClasses), count)
      .describe("Failed episodes since the start, by class, and resets that failed."),
    log: z.object({
      fileBytes: count,
      bytes: Bounded.describe("Bytes of the log that hold data."),
      isWritable: z.boolean(),
    }),
    disk: z
      .object({
        freeBytes: count,
        neededBytes: count.describe("Free bytes that new episodes need."),
        totalBytes: count,
      })
      .nullable()
      .describe("Disk of the log, or null if its space is unknown."),
    refusal: ErrorBody.shape.code.nullable().describe("Error of new episodes of every caller, or null."),
    caller: z
      .object({ episodes: Bounded, sandboxEpisodes: Bounded, stepsToday: Bounded, logBytes: Bounded })
      .describe("Use of the gym by this caller."),
  })
  .meta({ id: "GymStatus" });

export const GymHistory = z
  .object({ samples: z.array(GymSample).describe("The last five minutes, a second each, oldest first.") })
  .meta({ id: "GymHistory" });

export const ChangedEpisodes = z
  .object({
    episodeIds: z.array(EpisodeId),
    more: z.boolean().describe("Whether further episodes changed, which are not listed."),
  })
  .meta({ id: "ChangedEpisodes" });

const from = count
  .optional()
  .describe("Index of the first step to send. Default: 0. The header Last-Event-ID has priority.");

/** A browser sends the `id` of the last event when it reconnects. */
export const ReconnectHeaders = z.looseObject({
  "last-event-id": z
    .string()
    .regex(/^[0-9]{1,15}$/, "Invalid id: expected the id of a step's event")
    .optional()
    .describe("Id of the last event that was received: the index of its step."),
});

export const EpisodeEventsQuery = z.strictObject({ from });

export const GymEventsQuery = z.strictObject({
  episode: EpisodeId.optional().describe("Id of an episode, whose events are sent on the same stream."),
  from,
});

export const EpisodeEvent = z.union([TranscriptStep, EpisodeState, ErrorBody]).meta({ id: "EpisodeEvent" });

export const GymEvent = z
  .union([GymStatus, GymHistory, ChangedEpisodes, TranscriptStep, EpisodeState, ErrorBody])
  .meta({ id: "GymEvent" });
