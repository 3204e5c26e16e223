import { z } from "zod";
import { EnvironmentName } from "./environment.js";
import { ErrorBody, ErrorReply } from "./error.js";
import { Image, Info, ObservationPart } from "./observation.js";

const longestBatch = 4096;

export const EpisodeId = z.string().min(1).max(64).describe("As given when the episode was created.");

export const TaskRef = z.object({ split: z.string(), index: z.int().min(0) }).meta({ id: "Task" });

export const CreateBody = z
  .strictObject({
    environment: EnvironmentName,
    task: z.strictObject({
      split: z.string().min(1).max(200).optional().describe("Defaults to the environment's first split."),
      index: z.int().min(0),
    }),
    seed: z.int().min(0).default(0).describe("All that is random in the episode follows from it."),
    options: z
      .record(z.string().max(100), z.string().max(100))
      .optional()
      .describe("How to play, by the environment's options; its defaults for what is left out."),
    maxSteps: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe("The step at which the episode is truncated; the environment's own limit by default."),
    leaseMs: z
      .int()
      .min(1_000)
      .max(86_400_000)
      .optional()
      .describe("After so long without a call the instance is freed; the next call restores it."),
  })
  .meta({ id: "CreateRequest" });

export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,200}$/, "Invalid key: expected 1 to 200 printable ASCII characters")
  .describe("The same key and request give the same episode, however often they are sent.");

export const Episode = z
  .object({
    episodeId: EpisodeId,
    environment: z.string().describe("`id@version`"),
    task: TaskRef,
    seed: z.int().min(0),
    options: z.record(z.string(), z.string()).describe("A value for each of the environment's options."),
    phase: z.enum(["running", "ended", "failed", "closed"]),
    index: z.int().min(0).describe("The index that the next step has to carry: the number of steps so far."),
    observation: z.string().describe("What the agent saw last."),
    parts: z.array(ObservationPart).optional(),
    reward: z.number().describe("Of the last step; 0 before the first."),
    terminated: z.boolean(),
    truncated: z.boolean(),
    info: Info,
    expertUsed: z.boolean().describe("Whether the expert was ever asked for advice in it."),
    parent: z.string().nullable().describe("The episode that it was forked from."),
    failure: ErrorBody.nullable(),
    maxSteps: z.int().describe("The step at which it is truncated."),
    leaseMs: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Episode" });

export const CreateManyBody = z
  .strictObject({ episodes: z.array(CreateBody).max(longestBatch) })
  .meta({ id: "CreateManyRequest" });

export const CreateManyReply = z
  .object({ results: z.array(z.union([Episode, ErrorReply])).describe("In the order of the requests.") })
  .meta({ id: "CreateManyReply" });

export const EpisodeQuery = z.strictObject({
  before: EpisodeId.optional().describe("Episodes older than this one."),
  limit: z.int().min(1).max(1000).default(100),
});

export const EpisodeSummary = Episode.pick({
  episodeId: true,
  environment: true,
  task: true,
  seed: true,
  options: true,
  parent: true,
  createdAt: true,
}).meta({ id: "EpisodeSummary" });

export const EpisodePage = z
  .object({
    episodes: z.array(EpisodeSummary),
    next: z.string().nullable().describe("`before` of the next page; null on the last."),
  })
  .meta({ id: "EpisodePage" });

export const TranscriptQuery = z.strictObject({
  from: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(100),
});

export const ForkBody = z
  .strictObject({ index: z.int().min(0).optional().describe("How many steps to keep; all of them by default.") })
  .meta({ id: "ForkRequest" });

export const Advice = z
  .object({
    index: z.int().min(0).describe("The index of the step that the action is meant for."),
    action: z.string().nullable().describe("null: no way leads to the reward from here."),
  })
  .meta({ id: "Advice" });

export const Picture = z
  .object({ index: z.int().min(0).describe("The number of steps so far."), picture: Image })
  .meta({ id: "Picture" });

export const QueryName = z.string().min(1).max(100).describe("As the environment names it.");

export const Answer = z
  .object({
    index: z.int().min(0).describe("The number of steps so far."),
    answer: z.unknown().describe("JSON, as the environment says of the query."),
  })
  .meta({ id: "Answer" });

export const Closed = z.object({ episodeId: EpisodeId, phase: z.literal("closed") }).meta({ id: "Closed" });
