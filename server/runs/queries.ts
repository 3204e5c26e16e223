/** Parameters of requests for parts of a run. */
import { z } from "zod";
import { failureKinds } from "../formats/outcomes/failure.js";

/** Records of one reply at most. */
const mostRecords = 1_000;

const page = z.int().min(1).max(mostRecords);

export const MetricsQuery = z.object({
  from: z.int().min(0).default(0).describe("Number of the first record."),
  mark: z
    .string()
    .max(100)
    .optional()
    .describe(
      "`mark` of the reply whose `next` is sent as `from`. With it, the reply says if the records before have changed.",
    ),
  limit: page.default(mostRecords),
});

export const GroupsQuery = z.object({
  step: z.int().min(1).optional().describe("Train step. Default: the newest one with logged groups."),
});

export const RolloutQuery = z.object({ step: z.int().min(1).describe("Train step.") });

export const EpisodesQuery = z.object({
  from: z.int().min(0).default(0).describe("Number of matching episodes to skip."),
  limit: page.default(100),
  status: z
    .enum(["solved", "unsolved", "terminated", "truncated", "limit", "failed"])
    .optional()
    .describe("`solved` and `unsolved` are about episodes that were played to their end."),
  family: z.string().max(200).optional(),
  failure: z.enum(failureKinds).optional().describe("Kind of failure."),
});

export const SearchQuery = EpisodesQuery.extend({
  q: z
    .string()
    .min(1)
    .max(200)
    .describe("Words that an episode must have in its texts: task, observations, replies, actions. Case is ignored."),
  from: z.int().min(0).default(0).describe("Line at which the search begins: `next` or `end` of an earlier reply."),
  limit: z.int().min(1).max(100).default(50),
});
