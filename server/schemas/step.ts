import { z } from "zod";
import { EpisodeId } from "./episode.js";
import { ErrorReply } from "./error.js";
import { Info, ObservationPart } from "./observation.js";

const longestBatch = 4096;

export const StepBody = z
  .strictObject({
    index: z
      .int()
      .min(0)
      .describe(
        "How many steps the episode has had. A step already taken gives its stored reply if the action is the same.",
      ),
    action: z.string().describe("What the agent wrote."),
  })
  .meta({ id: "StepRequest" });

export const StepReply = z
  .object({
    index: z.int().min(0),
    observation: z.string(),
    parts: z.array(ObservationPart).optional(),
    reward: z.number(),
    terminated: z.boolean().describe("The task itself has ended."),
    truncated: z.boolean().describe("A limit from outside the task was reached."),
    info: Info,
  })
  .meta({ id: "StepReply" });

export const StepManyBody = z
  .strictObject({ steps: z.array(StepBody.extend({ episodeId: EpisodeId })).max(longestBatch) })
  .meta({ id: "StepManyRequest" });

export const StepManyReply = z
  .object({ results: z.array(z.union([StepReply, ErrorReply])).describe("In the order of the steps.") })
  .meta({ id: "StepManyReply" });
