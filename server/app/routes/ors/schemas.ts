/** Messages of the Open Reward Standard, as the Python package openreward 0.1 sends and reads them. */
import { z } from "zod";
import { CreateBody, PromptedFormat } from "../../../operations/schemas/episode.js";

const { seed, options, maxSteps } = CreateBody.shape;

const split = z.string().max(200);
const index = z.int().min(0);

/** The task as `/task` returned it. Other keys, such as its title, come back with it and have no effect. */
const TaskSpec = z
  .looseObject({
    split: split.nullish().describe("Default: the environment's default split."),
    index,
    seed: seed.unwrap().nullish().describe("Seed of all randomness in the episode. Default: 0."),
    options: options.unwrap().nullish().describe("Values for the environment's options."),
    format: PromptedFormat.nullish(),
    max_steps: maxSteps.unwrap().nullish().describe("Number of steps after which the episode is truncated."),
  })
  .meta({ id: "OrsTaskSpec" });

export const CreateSession = z
  .object({
    env_name: z.string().max(200).nullish().describe("Default: the environment in the header `X-Deployment`."),
    task_spec: TaskSpec.nullish(),
    split: split.nullish(),
    index: index.nullish(),
    toolset_name: z.null().optional().describe("Toolsets are not supported."),
  })
  .refine(({ task_spec, index: at }) => (task_spec ?? null) === null || (at ?? null) === null, {
    error: "Invalid task: expected either task_spec or index, but received both",
  })
  .refine(({ task_spec, index: at }) => (task_spec ?? null) !== null || (at ?? null) !== null, {
    error: "Invalid task: expected task_spec or index, but received neither",
  });

export const Call = z.object({
  name: z.string().max(200).describe("Name of the tool."),
  input: z.record(z.string(), z.unknown()).default({}).describe("Arguments of the tool."),
  task_id: z
    .string()
    .max(100)
    .nullish()
    .describe("Id from the event `task_id` of an earlier stream that broke. The step is taken only once."),
});

const detail = z.null();
const TextBlock = z.object({ type: z.literal("text"), text: z.string(), detail });
const ImageBlock = z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string(), detail });
export const Blocks = z.array(z.union([TextBlock, ImageBlock])).meta({ id: "OrsBlocks" });

export const Tools = z
  .object({
    tools: z.array(
      z.object({ name: z.string(), description: z.string(), input_schema: z.record(z.string(), z.unknown()) }),
    ),
  })
  .meta({ id: "OrsTools" });

export const SessionReply = z.object({ sid: z.string() });

export const ErrorDetail = z.object({ detail: z.string() }).meta({ id: "OrsError" });

/** Result of a call, in the events `chunk` and `end` of its stream. */
export const CallResult = z
  .discriminatedUnion("ok", [
    z.object({
      ok: z.literal(true),
      output: z.object({
        blocks: Blocks,
        metadata: z.object({ episode_id: z.string(), step_count: z.int() }),
        reward: z.number().nullable(),
        finished: z.boolean(),
      }),
    }),
    z.object({
      ok: z.literal(false),
      error: z.string(),
      reason: z.enum(["not_found", "input_validation", "episode_finished"]),
    }),
  ])
  .meta({ id: "OrsCallResult" });
