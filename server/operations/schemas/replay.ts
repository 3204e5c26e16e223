import { z } from "zod";
import { ErrorBody } from "./error.js";

const Result = z.object({
  index: z.int().min(0).nullable().describe("Index of the step; null for the reset."),
  equal: z.boolean().describe("Whether the replay gave the bytes in the log."),
  logged: z.string().optional().describe("JSON text in the log, if the results differ."),
  replayed: z.string().optional().describe("JSON text that the replay gave, if the results differ."),
  recorded: z
    .literal(true)
    .optional()
    .describe("Present if the replay used answers of services outside the gym that are in the log."),
});

const End = z.object({
  steps: z.int().min(0).describe("Number of steps of the episode when the replay began."),
  proved: z.boolean().describe("Whether the reset and all of these steps gave the bytes in the log."),
});

const Failure = z.object({ error: ErrorBody }).describe("The replay could not go on.");

export const ReplayLine = z.union([Result, End, Failure]).meta({ id: "ReplayLine" });
