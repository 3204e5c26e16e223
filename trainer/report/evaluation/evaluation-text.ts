/** Texts for the results of a benchmark run, for all formats of the report. */

import { counted } from "../../../server/formats/counted.js";
import { failureKinds, failureMeanings, failureNames } from "../../../server/formats/outcomes/failure.js";
import type { SeatResults } from "../../evaluation/by-seat.js";
import type { Diagnosis } from "../../evaluation/diagnosis.js";
import type { EvaluationReport } from "../../evaluation/evaluation.js";
import type { Estimate } from "../../evaluation/statistics.js";
import type { LostReason, Results, Summary } from "../../evaluation/summary.js";

export function percent(value: number | undefined): string {
  return value === undefined ? "-" : `${(100 * value).toFixed(1)} %`;
}

export function decimal(value: number | undefined, digits = 2): string {
  return value === undefined ? "-" : value.toFixed(digits);
}

export function estimated(estimate: Estimate | undefined, write: (value: number) => string): string {
  return estimate ? `${write(estimate.value)} ${intervalOf(estimate, write)}` : "-";
}

export function intervalOf(
  estimate: Pick<Estimate, "low" | "high"> | undefined,
  write: (value: number) => string,
): string {
  return estimate ? `[${write(estimate.low)}, ${write(estimate.high)}]` : "-";
}

/** Returns the results of a summary by name, for a table. */
export function figures(summary: Summary): [name: string, value: string][] {
  const { usage, cost } = summary;
  const retries = Object.entries(usage.retries ?? {}).map(([cause, count]) => `${cause} ${grouped(count)}`);
  const failed = summary.failed > 0 ? `, and ${summary.failed} lost to failures` : "";
  return [
    ["success rate", estimated(summary.successRate, percent)],
    ["mean score", estimated(summary.meanScore, decimal)],
    ...passes(summary),
    ["episodes", `${summary.episodes} of ${summary.planned} planned${failed}`],
    ["tasks", `${summary.tasks}`],
    ["steps", `${decimal(summary.meanSteps, 1)}; of solved episodes ${decimal(summary.meanStepsSolved, 1)}`],
    [
      "ended",
      Object.entries(summary.statuses)
        .map(([status, count]) => `${status} ${count}`)
        .join(", ") || "-",
    ],
    ...kindsFigure(summary),
    ["time of play", `${decimal(summary.playSeconds, 1)} s over all episodes`],
    ...(usage.requests > 0 ? [["requests", grouped(usage.requests)] as [string, string]] : []),
    ...(usage.requests > 0
      ? [
          ["tokens", `${grouped(usage.promptTokens)} read, ${grouped(usage.completionTokens)} written`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(retries.length > 0 ? [["retries", retries.join(", ")] as [string, string]] : []),
    ...(cost === undefined ? [] : [["cost", decimal(cost, 4)] as [string, string]]),
  ];
}

function kindsFigure({ failureKinds: counts }: Summary): [string, string][] {
  const found = failureKinds.flatMap((kind) => (counts[kind] ? [`${failureNames[kind]} ${counts[kind]}`] : []));
  return found.length > 0 ? [["failures", found.join(", ")]] : [];
}

/** Columns of the table of kinds of failure. */
export const kindColumns = ["kind of failure", "episodes", "meaning"];

/** Returns the rows of the table of kinds of failure. */
export function kindRows({ failureKinds: counts }: Pick<Summary, "failureKinds">): string[][] {
  return failureKinds.flatMap((kind) =>
    counts[kind] ? [[failureNames[kind], `${counts[kind]}`, failureMeanings[kind]]] : [],
  );
}

/** Returns the success rate within each round cap, for a table. */
export function roundsFigures({ byRounds }: Pick<EvaluationReport, "byRounds">): [name: string, value: string][] {
  return byRounds.map(({ rounds, solved, episodes, successRate }) => [
    `in ${counted(rounds, "round")}`,
    `${estimated(successRate, percent)}, ${solved} of ${counted(episodes, "episode")}`,
  ]);
}

/** Explanation of success by rounds. */
export const roundsNote =
  "Each episode was played once, to the largest cap; success within a smaller cap is read off its record. Playing again with " +
  "the smaller cap would give the same, because the agent is not told its cap and its random draws depend on the turn alone.";

/** Columns of the table of diagnoses. */
export const diagnosisColumns = [
  "repeated actions",
  "longest run",
  "unchanged observations",
  "rounds without progress",
  "unread replies",
];

export function diagnosisRow(diagnosis: Diagnosis): string[] {
  const { repeatedActions, longestRun, unchangedObservations, stalledRounds, unreadReplies, progressSign } = diagnosis;
  return [
    percent(repeatedActions),
    decimal(longestRun, 1),
    percent(unchangedObservations),
    `${decimal(stalledRounds, 1)} (${progressSign})`,
    percent(unreadReplies),
  ];
}

/** Returns the results of a diagnosis by name, for a table; empty if no episode was played to its end. */
export function diagnosisFigures({ diagnosis }: Pick<EvaluationReport, "diagnosis">): [name: string, value: string][] {
  if (!diagnosis) return [];
  const cells = diagnosisRow(diagnosis);
  return diagnosisColumns.map((name, at) => [name, cells[at] as string]);
}

/** Explanation of the diagnosis. */
export const diagnosisNote =
  "Means over episodes. Repeated actions equal an earlier action of their episode. The longest run counts equal actions in a " +
  "row. An observation is unchanged where it equals the one before. Rounds without progress follow the last rise of the best " +
  "score or, where the environment gives no partial scores, the last observation that was new. A reply is unread where the " +
  "action format found no action in it; what an environment itself calls invalid is not counted.";

/** Columns of the table of families. */
export const familyColumns = ["family", "tasks", "episodes", "success rate", "mean score", "steps"];

export function familyRow(results: Results & { family: string }): string[] {
  const { family, tasks, episodes, successRate, meanScore, meanSteps } = results;
  const rates = [estimated(successRate, percent), estimated(meanScore, decimal)];
  return [family, `${tasks}`, `${episodes}`, ...rates, decimal(meanSteps, 1)];
}

/** Columns of the table of seats. */
export const seatColumns = ["seat", "player", "episodes", "success rate", "mean return of the seat"];

export function seatRow({ seat, player, episodes, successRate, meanReturn }: SeatResults): string[] {
  return [seat, player, `${episodes}`, estimated(successRate, percent), estimated(meanReturn, decimal)];
}

/** Returns the results by seat by name, for a terminal. */
export function seatFigures({ seats = [] }: Pick<Summary, "seats">): [name: string, value: string][] {
  return seats.map(({ seat, player, episodes, successRate, meanReturn }) => [
    `${seat}, ${player}`,
    `return ${estimated(meanReturn, decimal)}, success ${estimated(successRate, percent)}, ${counted(episodes, "episode")}`,
  ]);
}

/** Columns of the table of failures. */
export const failureColumns = ["class", "code", "episodes", "for example", "remedy"];

export function failureRow({ class: failureClass, code, status, count, example, remedy }: LostReason): string[] {
  return [failureClass, status === undefined ? code : `${code} (${status})`, `${count}`, example, remedy];
}

const mostReasons = 5;

/** Returns the reasons for lost episodes with remedies, for a terminal; empty if no episode was lost. */
export function lostLines({ failed, failures }: Summary): string[] {
  if (failed === 0) return [];
  const shown = failures.slice(0, mostReasons).flatMap(({ code, status, count, example, remedy }) => {
    const name = status === undefined ? code : `${code} (${status})`;
    return [`  ${count} x ${name}: ${example.replace(/[\s\p{Cc}]+/gu, " ").slice(0, 300)}`, `      ${remedy}`];
  });
  const more =
    failures.length > mostReasons
      ? [`  and ${counted(failures.length - mostReasons, "other reason")}: see the report`]
      : [];
  const episodes = counted(failed, "episode was", "episodes were");
  return [`${episodes} lost to failures and left out of the rates. The same command tries again.`, ...shown, ...more];
}

/** Explanation of the intervals. */
export const intervalNote =
  "Intervals are 95 % confidence intervals for tasks like these: Clopper-Pearson on the effective number of independent " +
  "episodes (Korn and Graubard). Samples of one task are correlated, so that number lies between the numbers of tasks and of " +
  "episodes: one task says little about others, however often it is played. Episodes lost to failures of gym or policy " +
  "server are counted and left out of every other figure.";

function passes({ passAtK }: Summary): [string, string][] {
  return passAtK
    .filter(({ k }) => k > 1)
    .map((estimate) => [
      `pass@${estimate.k}`,
      `${estimated(estimate, percent)} over ${counted(estimate.tasks, "task")}`,
    ]);
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
