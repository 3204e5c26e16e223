import { z } from "zod";
import { episodeFormats } from "../../formats/actions/action-formats.js";
import { episodeOrders } from "../../log/records/episode-filter.js";
import { outcomes, outcomeTable, phases, phaseTable } from "../../log/records/episode-state.js";
import { longestTag } from "../../log/records/notes.js";
import { EnvironmentName, Tool } from "./environment.js";
import { ErrorBody, ErrorReply } from "./error.js";
import { Note } from "./note.js";
import { Image, Info, ObservationPart } from "./observation.js";

const longestBatch = 4096;

export const EpisodeId = z.string().min(1).max(64).describe("Id from the reply that created the episode.");

export const TaskRef = z.object({ split: z.string(), index: z.int().min(0) }).meta({ id: "Task" });

export const ActionFormat = z
  .enum(episodeFormats)
  .describe(
    "How the gym reads an action in what the agent writes. `plain`: the text is the action. `react`: the line after `Action:`. `tool_call`: a call of one of the tools. `code`: one call in Python. Default: `plain`.",
  );

/** The format in protocols that bring what a model wrote. */
export const PromptedFormat = z
  .enum(episodeFormats)
  .describe(
    "How the gym reads an action in what the agent writes: `plain`, `react`, `tool_call` or `code`. Default: the format for which the environment's prompt asks.",
  );

const Label = z.string().min(1).max(200);

export const CreateBody = z
  .strictObject({
    environment: EnvironmentName,
    task: z.strictObject({
      split: z.string().min(1).max(200).optional().describe("Default: the environment's default split."),
      index: z.int().min(0),
    }),
    seed: z.int().min(0).default(0).describe("Seed of all randomness in the episode."),
    options: z
      .record(z.string().max(100), z.string().max(100))
      .optional()
      .describe("Values for the environment's options. Missing ones get the environment's defaults."),
    format: ActionFormat.optional(),
    maxSteps: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe("Number of steps after which the episode is truncated. Default: the environment's own limit."),
    leaseMs: z
      .int()
      .min(1_000)
      .max(86_400_000)
      .optional()
      .describe("Milliseconds without a call after which the instance is freed. The next call restores it."),
    run: Label.optional().describe("Name of the training run or evaluation that plays the episode, for lists."),
    policy: Label.optional().describe("Name of the policy that plays the episode, for lists."),
  })
  .meta({ id: "CreateRequest" });

export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,200}$/, "Invalid key: expected 1 to 200 printable ASCII characters")
  .describe("A repeated request with the same key returns the same episode.");

const Verdict = z
  .object({
    why: z.string().describe("Why the episode has this outcome, in one sentence."),
    expected: z.unknown().optional().describe("The right answer or final state, if the environment knows one."),
  })
  .meta({ id: "Verdict" });

const Ending = z.object({
  outcome: z.enum(outcomes).describe(outcomes.map((name) => `\`${name}\`: ${outcomeTable[name]}`).join(" ")),
  return: z
    .number()
    .nullable()
    .describe("Sum of all rewards, once a step has ended the episode. Null before, and in logs of older versions."),
  verdict: Verdict.nullable().describe(
    "The reason for the outcome of an ended episode. Null before the end, and for a token without the right `expert`.",
  ),
});

const Goal = z
  .string()
  .nullable()
  .describe("The goal in one sentence, or the title of the task. Null if the gym does not have the environment.");

export const Episode = z
  .object({
    episodeId: EpisodeId,
    environment: z.string().describe("`id@version`"),
    task: TaskRef,
    seed: z.int().min(0),
    options: z.record(z.string(), z.string()).describe("Value of each option of the environment."),
    format: z.enum(episodeFormats).describe("How the gym reads an action in what the agent writes."),
    prompt: z.string().describe("Instructions for an agent that plays with these options and in this format."),
    tools: z
      .array(Tool)
      .readonly()
      .describe("Actions as function definitions, for an episode with these options. Empty if actions are only text."),
    phase: z.enum(phases).describe(phases.map((phase) => `\`${phase}\`: ${phaseTable[phase]}`).join(" ")),
    index: z.int().min(0).describe("Number of steps so far, and index of the next step."),
    observation: z.string().describe("The newest observation."),
    parts: z.array(ObservationPart).optional(),
    reward: z.number().describe("Reward of the last step, or 0 before the first step."),
    terminated: z.boolean(),
    truncated: z.boolean(),
    turn: z.string().optional().describe("Seat that acts next. Absent once the task has ended, and without seats."),
    info: Info,
    expertUsed: z.boolean().describe("Whether the expert's advice was requested in this episode."),
    run: z.string().nullable().describe("Training run or evaluation that plays the episode, if the client named it."),
    policy: z.string().nullable().describe("Policy that plays the episode, if the client named it."),
    parent: z.string().nullable().describe("Id of the episode that this episode was forked from."),
    failure: ErrorBody.nullable(),
    ...Ending.shape,
    goal: Goal.optional().describe("As in the list of episodes. Only `GET /v1/episodes/{episodeId}` gives it."),
    notes: z
      .array(Note)
      .readonly()
      .optional()
      .describe("People's notes. Only `GET /v1/episodes/{episodeId}` gives them."),
    maxSteps: z.int().describe("Number of steps after which the episode is truncated."),
    leaseMs: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Episode" });

export const CreateManyBody = z
  .strictObject({ episodes: z.array(CreateBody).max(longestBatch) })
  .meta({ id: "CreateManyRequest" });

export const CreateManyReply = z
  .object({ results: z.array(z.union([Episode, ErrorReply])).describe("In the order of the requests.") })
  .meta({ id: "CreateManyReply" });

export const EpisodeQuery = z.strictObject({
  before: EpisodeId.optional().describe("Id of an episode: the page has older ones."),
  limit: z.int().min(1).max(1000).default(100),
  environment: EnvironmentName.optional().describe("Only episodes of this environment: `id`, or `id@version`."),
  split: z.string().min(1).max(200).optional().describe("Only episodes of this split."),
  task: z.int().min(0).optional().describe("Only episodes of the task with this index."),
  text: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Only episodes with this text in their id, environment, split, task, seed or options, or with its words in their goal.",
    ),
  outcome: z.enum(outcomes).optional().describe("Only episodes with this outcome."),
  since: z.iso.datetime({ offset: true }).optional().describe("Only episodes that were created at this time or later."),
  run: Label.optional().describe("Only episodes of this training run or evaluation."),
  policy: Label.optional().describe("Only episodes of this policy."),
  tag: z.string().min(1).max(longestTag).optional().describe("Only episodes with a note that has this tag."),
  order: z
    .enum(episodeOrders)
    .optional()
    .describe(
      "`highest` and `lowest` order by return, `longest` and `shortest` by steps; they list only episodes with a verdict. Default: `newest`.",
    ),
  detail: z
    .enum(["none", "state"])
    .default("none")
    .describe("`state` adds the phase, the newest step, the outcome and the verdict to each episode."),
});

const EpisodeState = z.object({
  phase: Episode.shape.phase,
  index: Episode.shape.index,
  reward: Episode.shape.reward,
  goal: Goal,
  notes: z.int().describe("Number of notes on the episode and its steps."),
  tags: z.array(z.string()).readonly().describe("Tags of these notes."),
  ...Ending.shape,
});

export const EpisodeSummary = Episode.pick({
  episodeId: true,
  environment: true,
  task: true,
  seed: true,
  options: true,
  format: true,
  run: true,
  policy: true,
  parent: true,
  createdAt: true,
})
  .extend({ state: EpisodeState.optional().describe("Present if the request has `detail=state`.") })
  .meta({ id: "EpisodeSummary" });

export const EpisodePage = z
  .object({
    episodes: z.array(EpisodeSummary),
    next: z
      .string()
      .nullable()
      .describe("`before` of the next page; null on the last page. With a filter, a page may have fewer episodes."),
  })
  .meta({ id: "EpisodePage" });

export const TranscriptQuery = z.strictObject({
  from: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(100),
});

export const ForkBody = z
  .strictObject({ index: z.int().min(0).optional().describe("Number of steps to keep. Default: all.") })
  .meta({ id: "ForkRequest" });

export const Advice = z
  .object({
    index: z.int().min(0).describe("Index of the step that the action is for."),
    action: z.string().nullable().describe("The action; null if the expert sees no way to the reward."),
  })
  .meta({ id: "Advice" });

export const Picture = z
  .object({ index: z.int().min(0).describe("Number of steps so far."), picture: Image })
  .meta({ id: "Picture" });

export const QueryName = z.string().min(1).max(100).describe("Name from the environment's `queries`.");

export const Answer = z
  .object({
    index: z.int().min(0).describe("Number of steps so far."),
    answer: z.unknown().describe("JSON value in the format that the environment's `queries` describes."),
  })
  .meta({ id: "Answer" });

export const Closed = z.object({ episodeId: EpisodeId, phase: z.literal("closed") }).meta({ id: "Closed" });
