import { z } from "zod";
import { StepReply } from "./step.js";

export const TranscriptStep = StepReply.extend({ action: z.string().describe("What the agent wrote.") }).meta({
  id: "TranscriptStep",
});

export const Transcript = z
  .object({
    steps: z.array(TranscriptStep),
    next: z.int().min(0).nullable().describe("`from` of the next page; null on the last."),
  })
  .meta({ id: "Transcript" });
