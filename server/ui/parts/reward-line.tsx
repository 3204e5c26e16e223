/** The return of an episode after each step, as a line, with a slider that selects a step. */
import type { ComponentChildren } from "preact";
import type { Step } from "../api.js";

const width = 1_000;
const height = 60;

interface Props {
  steps: readonly Step[];
  at: number;
  onSelect: (step: number) => void;
  /** Further facts along the steps, between the line and its slider. */
  children?: ComponentChildren;
}

export function RewardLine({ steps, at, onSelect, children }: Props) {
  const returns = returnsOf(steps);
  const [low, high] = [Math.min(...returns), Math.max(...returns)];
  const x = (step: number) => (step / Math.max(1, steps.length)) * width;
  const y = (value: number) => height - 4 - ((value - low) / (high - low || 1)) * (height - 8);
  return (
    <div class="reward-line">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Return after each step, from ${low} to ${high}; ${returns.at(-1)} at the end`}
      >
        <polyline points={returns.map((value, step) => `${x(step)},${y(value)}`).join(" ")} />
        <line x1={x(at)} x2={x(at)} y1="0" y2={height} />
      </svg>
      {children}
      <input
        type="range"
        aria-label="Step"
        min={0}
        max={steps.length}
        value={at}
        onInput={({ currentTarget }) => onSelect(Number(currentTarget.value))}
      />
    </div>
  );
}

/** Returns the sums of the rewards after 0, 1, 2 and so on steps. */
function returnsOf(steps: readonly Step[]): number[] {
  const returns = [0];
  for (const { reward } of steps) returns.push((returns.at(-1) as number) + reward);
  return returns;
}
