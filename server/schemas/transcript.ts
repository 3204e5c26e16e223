import { z } from "zod";
import { Info, ObservationPart } from "./observation.js";
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

export const Opening = z
  .object({ observation: z.string(), parts: z.array(ObservationPart).optional(), info: Info })
  .meta({ id: "Opening" });
