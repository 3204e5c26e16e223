/** Messages of NeMo Gym's Gymnasium servers, as the agent `gymnasium_agent` of nemo-gym 0.7 sends and reads them. */
import { z } from "zod";
import { CreateBody, PromptedFormat } from "../../../operations/schemas/episode.js";

const { seed, options, maxSteps } = CreateBody.shape;
const { split, index } = CreateBody.shape.task.shape;

/** Body of a reset: a row of the dataset. Rows have more keys, such as `agent_ref`, which have no effect. */
export const ResetBody = z
  .looseObject({
    split: split.unwrap().nullish().describe("Default: the environment's default split."),
    index: index.nullish().describe("Task of the split. Default: the seed modulo the number of tasks."),
    seed: seed.unwrap().nullish().describe("Seed of all randomness in the episode. Default: 0."),
    options: options.unwrap().nullish().describe("Values for the environment's options."),
    format: PromptedFormat.nullish(),
    max_steps: maxSteps.unwrap().nullish().describe("Number of steps after which the episode is truncated."),
  })
  .meta({ id: "NemoReset" });

const Message = z.looseObject({
  type: z.literal("message"),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
});

const FunctionCall = z.looseObject({
  type: z.literal("function_call"),
  call_id: z.string().max(1_000),
  name: z.string().max(200),
  arguments: z.string().describe("JSON object."),
});

/** Reasoning, and calls of the provider's own tools. They have no effect. */
const OtherItem = z.looseObject({ type: z.string().regex(/^(?!(message|function_call)$)/) });

const mostItems = 256;

/** Body of a step: the row, and the model's response as an object of OpenAI's Responses API. */
export const StepBody = z
  .looseObject({
    response: z.looseObject({ output: z.array(z.union([FunctionCall, Message, OtherItem])).max(mostItems) }),
    _ng_step_request_id: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe("Id of the request. A repeated request gets the reply to the first one."),
  })
  .meta({ id: "NemoStep" });

export const ResetReply = z
  .object({ observation: z.string(), info: z.record(z.string(), z.unknown()) })
  .meta({ id: "NemoResetReply" });

export const StepReply = z
  .object({
    observation: z.string().nullable().describe("Null if the observations are in `info.tool_outputs`."),
    reward: z.number().describe("Sum of the rewards of the steps of this response."),
    terminated: z.boolean(),
    truncated: z.boolean(),
    info: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "NemoStepReply" });

export const RowsQuery = z.strictObject({
  split: split.describe("Default: the environment's default split."),
  from: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
});

export const MetricsBody = z.looseObject({ verify_responses: z.array(z.record(z.string(), z.unknown())) });
