import { z } from "zod";
import { StepReply } from "./step.js";

export const Transcript = z
  .object({
    steps: z.array(StepReply.extend({ action: z.string() })),
    next: z.int().nullable().describe("`from` of the next page; null on the last."),
  })
  .meta({ id: "Transcript" });
