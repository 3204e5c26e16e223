/** Messages of OpenEnv's protocol 1.x, as the Python packages openenv 0.10 and openenv-core 0.3 send and read them. */
import { z } from "zod";
import { CreateBody, PromptedFormat } from "../../../operations/schemas/episode.js";
import { ObservationPart } from "../../../operations/schemas/observation.js";

const { seed, options, maxSteps } = CreateBody.shape;
const { split, index } = CreateBody.shape.task.shape;

/** Arguments of a reset. OpenEnv's servers ignore unknown ones; here they are refused. */
export const ResetData = z
  .strictObject({
    seed: seed.unwrap().nullish().describe("Seed of all randomness in the episode. Default: 0."),
    split: split.unwrap().nullish().describe("Default: the environment's default split."),
    index: index.nullish().describe("Task of the split. Default: the seed modulo the number of tasks."),
    options: options.unwrap().nullish().describe("Values for the environment's options."),
    format: PromptedFormat.nullish(),
    max_steps: maxSteps.unwrap().nullish().describe("Number of steps after which the episode is truncated."),
    episode_id: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe("Id of an open episode, which then goes on. Any other id is given to the new episode."),
  })
  .meta({ title: "PalestraReset" });

const stepIndex = z
  .int()
  .min(0)
  .nullish()
  .describe("Number of steps so far. An earlier index with the same action gives the stored reply.");

/** The only required field is the text, so that clients may send what a model writes as it is. */
export const TextAction = z
  .strictObject({ message: z.string().describe("Text that the agent wrote."), index: stepIndex })
  .meta({ title: "PalestraAction" });

const CallAction = z.strictObject({
  type: z.literal("call_tool"),
  tool_name: z.string().max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
  index: stepIndex,
  metadata: z.unknown().optional(),
});

const ListAction = z.strictObject({ type: z.literal("list_tools"), metadata: z.unknown().optional() });

/** Action of a step: text, or one of OpenEnv's actions for tools. */
export const Action = z.union([TextAction, CallAction, ListAction], {
  error: "Invalid action: expected an object with `message`, or with a `type` of call_tool or list_tools",
});

export const Observation = z
  .object({
    text: z.string().describe("What the agent observes."),
    prompt: z.string().optional().describe("Instructions for the agent. Only after a reset."),
    parts: z.array(ObservationPart).optional().describe("Images or JSON values beside the text."),
  })
  .meta({ title: "PalestraObservation" });

export const State = z
  .object({
    episode_id: z.string().nullable(),
    step_count: z.int().min(0),
    environment: z.string().optional().describe("`id@version`"),
    split: z.string().optional(),
    index: z.int().min(0).optional(),
    seed: z.int().min(0).optional(),
    max_steps: z.int().min(1).optional(),
    phase: z.string().optional().describe("`running`, `ended`, `failed` or `closed`."),
  })
  .meta({ title: "PalestraState" });

export const Frame = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("reset"), data: ResetData.default({}) }),
  z.strictObject({ type: z.literal("step"), data: Action }),
  z.strictObject({ type: z.literal("state"), data: z.unknown().optional() }),
  z.strictObject({ type: z.literal("mcp"), data: z.unknown().optional() }),
  z.strictObject({ type: z.literal("close"), data: z.unknown().optional() }),
]);

/** Body of the route `/step`. The episode is named, since a request over HTTP has no session. */
export const StepBody = z.strictObject({
  action: Action,
  episode_id: z.string().min(1).max(64).describe("Id from the reply of the reset, in its `metadata`."),
  timeout_s: z.number().positive().nullish().describe("Ignored: the gym has a deadline for steps."),
  request_id: z.string().max(255).nullish().describe("Ignored: steps have an `index`."),
});

export const StateQuery = z.object({ episode_id: z.string().min(1).max(64).optional() });

export const Result = z
  .object({
    observation: z.record(z.string(), z.unknown()),
    reward: z.number().nullable(),
    done: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "OpenenvResult" });

export const RpcRequest = z.strictObject({
  jsonrpc: z.literal("2.0"),
  method: z.string().max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string().max(200), z.number(), z.null()]).default(null),
});
