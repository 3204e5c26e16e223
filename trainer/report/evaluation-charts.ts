/** Charts of a benchmark run. */
import type { EvaluationReport } from "../evaluation/evaluation.js";
import type { EpisodeRecord } from "../evaluation/record.js";
import { quantile } from "../evaluation/statistics.js";
import type { Summary } from "../evaluation/summary.js";
import { shortNumber } from "./axis.js";
import { histogram } from "./histogram.js";
import { type IntervalRow, intervalChart } from "./interval-chart.js";

/** Draws all charts; empty if no episode was played to its end. */
export function evaluationCharts(report: EvaluationReport, records: readonly EpisodeRecord[]): string {
  const { summary } = report;
  const scored = records.filter(({ status }) => status !== "failed");
  const charts = [
    successChart(summary),
    passChart(summary),
    roundsChart(report),
    stepsChart(scored),
    scoreChart(scored),
  ];
  const present = charts.filter((chart) => chart !== undefined);
  return present.length === 0 ? "" : `<div class="charts">${present.join("\n")}</div>`;
}

function successChart({ successRate, episodes, families }: Summary): string | undefined {
  if (!successRate) return undefined;
  const all: IntervalRow = { label: "all", estimate: successRate, note: `of ${episodes}`, isStrong: true };
  const rows = families.flatMap(({ family, successRate: estimate, episodes: count }) =>
    estimate ? [{ label: family, estimate, note: `of ${count}` }] : [],
  );
  const title = rows.length > 0 ? "Success by family" : "Success";
  return intervalChart(title, "episodes solved, 95 % intervals", [all, ...rows]);
}

function passChart({ passAtK }: Summary): string | undefined {
  if (passAtK.length < 2) return undefined;
  const rows = passAtK.map((estimate) => ({
    label: `pass@${estimate.k}`,
    estimate,
    note: `${estimate.tasks} ${estimate.tasks === 1 ? "task" : "tasks"}`,
  }));
  return intervalChart("Pass@k", "tasks solved in one of k samples, 95 % intervals", rows);
}

/** Draws the chart of success by rounds; undefined for a single round cap. */
export function roundsChart(
  { byRounds }: Pick<EvaluationReport, "byRounds">,
  title = "Success by rounds",
): string | undefined {
  const rows = byRounds.flatMap(({ rounds, episodes, successRate: estimate }) =>
    estimate ? [{ label: `${rounds} rounds`, estimate, note: `of ${episodes}` }] : [],
  );
  return intervalChart(title, "episodes solved within a round cap, 95 % intervals", rows);
}

function stepsChart(scored: readonly EpisodeRecord[]): string | undefined {
  return distribution("Steps of an episode", scored, ({ turns }) => turns.length);
}

/** Draws the chart of returns; undefined if returns only show whether the task was solved. */
function scoreChart(scored: readonly EpisodeRecord[]): string | undefined {
  if (new Set(scored.map(scoreOf)).size <= 2) return undefined;
  return distribution("Score of an episode", scored, scoreOf);
}

/** Returns the return of an episode, without rounding errors of the sum. */
function scoreOf({ score }: EpisodeRecord): number {
  return Math.round(score * 1e9) / 1e9;
}

function distribution(
  title: string,
  scored: readonly EpisodeRecord[],
  measure: (record: EpisodeRecord) => number,
): string | undefined {
  const values = scored.map(measure).sort((a, b) => a - b);
  if (values.length === 0) return undefined;
  const [median, most] = [shortNumber(quantile(values, 0.5)), shortNumber(quantile(values, 0.9))];
  const series = [
    { label: "solved", colour: "c2", values: scored.filter(({ solved }) => solved).map(measure) },
    { label: "unsolved", colour: "c1", values: scored.filter(({ solved }) => !solved).map(measure) },
  ];
  return histogram(title, `median ${median}, 90 % up to ${most}`, series);
}
