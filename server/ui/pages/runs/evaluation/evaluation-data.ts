/** An evaluation: the content of report.json, and its figures as text. */
import { counted, decimal, type Estimate, estimated, grouped, percent } from "../../../numbers.js";

export interface Results {
  readonly tasks: number;
  readonly episodes: number;
  readonly successRate?: Estimate;
  readonly meanScore?: Estimate;
  readonly passAtK: readonly (Estimate & { readonly k: number; readonly tasks: number })[];
  readonly meanSteps?: number;
  readonly meanStepsSolved?: number;
}

export interface Lost {
  readonly class: string;
  readonly code: string;
  readonly status?: number;
  readonly count: number;
  readonly example: string;
  readonly remedy: string;
}

export interface SeatResults {
  readonly seat: string;
  readonly player: string;
  readonly episodes: number;
  readonly successRate?: Estimate;
  readonly meanReturn?: Estimate;
}

export interface Summary extends Results {
  readonly planned: number;
  readonly failed: number;
  readonly failures: readonly Lost[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly usage: {
    readonly requests: number;
    readonly promptTokens: number;
    readonly completionTokens: number;
    /** Number of retried requests by cause. */
    readonly retries?: Readonly<Record<string, number>>;
  };
  readonly cost?: number;
  readonly playSeconds: number;
  readonly families: readonly (Results & { readonly family: string })[];
  /** Results by seat and player, if the environment has several players. */
  readonly seats?: readonly SeatResults[];
}

export interface EpisodeDiagnosis {
  readonly repeatedActions: number;
  readonly unchangedObservations: number;
  readonly stalledRounds: number;
  readonly unreadReplies: number;
  readonly rounds: number;
}

export interface Worst {
  readonly index: number;
  readonly sample: number;
  readonly diagnosis: EpisodeDiagnosis;
}

export interface EvaluationReport {
  readonly environment: string;
  readonly split: string;
  readonly policy: string;
  readonly k: number;
  readonly seed: number;
  readonly maxRounds: number;
  readonly format: string;
  readonly options: Readonly<Record<string, string>>;
  readonly policySettings: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  readonly complete: boolean;
  readonly summary: Summary;
  readonly byRounds: readonly {
    readonly rounds: number;
    readonly solved: number;
    readonly episodes: number;
    readonly successRate?: Estimate;
  }[];
  readonly diagnosis?: {
    readonly progressSign: string;
    readonly repeatedActions: number;
    readonly longestRun: number;
    readonly unchangedObservations: number;
    readonly stalledRounds: number;
    readonly unreadReplies: number;
    readonly worst: readonly Worst[];
  };
}

export const seatColumns = ["seat", "player", "episodes", "success rate", "mean return of the seat"];

export function seatRow({ seat, player, episodes, successRate, meanReturn }: SeatResults): string[] {
  return [seat, player, `${episodes}`, estimated(successRate, percent), estimated(meanReturn, decimal)];
}

type Fact = readonly [name: string, value: string];

export function figuresOf(summary: Summary): Fact[] {
  const { usage, cost, failed, statuses } = summary;
  const ended = Object.entries(statuses).map(([status, count]) => `${status} ${count}`);
  const passes = summary.passAtK.filter(({ k }) => k > 1);
  return [
    ["success rate", estimated(summary.successRate, percent)],
    ["mean score", estimated(summary.meanScore, decimal)],
    ...passes.map(
      (pass): Fact => [`pass@${pass.k}`, `${estimated(pass, percent)} over ${counted(pass.tasks, "task")}`],
    ),
    [
      "episodes",
      `${summary.episodes} of ${summary.planned} planned${failed > 0 ? `, ${failed} lost to failures` : ""}`,
    ],
    ["tasks", `${summary.tasks}`],
    ["steps", `${decimal(summary.meanSteps, 1)}; of solved episodes ${decimal(summary.meanStepsSolved, 1)}`],
    ["ended", ended.join(", ") || "–"],
    ["time of play", `${decimal(summary.playSeconds, 1)} s over all episodes`],
    ...(usage.requests > 0 ? usageOf(usage) : []),
    ...(cost === undefined ? [] : [["cost", decimal(cost, 4)] as const]),
  ];
}

function usageOf({ requests, promptTokens, completionTokens, retries = {} }: Summary["usage"]): Fact[] {
  const causes = Object.entries(retries).map(([cause, count]) => `${cause} ${grouped(count)}`);
  return [
    ...(causes.length > 0 ? [["retries", causes.join(", ")] as const] : []),
    ["requests", grouped(requests)],
    ["tokens", `${grouped(promptTokens)} read, ${grouped(completionTokens)} written`],
  ];
}

export const familyColumns = ["family", "tasks", "episodes", "success rate", "mean score", "steps"];

export function familyRow({ family, tasks, episodes, successRate, meanScore, meanSteps }: Summary["families"][number]) {
  const rates = [estimated(successRate, percent), estimated(meanScore, decimal)];
  return [family, `${tasks}`, `${episodes}`, ...rates, decimal(meanSteps, 1)];
}

export function diagnosisOf({ diagnosis }: EvaluationReport): Fact[] {
  if (!diagnosis) return [];
  return [
    ["repeated actions", percent(diagnosis.repeatedActions)],
    ["longest run", decimal(diagnosis.longestRun, 1)],
    ["unchanged observations", percent(diagnosis.unchangedObservations)],
    ["rounds without progress", `${decimal(diagnosis.stalledRounds, 1)} (${diagnosis.progressSign})`],
    ["unread replies", percent(diagnosis.unreadReplies)],
  ];
}

/** Returns the signs that an agent was stuck, as text. */
export function stuckText({ diagnosis }: Worst): string {
  const { stalledRounds, rounds, repeatedActions, unchangedObservations, unreadReplies } = diagnosis;
  return [
    `${stalledRounds} of ${rounds} rounds without progress`,
    `${percent(repeatedActions)} of actions repeated`,
    `${percent(unchangedObservations)} of observations unchanged`,
    ...(unreadReplies > 0 ? [`${counted(unreadReplies, "reply", "replies")} unread`] : []),
  ].join(", ");
}

export function settingsOf({ k, seed, maxRounds, format, options, policySettings }: EvaluationReport): Fact[] {
  const all = { k, seed, maxRounds, format, ...options, ...policySettings };
  return Object.entries(all).map(([name, value]) => [name, String(value)]);
}

export const intervalNote =
  "Intervals are 95 % confidence intervals for tasks like these (Clopper-Pearson on the effective number of independent " +
  "episodes, after Korn and Graubard). Samples of one task are correlated. Episodes lost to failures of the gym or the policy " +
  "server are counted and left out of every other figure.";

export const roundsNote =
  "Each episode was played once, to the largest cap. Success within a smaller cap is read off its record. Playing again with " +
  "the smaller cap would give the same, because the agent is not told its cap.";

export const diagnosisNote =
  "Means over episodes. Repeated actions equal an earlier action of their episode. The longest run counts equal actions in a " +
  "row. An observation is unchanged if it equals the one before. Rounds without progress follow the last rise of the best " +
  "score or, if the environment gives no partial scores, the last new observation. A reply is unread if the action format " +
  "found no action in it.";
