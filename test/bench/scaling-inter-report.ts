/** Curves of held-out success by horizon, as one HTML file in the style of the trainer's reports. */
import { reportPage } from "#palestra/trainer/report/report-page.js";
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
  const note = `${levels.join(", ")} of BabyAI; evaluated at the full horizon`;
  const sections = [
    { heading: "Means of the seeds", charts: means },
    { heading: "Seeds", charts: each },
  ];
  const data = { kind: "curves" as const, title, note, sections };
  return reportPage(title, data, "The JSON in this page has the points of the curves.");
}

interface Curve {
  readonly label: string;
  readonly points: readonly (readonly [number, number])[];
}

function chart(title: string, curves: readonly Curve[]) {
  return { title, isShare: true, curves };
}

/** Averages both coordinates per evaluation, since all seeds are evaluated after the same train steps. */
function meanCurve(seeds: HorizonCurves["seeds"], axis: Axis): [number, number][] {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return (seeds[0] ?? []).map((_, evaluation) => {
    const points = seeds.flatMap((curve) => curve[evaluation] ?? []);
    return [mean(points.map((point) => point[axis])), mean(points.map(({ success }) => success))];
  });
}
