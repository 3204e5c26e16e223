/** The report of a run as one self-contained HTML file: results, curves and settings. */
import { renameSync, writeFileSync } from "node:fs";
import { shortNumber } from "./axis.js";
import { barChart } from "./bar-chart.js";
import { curveChart } from "./curve-chart.js";
import { escapeHtml } from "./escape.js";
import { heldOutSection } from "./held-out-section.js";
import { type MetricName, metrics, type TrainRecord } from "./metric-names.js";
import { reportStyle } from "./report-style.js";

export interface ReportInput {
  readonly title: string;
  /** Records in the order of their steps. */
  readonly records: readonly TrainRecord[];
  /** Settings of the run, without secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Facts about the engine since the run started or resumed; undefined if unknown. */
  readonly engine?: Readonly<Record<string, unknown>> | undefined;
}

interface ChartPlan {
  readonly title: string;
  readonly curves: Readonly<Record<string, MetricName>>;
  readonly isExact?: boolean;
}

const plans: Readonly<Record<string, readonly ChartPlan[]>> = {
  Learning: [
    { title: "Success", curves: { training: "episode/success_rate", "held out": "val/success_rate" } },
    { title: "Reward", curves: { training: "episode/reward/mean", "held out": "val/reward/mean" } },
    { title: "Steps of an episode", curves: { played: "episode/length/mean" } },
    { title: "Round cap", curves: { cap: "curriculum/rounds" }, isExact: true },
    { title: "Sampled tokens of an episode", curves: { mean: "response_length/mean", longest: "response_length/max" } },
  ],
  Optimisation: [
    { title: "Policy loss", curves: { pg_loss: "actor/pg_loss", "all terms": "actor/loss" } },
    { title: "Value loss", curves: { vf_loss: "critic/vf_loss" } },
    { title: "KL", curves: { "to reference": "actor/kl_loss", "within an update": "actor/ppo_kl" } },
    { title: "Entropy", curves: { entropy: "actor/entropy" } },
    {
      title: "Clipped tokens",
      curves: {
        clip: "actor/pg_clipfrac",
        "dual clip": "actor/pg_clipfrac_lower",
        "behaviour weight": "actor/behav_imp_weight/cut",
      },
    },
    { title: "Gradient norm", curves: { "before clipping": "actor/grad_norm" } },
    { title: "Learning rate", curves: { lr: "actor/lr" }, isExact: true },
    {
      title: "Groups",
      curves: {
        all: "groups/count",
        "zero variance": "groups/zero_variance",
        filtered: "groups/filtered",
        "too small": "groups/too_small",
      },
    },
  ],
  Asynchrony: [
    { title: "Staleness", curves: { mean: "staleness/mean", oldest: "staleness/max" } },
    { title: "Tokens a second", curves: { "in batches": "perf/throughput", sampled: "perf/generation_throughput" } },
    { title: "Idle", curves: { training: "perf/idle/train", generation: "perf/idle/generate" } },
    {
      title: "Time of a train step",
      curves: { step: "timing_s/step", waiting: "timing_s/wait", updating: "timing_s/update" },
    },
    { title: "Episodes left out", curves: { failed: "episode/failed", "too old": "staleness/dropped" } },
  ],
};

export function htmlReport({ title, records, settings, engine }: ReportInput): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${reportStyle}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p class="sub">${escapeHtml(summary(records))}</p>
<div class="tiles">${tiles(records).join("")}</div>
${heldOutSection(records)}
${Object.entries(plans)
  .map(([heading, charts]) => section(heading, charts, records))
  .join("\n")}
${engine ? `<h2>Engine</h2><div class="card scroll"><table>${rows(engine)}</table></div>` : ""}
<h2>Settings</h2><div class="card scroll"><table>${rows(settings)}</table></div>
</body></html>
`;
}

/** Writes the report atomically, so that it can be opened during the run. */
export function writeHtmlReport(path: string, input: ReportInput): void {
  writeFileSync(`${path}.new`, htmlReport(input));
  renameSync(`${path}.new`, path);
}

function section(heading: string, charts: readonly ChartPlan[], records: readonly TrainRecord[]): string {
  const drawn = charts.map((plan) => draw(plan, records));
  if (heading === "Asynchrony") drawn.splice(1, 0, stalenessChart(records));
  const present = drawn.filter((chart) => chart !== undefined);
  if (present.length === 0) return "";
  return `<h2>${heading}</h2><div class="charts">${present.join("\n")}</div>`;
}

function draw({ title, curves, isExact = false }: ChartPlan, records: readonly TrainRecord[]): string | undefined {
  const names = Object.values(curves);
  const unit = metrics[names[0] as MetricName].unit;
  return curveChart({
    title,
    unit,
    isShare: unit === "share",
    isExact,
    curves: Object.entries(curves).map(([label, name]) => ({ label, points: pointsOf(records, name) })),
  });
}

/** Returns the points of a metric. Values that were not finite are null in JSON. */
function pointsOf(records: readonly TrainRecord[], name: MetricName): [number, number][] {
  return records.flatMap((record) => {
    const value: number | null | undefined = record[name];
    if (value === undefined) return [];
    // In logs of earlier versions the evaluation is part of a later train step's record.
    const step = name.startsWith("val/") ? (record.held_out?.step ?? record.step) : record.step;
    return [[step, value ?? Number.NaN] as [number, number]];
  });
}

function stalenessChart(records: readonly TrainRecord[]): string | undefined {
  const counts: number[] = [];
  for (const { staleness = [] } of records) {
    for (const [age, tokens] of staleness.entries()) counts[age] = (counts[age] ?? 0) + tokens;
  }
  const total = counts.reduce((sum, tokens) => sum + tokens, 0);
  if (total === 0) return undefined;
  return barChart(
    "Tokens by staleness",
    "policy versions between sampling and training",
    counts.map((tokens) => tokens / total),
  );
}

function summary(records: readonly TrainRecord[]): string {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) return "No train step yet.";
  const minutes = (last.time - first.time + (first["timing_s/step"] ?? 0)) / 60;
  const duration = minutes < 90 ? `${shortNumber(minutes)} minutes` : `${shortNumber(minutes / 60)} hours`;
  return `${last.step} train steps in ${duration}, until ${new Date(last.time * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function tiles(records: readonly TrainRecord[]): string[] {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const played = records.filter((record) => record["episode/success_rate"] !== undefined);
  const lately = (name: MetricName) => meanOf(played.slice(-Math.ceil(played.length / 10)), name);
  const held = pointsOf(records, "val/success_rate").at(-1)?.[1];
  const best = pointsOf(records, "val/success_rate")
    .map(([, value]) => value)
    .reduce((most, value) => Math.max(most, value), -1);
  const tokens = pointsOf(records, "perf/total_num_tokens").at(-1)?.[1];
  const failed = pointsOf(records, "episode/failed").reduce((sum, [, value]) => sum + value, 0);
  const tile = (label: string, value: number | undefined, show = shortNumber) =>
    value === undefined ? [] : [`<div class="tile"><b>${show(value)}</b><span>${label}</span></div>`];
  return [
    tile("success, last tenth", lately("episode/success_rate"), percent),
    tile("held out, last", held, percent),
    tile("held out, best", best < 0 ? undefined : best, percent),
    tile("tokens trained", tokens),
    tile("batch tokens a second", meanOf(records, "perf/throughput")),
    tile("mean staleness", meanOf(records, "staleness/mean")),
    tile("training idle", meanOf(records, "perf/idle/train"), percent),
    tile("steps without a gradient", pointsOf(records, "actor/no_gradient_steps").at(-1)?.[1]),
    tile("episodes failed", records.length === 0 ? undefined : failed),
  ].flat();
}

function meanOf(records: readonly TrainRecord[], name: MetricName): number | undefined {
  const values = pointsOf(records, name)
    .map(([, value]) => value)
    .filter(Number.isFinite);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rows(settings: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  if (given.length === 0) return `<tr><td class="empty">none</td></tr>`;
  const show = (value: unknown) => escapeHtml(typeof value === "string" ? value : JSON.stringify(value));
  return given
    .map(([name, value]) => `<tr><td>${escapeHtml(name)}</td><td><code>${show(value)}</code></td></tr>`)
    .join("");
}
