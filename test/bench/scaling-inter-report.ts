/** Curves of held-out success by horizon, as one HTML file in the style of the trainer's reports. */
import { type Curve, curveChart } from "#palestra/trainer/report/curve-chart.js";
import { escapeHtml } from "#palestra/trainer/report/escape.js";
import { reportStyle } from "#palestra/trainer/report/report-style.js";
import type { TrainingPoint } from "./training.js";

export interface HorizonCurves {
  readonly name: string;
  /** One curve per entry. */
  readonly seeds: readonly (readonly TrainingPoint[])[];
}

type Axis = "trainStep" | "trainedTokens" | "playedTokens" | "seconds";

const axes: Readonly<Record<Axis, string>> = {
  trainStep: "by train step",
  trainedTokens: "by trained tokens",
  playedTokens: "by played tokens",
  seconds: "by seconds of training",
};

export function horizonReport(curves: readonly HorizonCurves[], levels: readonly string[]): string {
  const means = Object.entries(axes).map(([axis, title]) =>
    chart(
      `Held-out success ${title}`,
      curves.map(({ name, seeds }) => ({ label: name, points: meanCurve(seeds, axis as Axis) })),
    ),
  );
  const each = curves.map(({ name, seeds }) =>
    chart(
      `${name}, by train step`,
      seeds.map((points, at) => ({
        label: `seed ${at + 1}`,
        points: points.map(({ trainStep, success }) => [trainStep, success] as const),
      })),
    ),
  );
  const title = "ScalingInter against fixed horizons";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${reportStyle}</style></head><body>
<h1>${title}</h1>
<p class="sub">${escapeHtml(levels.join(", "))} of BabyAI; evaluated at the full horizon</p>
<h2>Means of the seeds</h2><div class="charts">${means.join("\n")}</div>
<h2>Seeds</h2><div class="charts">${each.join("\n")}</div>
</body></html>
`;
}

function chart(title: string, curves: readonly Curve[]): string {
  return curveChart({ title, unit: "share", isShare: true, isExact: true, curves }) ?? "";
}

/** Averages both coordinates per evaluation, since all seeds are evaluated after the same train steps. */
function meanCurve(seeds: HorizonCurves["seeds"], axis: Axis): [number, number][] {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return (seeds[0] ?? []).map((_, evaluation) => {
    const points = seeds.flatMap((curve) => curve[evaluation] ?? []);
    return [mean(points.map((point) => point[axis])), mean(points.map(({ success }) => success))];
  });
}
