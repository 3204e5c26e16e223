import { z } from "zod";

export const EnvironmentName = z
  .string()
  .min(1)
  .max(100)
  .describe(
    "`textcraft` for the newest version, `textcraft@1` for that one, `sciworld@jvm` for an engine that has a name.",
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
        "JSON Schema of a call's arguments. All are required, and each is text, a whole number or a list of texts, unless the action ends with `{arguments}`.",
      ),
    action: z
      .string()
      .describe(
        'The action that a call stands for: `get {count} {item}`. The entries of a list have `, ` between them. A text whose name stands in quotation marks, `"{text}"`, is written as JSON. `{arguments}` at the end stands for all of them as one JSON object.',
      ),
  })
  .meta({ id: "Tool" });

export const EnvironmentInfo = z
  .object({
    id: z.string(),
    version: z
      .union([z.int().min(1), z.string()])
      .describe("A number that rises, or the name of another engine behind the same id."),
    summary: z.string(),
    splits: z.record(z.string(), z.object({ size: z.int().min(1), summary: z.string() })),
    defaultSplit: z.string().describe("The split meant where a task names none."),
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
        "How an episode can be played. Of each option's values the first is the default; its prompt, tools and rewardRange, if any, stand in for the environment's.",
      ),
    maxSteps: z.int().min(1).describe("The step at which an episode is truncated."),
    rewardRange: z.array(z.number()).length(2).describe("Lowest and highest reward of one step."),
    solvedReward: z.number().describe("The least that the rewards of an episode add up to where its task was solved."),
    familyKey: z
      .string()
      .nullable()
      .describe("The entry of an episode's first `info` that tells what kind of task it is; null where there is none."),
    prompt: z.string().describe("Instructions for an agent."),
    tools: z.array(Tool).describe("Actions as functions, for agents that call functions; empty where there are none."),
    restore: z
      .enum(["clone", "replay", "none"])
      .describe("How an episode comes back after its instance is gone; `none`: it does not."),
    queries: z
      .record(z.string(), z.object({ summary: z.string() }))
      .describe("What a running episode can be asked, by name; the episode goes on the same."),
    hasExpert: z.boolean(),
    hasVerifier: z.boolean().describe("Whether it scores answers without an episode."),
    rendersPictures: z.boolean(),
    available: z.boolean().describe("Whether this machine has all that the environment needs."),
    requirements: z.array(
      z.object({ name: z.string(), available: z.boolean(), detail: z.string(), howToGet: z.string() }),
    ),
  })
  .meta({ id: "Environment" });

export const EnvironmentList = z.object({ environments: z.array(EnvironmentInfo) }).meta({ id: "EnvironmentList" });

export const TaskSummary = z
  .object({ split: z.string(), index: z.int().min(0), title: z.string().describe("What has to be done.") })
  .meta({ id: "TaskSummary" });

export const TaskPage = z
  .object({
    tasks: z.array(TaskSummary),
    next: z.int().min(0).nullable().describe("`from` of the next page; null on the last."),
  })
  .meta({ id: "TaskPage" });

export const TaskQuery = z.strictObject({
  split: z.string().min(1).max(200).optional().describe("Defaults to the environment's first split."),
  from: z.int().min(0).default(0).describe("Index of the first task of the page."),
  limit: z.int().min(1).max(1000).default(100).describe("Tasks of the page, at most."),
});
