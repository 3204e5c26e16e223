import { z } from "zod";
import { EnvironmentName } from "./environment.js";
import { ErrorReply } from "./error.js";
import { Info } from "./observation.js";

const longestBatch = 4096;

const Answer = z.strictObject({
  task: z.strictObject({
    split: z.string().min(1).max(200).optional().describe("Defaults to the environment's first split."),
    index: z.int().min(0),
  }),
  answer: z.string().describe("What the model wrote."),
  steps: z.int().min(0).optional().describe("Steps that the answer took, for rewards that count them."),
  tokens: z.int().min(0).optional().describe("Tokens that the answer took, for rewards that count them."),
});

export const RewardBody = z
  .strictObject({
    environment: EnvironmentName,
    options: z
      .record(z.string().max(100), z.string().max(100))
      .optional()
      .describe("By the environment's options; its defaults for what is left out."),
    answers: z.array(Answer).max(longestBatch),
  })
  .meta({ id: "RewardRequest" });

const Verdict = z
  .object({ reward: z.number(), info: Info.describe("How the reward came about. Not for the agent.") })
  .meta({ id: "Verdict" });

export const RewardReply = z
  .object({
    environment: z.string().describe("`id@version`"),
    results: z.array(z.union([Verdict, ErrorReply])).describe("In the order of the answers."),
  })
  .meta({ id: "RewardReply" });
