/** The return of an episode after each step, as a line. A click selects a step. */
import type { Step } from "../api.js";

const width = 1_000;
const height = 60;

export function RewardLine({ steps, at, onSelect }: { steps: readonly Step[]; at: number; onSelect: (step: number) => void }) {
  const returns = steps.reduce<number[]>((sums, { reward }) => [...sums, (sums.at(-1) ?? 0) + reward], [0]);
  const [low, high] = [Math.min(...returns), Math.max(...returns)];
  const x = (step: number) => (step / Math.max(1, steps.length)) * width;
  const y = (value: number) => height - 4 - ((value - low) / (high - low || 1)) * (height - 8);
  const points = returns.map((value, step) => `${x(step)},${y(value)}`).join(" ");
  const select = ({ offsetX, currentTarget }: MouseEvent) => {
    const share = offsetX / (currentTarget as Element).clientWidth;
    onSelect(Math.round(share * steps.length));
  };
  return (
    <svg
      class="reward-line"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Return after each step, from ${low} to ${high}; ${returns.at(-1)} at the end`}
      onClick={select}
    >
      <polyline points={points} />
      <line x1={x(at)} x2={x(at)} y1="0" y2={height} />
    </svg>
  );
}
