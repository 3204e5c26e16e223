import { z } from "zod";
import { EpisodeId } from "./episode.js";
import { ErrorReply } from "./error.js";
import { Info, ObservationPart } from "./observation.js";

const longestBatch = 4096;

export const StepBody = z
  .strictObject({
    index: z
      .int()
      .min(0)
      .describe("Number of steps so far. An earlier index with the same action gives the stored reply."),
    action: z.string().describe("Text that the agent wrote."),
  })
  .meta({ id: "StepRequest" });

export const StepReply = z
  .object({
    index: z.int().min(0),
    read: z
      .string()
      .nullable()
      .optional()
      .describe(
        "Action that the gym read in the text; null if it found none, and the environment was not asked. Absent in the format `plain`.",
      ),
    observation: z.string(),
    parts: z.array(ObservationPart).optional(),
    reward: z.number(),
    terminated: z.boolean().describe("Whether the task itself has ended."),
    truncated: z.boolean().describe("Whether a limit outside the task was reached."),
    turn: z
      .string()
      .optional()
      .describe(
        "Seat that acts next, whose player the observation is for. Absent once the task has ended, and without seats.",
      ),
    rewards: z
      .record(z.string(), z.number())
      .optional()
      .describe("Rewards of the seats in this step, 0 for a seat without one. Absent if the seats share the reward."),
    info: Info,
  })
  .meta({ id: "StepReply" });

export const StepManyBody = z
  .strictObject({ steps: z.array(StepBody.extend({ episodeId: EpisodeId })).max(longestBatch) })
  .meta({ id: "StepManyRequest" });

export const StepManyReply = z
  .object({ results: z.array(z.union([StepReply, ErrorReply])).describe("In the order of the steps.") })
  .meta({ id: "StepManyReply" });

export const TranscriptStep = StepReply.extend({
  action: z.string().describe("Text that the agent wrote."),
  gymMs: z
    .int()
    .optional()
    .describe(
      "Milliseconds that the environment took. Absent if it took less than one, and in logs of older versions.",
    ),
  atMs: z
    .int()
    .nullable()
    .describe(
      "Time at which the step was logged, in milliseconds since 1970. Steps that were logged together have the same time. A fork's shared steps have the times of its parent. Null in logs of older versions.",
    ),
}).meta({ id: "TranscriptStep" });

export const Transcript = z
  .object({
    steps: z.array(TranscriptStep),
    next: z.int().min(0).nullable().describe("`from` of the next page; null on the last page."),
  })
  .meta({ id: "Transcript" });

export const Opening = z
  .object({
    observation: z.string(),
    parts: z.array(ObservationPart).optional(),
    turn: z.string().optional().describe("Seat that acts first. Absent without seats."),
    info: Info,
  })
  .meta({ id: "Opening" });
