/** Shapes of training runs and evaluations. They are read from files, so most fields may be missing. */
import { z } from "zod";

const time = z.iso.datetime();
const numbers = z.array(z.number().nullable());

export const RunName = z
  .string()
  .min(1)
  .max(400)
  .describe("Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL.");

const level = z.enum(["green", "amber", "red"]);

const Finding = z.object({
  check: z.string().describe("What was checked, such as `entropy`."),
  level,
  cause: z.string().describe("One sentence with the figures."),
  change: z.string().nullable().describe("Settings to change, with their names in backquotes; null if green."),
});

const startProgress = {
  phase: z
    .enum(["experts", "language", "cloning"])
    .describe("Playing experts' episodes, reading first observations for the tokenizer, or cloning."),
  done: z.int().describe("Episodes, or steps of cloning."),
  total: z.int(),
};

const TrainingSummary = z
  .object({
    trainSteps: z.int().describe("Train steps that are done."),
    totalTrainSteps: z.int().nullable().describe("Train steps that were asked for, if known."),
    successRate: z.number().nullable().describe("Share of solved episodes in the newest train step."),
    heldOut: z.number().nullable().describe("Share of solved held-out tasks in the newest evaluation."),
    health: z
      .object({ level, cause: z.string() })
      .nullable()
      .describe("The worst finding about the run's health, or null before the third train step."),
    start: z
      .object(startProgress)
      .nullable()
      .describe("Newest progress in making the starting model, or null if the run started from a model."),
    algorithm: z.string().nullable(),
    model: z.string().nullable().describe("Model that the run started from, or null for the small default model."),
  })
  .meta({ id: "TrainingSummary" });

const EvaluationSummary = z
  .object({
    environment: z.string().nullable(),
    split: z.string().nullable(),
    policy: z.string().nullable(),
    k: z.int().nullable().describe("Episodes of each task."),
    episodes: z.int().describe("Episodes that were played to their end."),
    planned: z.int().nullable().describe("Episodes that were asked for, if known."),
    progress: z
      .object({
        done: z.int().describe("Episodes of the plan that are played, lost ones included."),
        planned: z.int(),
        secondsLeft: z
          .number()
          .nullable()
          .describe("Seconds until the run ends, at its rate so far; null before its first episode."),
      })
      .nullable()
      .describe("Progress of the newest `palestra eval` in the folder, or null if it wrote no plan."),
    successRate: z.number().nullable(),
    meanScore: z.number().nullable(),
  })
  .meta({ id: "EvaluationSummary" });

const common = {
  run: RunName,
  title: z.string(),
  createdAt: time,
  updatedAt: time,
  live: z.boolean().describe("Whether a process is writing to the run's folder."),
  problem: z.string().nullable().describe("Reason why a file of the run could not be read, or null."),
};

const Training = z.object({ ...common, kind: z.literal("training"), summary: TrainingSummary });
const Evaluated = z.object({ ...common, kind: z.literal("evaluation"), summary: EvaluationSummary });

export const RunList = z
  .object({
    runs: z.array(z.discriminatedUnion("kind", [Training, Evaluated])).describe("The runs, newest first."),
    truncated: z.boolean().describe("Whether the folders have more runs than the list."),
  })
  .meta({ id: "RunList" });

const loose = z.record(z.string(), z.unknown());

export const RunReply = z
  .discriminatedUnion("kind", [
    Training.extend({
      settings: loose.describe("Settings of the run, without secrets."),
      health: z.array(Finding).describe("Findings about the run's health, empty before the third train step."),
      start: z
        .object({
          ...startProgress,
          epoch: z.int().nullable().describe("Pass of cloning over the episodes, from 1."),
          epochs: z.int().nullable(),
          loss: z.number().nullable().describe("Loss of the newest step of cloning, in nats per token."),
          secondsLeft: z.number().nullable().describe("Seconds until the phase ends, at its rate so far."),
          losses: z
            .array(z.object({ step: z.int(), loss: z.number() }))
            .describe("Steps of cloning with their losses."),
        })
        .nullable()
        .describe("How the starting model is made, or null if the run started from a model."),
      engine: loose.nullable().describe("Facts about the engine, or null if they are not known."),
      groupSteps: z
        .object({ first: z.int(), last: z.int(), count: z.int() })
        .nullable()
        .describe("Train steps whose groups are logged, or null if none are."),
    }),
    Evaluated.extend({
      settings: loose.describe("The measurement: environment, policy and its settings."),
      report: loose.nullable().describe("The content of report.json, or null before it is written."),
      statuses: z.record(z.string(), z.int()).describe("Number of episodes by status."),
      families: z.array(z.string()).describe("Kinds of tasks, in alphabetical order."),
    }),
  ])
  .meta({ id: "Run" });

export const MetricsPage = z
  .object({
    records: z.array(z.looseObject({ step: z.int(), time: z.number() })).describe("Lines of metrics.jsonl."),
    next: z.int().describe("Value of `from` for the next request."),
    mark: z.string().nullable().describe("Value of `mark` for the next request; null before the first record."),
    total: z.int().describe("Number of records. More can be read if it is larger than `next`."),
    restarted: z
      .boolean()
      .describe(
        "Whether the run was resumed from an earlier step, so that records before `from` have changed. The reply then starts at record 0.",
      ),
    live: z.boolean(),
  })
  .meta({ id: "MetricsPage" });

const played = z.looseObject({ environment: z.string(), split: z.string(), index: z.int() });

const LoggedRollout = z.object({
  episodeId: z.string(),
  row: z.int().nullable().describe("Number of the row, if the episode has several rows."),
  seat: z.string().optional().describe("Seat whose player's row it is. Absent if the environment has one player."),
  return: z.number(),
  solved: z.boolean(),
  status: z.enum(["terminated", "truncated", "limit", "failed"]),
  failure: z.looseObject({ class: z.string(), code: z.string(), message: z.string() }).optional(),
  advantage: z.number().nullable().describe("Mean of the sampled tokens; null if the step did not learn from the row."),
  tokens: z.int(),
  sampledTokens: z.int(),
  steps: z.int(),
});

const LoggedGroup = z.object({
  group: z.string(),
  task: played,
  minVersion: z.int().nullable().describe("Oldest policy version that sampled a token."),
  maxVersion: z.int().nullable(),
  leftOut: z
    .string()
    .nullable()
    .describe("Reason why the step did not learn from the group (`filtered`, `failed`, `stale`), or null."),
  rollouts: z.array(LoggedRollout),
});

export const GroupsReply = z
  .object({
    step: z.int(),
    previous: z.int().nullable().describe("Nearest earlier train step with logged groups."),
    next: z.int().nullable().describe("Nearest later train step with logged groups."),
    groups: z.array(LoggedGroup),
  })
  .meta({ id: "TrainStepGroups" });

export const RolloutReply = z
  .object({
    step: z.int(),
    group: z.string(),
    index: z.int(),
    task: played,
    rollout: LoggedRollout,
    tokens: z.array(z.int()).describe("Token ids. The other arrays have an entry for each of them."),
    texts: z
      .array(z.string())
      .nullable()
      .describe(
        "Text of each token; null without a tokenizer. A character of several tokens is the text of the last of them.",
      ),
    mask: z.array(z.int()).describe("1 for sampled tokens, 0 for given ones."),
    logprobs: numbers.describe("Log-probability when sampled, in nats; null where the mask is 0."),
    advantages: numbers.describe("Advantage; null where the mask is 0, or if the step did not learn from the row."),
    versions: numbers.describe("Policy version that sampled the token; null where the mask is 0."),
    steps: z.array(z.object({ first: z.int(), end: z.int(), action: z.string(), reward: z.number() })),
  })
  .meta({ id: "LoggedRollout" });

const EvaluationEpisode = z.looseObject({
  index: z.int().describe("Number of the episode in the file."),
  played,
  sample: z.int(),
  family: z.string().optional(),
  status: z.string(),
  score: z.number(),
  solved: z.boolean(),
  failureKind: z.string().optional().describe("Kind of failure. Absent for a solved episode."),
  wallMs: z.number(),
  steps: z.int(),
  opening: z.string().describe("First observation, cut to 200 characters."),
});

export const EpisodesPage = z
  .object({
    episodes: z.array(EvaluationEpisode),
    next: z.int().nullable().describe("Value of `from` for the next page, or null."),
    matching: z.int().describe("Number of episodes that match."),
    total: z.int().describe("Number of episodes in the file. A failed episode that was played again counts once."),
    live: z.boolean(),
  })
  .meta({ id: "EvaluationEpisodes" });

export const SearchReply = z
  .object({
    episodes: z.array(
      EvaluationEpisode.extend({
        found: z
          .object({ turn: z.int().nullable().describe("Number of the turn, from 1."), text: z.string() })
          .describe("Text around the first word that was found."),
      }),
    ),
    next: z.int().nullable().describe("Value of `from` to search further, or null at the end of the file."),
    end: z.int().describe("Line before which the search ended. A live evaluation adds lines from there on."),
    searched: z.int().describe("Number of episodes before that line."),
    total: z.int().describe("Number of episodes in the file."),
    live: z.boolean(),
  })
  .meta({ id: "EvaluationSearch" });

export const EpisodeRecord = z
  .looseObject({
    index: z.int(),
    played,
    sample: z.int(),
    status: z.string(),
    score: z.number(),
    solved: z.boolean(),
    opening: z.string(),
    prompt: z.string().optional().describe("Instructions of the environment."),
    turns: z.array(
      z.looseObject({
        reply: z.string(),
        action: z.string().optional(),
        observation: z.string(),
        reward: z.number(),
      }),
    ),
  })
  .meta({ id: "EvaluationEpisode" });
