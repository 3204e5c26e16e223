import { z } from "zod";
import { Tool } from "./environment.js";
import { EpisodeId } from "./episode.js";
import { Info, ObservationPart } from "./observation.js";
import { StepBody } from "./step.js";

/** Longest time for which a call waits for a seat's turn, in milliseconds. */
const longestWaitMs = 30_000;

export const seatPath = z.object({
  episodeId: EpisodeId,
  seat: z
    .string()
    .regex(/^[a-z0-9-]{1,100}$/, "Invalid seat: expected lower-case letters, digits and dashes")
    .describe("Name of a seat."),
});

const WaitMs = z
  .int()
  .min(0)
  .max(longestWaitMs)
  .default(0)
  .describe("Milliseconds to wait until the seat acts next or the episode has ended.");

export const SeatQuery = z.strictObject({ waitMs: WaitMs });

export const SeatStepBody = StepBody.extend({ waitMs: WaitMs }).meta({ id: "SeatStepRequest" });

export const SeatView = z
  .object({
    seat: z.string(),
    turn: z.string().nullable().describe("Seat that acts next; null after the end."),
    index: z.int().min(0).describe("Number of steps so far, of all seats, and index of the next step."),
    observation: z
      .string()
      .nullable()
      .describe("Observation of the seat's turn, or of the end of the task; null while another seat acts."),
    parts: z.array(ObservationPart).optional(),
    reward: z.number().describe("Sum of the seat's rewards since its last action."),
    return: z.number().describe("Sum of the seat's rewards."),
    terminated: z.boolean().describe("Whether the task itself has ended."),
    truncated: z.boolean().describe("Whether a limit outside the task was reached."),
    info: Info,
    prompt: z.string().describe("Instructions for the player of the seat, in the episode's format."),
    tools: z.array(Tool).readonly().describe("The seat's actions as function definitions."),
  })
  .meta({ id: "SeatView" });
