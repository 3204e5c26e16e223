import { z } from "zod";
import { EnvironmentName } from "./environment.js";
import { EpisodeId } from "./episode.js";

export const ExportFormat = z
  .enum(["html", "eval", "atif", "json"])
  .describe(
    "`html`: a page that needs no gym. `eval`: a log of Inspect. `atif`: Harbor's trajectory format. `json`: facts, first observation and steps.",
  );

export const TrainingFormat = z
  .enum(["openai", "agentgym", "steps", "preferences"])
  .describe(
    "Training data as JSON lines, from the episodes that have ended: see `palestra export`. An episode whose steps have more than 33,554,432 characters is left out.",
  );

export const PairChoice = z
  .enum(["best", "all", "judged"])
  .describe(
    "Pairs of `preferences`: the best and the worst episode of each task, all episodes of a task whose returns differ, or the pairs that people judged.",
  );

export const mostEpisodes = 10_000;

export const ExportQuery = z.strictObject({ format: ExportFormat.default("json") });

export const RunExportQuery = z.strictObject({
  format: z
    .enum(["html", "eval"])
    .default("html")
    .describe("`html`: a page that needs no gym. `eval`: an evaluation as a log of Inspect."),
});

export const ExportBody = z
  .strictObject({
    format: z.union([ExportFormat, TrainingFormat]),
    episodeIds: z
      .array(EpisodeId)
      .min(1)
      .max(mostEpisodes)
      .optional()
      .describe("Episodes to export. Default: the caller's newest ones."),
    pairs: PairChoice.default("best"),
    environment: EnvironmentName.optional().describe("Without `episodeIds`: only episodes of this environment."),
    split: z.string().min(1).max(200).optional().describe("Without `episodeIds`: only episodes of this split."),
    limit: z.int().min(1).max(mostEpisodes).default(1_000).describe("Without `episodeIds`: most episodes to export."),
  })
  .meta({ id: "ExportRequest" });
