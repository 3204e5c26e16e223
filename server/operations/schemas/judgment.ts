import { z } from "zod";
import { EnvironmentName } from "./environment.js";
import { EpisodeId, TaskRef } from "./episode.js";

const Choice = z
  .enum(["left", "right", "tie", "bad"])
  .describe("`left`, `right`: this episode is better. `tie`: both are equally good. `bad`: both are bad.");

const Rater = z.string().trim().min(1).max(100).describe("Name of the person who judges.");

export const JudgmentBody = z
  .strictObject({
    left: EpisodeId,
    right: EpisodeId,
    choice: Choice,
    rater: Rater,
    note: z.string().max(2_000).default("").describe("Reason for the choice."),
  })
  .meta({ id: "JudgmentRequest" });

export const Judgment = z
  .object({
    number: z.int().min(1).describe("Number among the caller's judgments, oldest first."),
    left: EpisodeId,
    right: EpisodeId,
    choice: Choice,
    rater: z.string(),
    note: z.string(),
    environment: z.string().describe("`id@version`"),
    task: TaskRef,
    seed: z.int().min(0),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Judgment" });

export const JudgmentQuery = z.strictObject({
  before: z.int().min(1).optional().describe("Number of a judgment: the page has older ones."),
  limit: z.int().min(1).max(1000).default(100),
});

export const JudgmentPage = z
  .object({
    judgments: z.array(Judgment),
    next: z.int().nullable().describe("`before` of the next page; null on the last page."),
  })
  .meta({ id: "JudgmentPage" });

export const NextPairQuery = z.strictObject({
  rater: Rater,
  environment: EnvironmentName.optional().describe("Only pairs of this environment."),
});

export const NextPair = z
  .object({
    pair: z
      .object({ left: EpisodeId, right: EpisodeId })
      .nullable()
      .describe("Two episodes of one task with different actions, in random order; null if the rater has judged all."),
    remaining: z.int().min(0).describe("Number of pairs that the rater has not judged, this one included."),
  })
  .meta({ id: "NextPair" });

export const Agreement = z
  .object({
    judgedPairs: z.int().min(0).describe("Number of pairs of episodes that were judged."),
    raters: z.array(z.object({ name: z.string(), judged: z.int().min(1) })),
    pairs: z
      .array(
        z.object({
          raters: z.array(z.string()).length(2),
          shared: z.int().min(1).describe("Number of pairs of episodes that both raters judged."),
          agreed: z.int().min(0).describe("Number of these on which both made the same choice."),
          kappa: z.number().nullable().describe("Cohen's kappa; null if both made the same single choice throughout."),
        }),
      )
      .describe("Agreement of each two raters, from their newest judgments."),
    alpha: z
      .number()
      .nullable()
      .describe("Krippendorff's alpha of all raters, for nominal data; null if no two raters judged the same pair."),
  })
  .meta({ id: "Agreement" });
