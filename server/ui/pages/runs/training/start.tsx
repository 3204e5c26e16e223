/** How a run's starting model is made: the phase, its progress, the time left, and the losses of cloning. */
import { useMemo } from "preact/hooks";
import type { Run } from "../../../api.js";
import { counted, countText, shortNumber, timeLeftText } from "../../../numbers.js";
import { CurveChart } from "../../../parts/charts/curve-chart.js";

export type Start = NonNullable<Extract<Run, { kind: "training" }>["start"]>;

const phases: Readonly<Record<Start["phase"], readonly [text: string, unit: string]>> = {
  experts: ["Experts play", "episodes"],
  language: ["Reading the environments' language", "episodes"],
  cloning: ["Cloning the experts", "steps"],
};

/** Returns the progress as a sentence, such as `Cloning the experts: 12 of 300 steps`. */
export function phaseText({ phase, done, total }: Pick<Start, "phase" | "done" | "total">): string {
  const [text, unit] = phases[phase];
  return `${text}: ${countText(done)} of ${countText(total)} ${unit}`;
}

/** @param isRunning whether the run is live and has no train step yet, so that the start is what it does now */
export function StartProgress({ start, isRunning }: { start: Start; isRunning: boolean }) {
  const points = start.losses.map(({ step, loss }) => [step, loss] as const);
  const curves = useMemo(() => [{ label: "loss", points }], [points.at(-1)?.[0], points.length]);
  const chart = points.length > 1 && (
    <CurveChart title="Loss of cloning" unit="nats per token" axis="step of cloning" mayBeLog curves={curves} />
  );
  if (!isRunning)
    return chart ? (
      <details class="start">
        <summary>
          Cloning: {counted(points.at(-1)?.[0] ?? 0, "step")}, loss {shortNumber(points[0]?.[1])} to{" "}
          {shortNumber(points.at(-1)?.[1])}
        </summary>
        <div class="charts">{chart}</div>
      </details>
    ) : null;
  return (
    <section class="start" aria-label="Making the starting model">
      <p role="status">
        {phaseText(start)}
        {start.epoch !== null && start.epochs !== null && `, pass ${start.epoch} of ${start.epochs}`}
        {start.loss !== null && `, loss ${shortNumber(start.loss)}`}
        {timeLeft(start)}
      </p>
      <progress aria-label={phases[start.phase][0]} value={start.done} max={Math.max(1, start.total)} />
      {chart && <div class="charts">{chart}</div>}
    </section>
  );
}

function timeLeft({ secondsLeft, done, total }: Start): string {
  if (done >= total) return ", done";
  if (secondsLeft === null) return "";
  return `, ${timeLeftText(secondsLeft)}`;
}
