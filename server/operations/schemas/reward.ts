import { z } from "zod";
import { EnvironmentName } from "./environment.js";
import { ErrorReply } from "./error.js";
import { Info } from "./observation.js";

const longestBatch = 4096;

const Answer = z.strictObject({
  task: z.strictObject({
    split: z.string().min(1).max(200).optional().describe("Default: the environment's default split."),
    index: z.int().min(0),
  }),
  answer: z.string().describe("Text that the model wrote."),
  steps: z.int().min(0).optional().describe("Number of steps that the answer took, for rewards that use it."),
  tokens: z.int().min(0).optional().describe("Number of tokens that the answer took, for rewards that use it."),
});

export const RewardBody = z
  .strictObject({
    environment: EnvironmentName,
    options: z
      .record(z.string().max(100), z.string().max(100))
      .optional()
      .describe("Values for the environment's options. Missing ones get the environment's defaults."),
    answers: z.array(Answer).max(longestBatch),
  })
  .meta({ id: "RewardRequest" });

const AnswerReward = z
  .object({
    reward: z.number(),
    info: Info.describe("Details of the reward. Not for the agent."),
    expected: z.unknown().optional().describe("The right answer, if the caller's token has the right `expert`."),
  })
  .meta({ id: "AnswerReward" });

export const RewardReply = z
  .object({
    environment: z.string().describe("`id@version`"),
    results: z.array(z.union([AnswerReward, ErrorReply])).describe("In the order of the answers."),
  })
  .meta({ id: "RewardReply" });
