import { z } from "zod";
import { episodeFormats } from "../../formats/actions/action-formats.js";

export const EnvironmentName = z
  .string()
  .min(1)
  .max(100)
  .describe(
    "`textcraft` for the newest version, `textcraft@1` for version 1, `sciworld@jvm` for an engine with a name.",
  );

export const Tool = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: z
      .looseObject({
        type: z.literal("object"),
        properties: z.record(z.string(), z.looseObject({})).optional(),
        required: z.array(z.string()).optional(),
      })
      .describe(
        "JSON Schema of a call's arguments. Unless the action ends with `{arguments}`, all are required, and each is a string, an integer or a list of strings.",
      ),
    action: z
      .string()
      .describe(
        'Template of the action for a call, such as `get {count} {item}`. The entries of a list are joined with `, `. A string whose placeholder is in quotation marks, `"{text}"`, is written as JSON. `{arguments}` at the end inserts all arguments as one JSON object.',
      ),
  })
  .meta({ id: "Tool" });

export const EnvironmentInfo = z
  .object({
    id: z.string(),
    version: z
      .union([z.int().min(1), z.string()])
      .describe(
        "A number that rises with each change of behaviour, or the name of another engine for the same environment.",
      ),
    summary: z.string(),
    splits: z.record(
      z.string(),
      z.object({
        size: z.int().min(1),
        summary: z.string(),
        options: z
          .record(z.string(), z.string())
          .optional()
          .describe("Values of options for tasks of this split, in place of the environment's defaults."),
      }),
    ),
    defaultSplit: z.string().describe("Split of a task that names none."),
    options: z
      .record(
        z.string(),
        z.object({
          summary: z.string(),
          values: z.record(
            z.string(),
            z.object({
              summary: z.string(),
              prompt: z.string().optional(),
              tools: z.array(Tool).readonly().optional(),
              rewardRange: z.array(z.number()).length(2).readonly().optional(),
            }),
          ),
        }),
      )
      .describe(
        "Options of an episode. The first value of each option is its default, unless the split has another. A value's prompt, tools and rewardRange replace those of the environment.",
      ),
    maxSteps: z.int().min(1).describe("Number of steps after which an episode is truncated."),
    rewardRange: z.array(z.number()).length(2).describe("Lowest and highest reward of one step."),
    solvedReward: z.number().describe("Lowest return of an episode whose task was solved."),
    familyKey: z
      .string()
      .nullable()
      .describe("Key in the `info` of a reset that names the kind of task; null if there is none."),
    prompt: z.string().describe("Instructions for an agent."),
    formats: z.array(z.enum(episodeFormats)).readonly().describe("Formats in which an episode can be opened."),
    promptFormat: z.enum(["plain", "react"]).describe("Format for which the prompt asks."),
    tools: z.array(Tool).describe("Actions as tools, for agents that call tools; empty if there are none."),
    seats: z
      .record(z.string(), z.object({ summary: z.string(), prompt: z.string(), tools: z.array(Tool).readonly() }))
      .nullable()
      .describe("Seats of an environment with several players, in the order of play; null if there is one player."),
    restore: z
      .enum(["clone", "replay", "none"])
      .describe("How an episode is restored after its instance is gone; `none`: it cannot be."),
    queries: z
      .record(z.string(), z.object({ summary: z.string() }))
      .describe("Questions that a running episode answers without using up a step, by name."),
    hasExpert: z.boolean(),
    hasVerifier: z.boolean().describe("Whether the environment scores answers without an episode."),
    rendersPictures: z.boolean(),
    available: z.boolean().describe("Whether this machine meets all requirements."),
    requirements: z.array(
      z.object({ name: z.string(), available: z.boolean(), detail: z.string(), howToGet: z.string() }),
    ),
  })
  .meta({ id: "Environment" });

export const EnvironmentList = z.object({ environments: z.array(EnvironmentInfo) }).meta({ id: "EnvironmentList" });

export const TaskSummary = z
  .object({ split: z.string(), index: z.int().min(0), title: z.string().describe("The goal of the task.") })
  .meta({ id: "TaskSummary" });

export const TaskPage = z
  .object({
    tasks: z.array(TaskSummary),
    next: z
      .int()
      .min(0)
      .nullable()
      .describe("`from` of the next page; null on the last page. A page of a search may have fewer tasks."),
  })
  .meta({ id: "TaskPage" });

export const TaskQuery = z.strictObject({
  split: z.string().min(1).max(200).optional().describe("Default: the environment's default split."),
  from: z.int().min(0).default(0).describe("Index of the first task of the page."),
  limit: z.int().min(1).max(1000).default(100).describe("Most tasks of the page."),
  text: z.string().min(1).max(200).optional().describe("Only tasks with this text in their title."),
});
