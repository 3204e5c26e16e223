/** The time of each step of an episode as bars, on which slow steps stand out. A click selects the step. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { type StepTimes, tookText } from "./step-times.js";
import "./time-line.css";

interface Props {
  times: StepTimes;
  /** Number of the selected step, or 0 for the reset. */
  at: number;
  onSelect: (step: number) => void;
}

const [width, height] = [1_000, 28];
/** Most bars. A bar of a longer episode has several steps, and the height of the slowest one. */
const mostBars = 250;
/** Slow steps have at most this many times the height of the slowest other step, so that the others can be seen. */
const mostHeights = 3;

interface Bar {
  /** Number of the slowest step of the bar. */
  step: number;
  ms: number;
}

export function TimeLine({ times, at, onSelect }: Props) {
  const pointed = useSignal<number | null>(null);
  const bars = useMemo(() => barsOf(times.took), [times]);
  const paths = useMemo(() => pathsOf(bars, times), [bars, times]);
  const count = times.took.length;
  const barAt = (event: MouseEvent): number => {
    const { left, width: shown } = (event.currentTarget as Element).getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / shown) * bars.length)));
  };
  const bar = pointed.value === null ? undefined : bars[pointed.value];
  const selected = at === 0 ? null : Math.floor(((at - 1) * bars.length) / count);
  return (
    <div class="time-line">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Time of each step: median ${tookText(times.medianMs)}, longest ${longestText(times)}`}
        onPointerUp={(event) => event.button === 0 && onSelect(bars[barAt(event)]?.step ?? 0)}
        onPointerMove={(event) => (pointed.value = barAt(event))}
        onPointerLeave={() => (pointed.value = null)}
      >
        {selected !== null && <Column class="selected" bar={selected} of={bars.length} />}
        {pointed.value !== null && <Column class="pointed" bar={pointed.value} of={bars.length} />}
        <path class="usual" d={paths.usual} />
        <path class="slow" d={paths.slow} />
      </svg>
      <p class="quiet">
        {bar ? (
          <span>
            step {bar.step} <b>{Number.isNaN(bar.ms) ? "–" : tookText(bar.ms)}</b>
          </span>
        ) : (
          <Summary times={times} onSelect={onSelect} />
        )}
      </p>
    </div>
  );
}

function Summary({ times, onSelect }: Pick<Props, "times" | "onSelect">) {
  return (
    <>
      <span>
        median step <b>{tookText(times.medianMs)}</b>
      </span>
      <span>
        longest{" "}
        <button type="button" class="slowest" onClick={() => onSelect(times.slowest)}>
          {longestText(times)}
        </button>
      </span>
    </>
  );
}

function longestText({ took, slowest }: StepTimes): string {
  return `${tookText(took[slowest - 1] as number)} at step ${slowest}`;
}

function Column({ class: name, bar, of }: { class: string; bar: number; of: number }) {
  return <rect class={name} x={(bar * width) / of} width={width / of} y="0" height={height} />;
}

/** Returns the slowest step of each bar. Steps without a time, or with a negative one, are not drawn. */
function barsOf(took: StepTimes["took"]): Bar[] {
  const count = Math.min(mostBars, took.length);
  const bars: Bar[] = [];
  for (const [i, ms] of took.entries()) {
    const at = Math.floor((i * count) / took.length);
    const known = ms !== null && ms >= 0 ? ms : Number.NaN;
    const bar = bars[at];
    if (!bar) bars[at] = { step: i + 1, ms: known };
    else if (known > bar.ms || Number.isNaN(bar.ms)) bars[at] = { step: i + 1, ms: known };
  }
  return bars;
}

function pathsOf(bars: readonly Bar[], { slowMs }: StepTimes): { usual: string; slow: string } {
  const paths = { usual: "", slow: "" };
  const longest = (mostMs: number) => Math.max(0, ...bars.map(({ ms }) => (ms <= mostMs ? ms : 0)));
  const top = Math.min(longest(Number.POSITIVE_INFINITY), mostHeights * longest(slowMs)) || 1;
  const each = width / bars.length;
  const gap = Math.min(2, each * 0.2);
  for (const [i, { ms }] of bars.entries()) {
    if (Number.isNaN(ms)) continue;
    const tall = Math.max(1, Math.min(1, ms / top) * (height - 2));
    const bar = `M${(i * each + gap / 2).toFixed(1)} ${height}v${-tall.toFixed(1)}h${(each - gap).toFixed(1)}V${height}z`;
    paths[ms > slowMs ? "slow" : "usual"] += bar;
  }
  return paths;
}
