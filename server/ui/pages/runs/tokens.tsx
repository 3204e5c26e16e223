/** The tokens of a rollout, tinted by log-probability, advantage or policy version. A slider selects one by keyboard. */
import { useSignal } from "@preact/signals";
import type { LoggedRollout } from "../../api.js";
import { shortNumber } from "../../parts/charts/numbers.js";

const choices = { logprobs: "log-probability", advantages: "advantage", versions: "policy version" } as const;
type Choice = keyof typeof choices;

export function Tokens({ logged }: { logged: LoggedRollout }) {
  const { tokens, texts, mask } = logged;
  const choice = useSignal<Choice>("logprobs");
  const at = useSignal(Math.max(0, mask.indexOf(1)));
  const values = logged[choice.value];
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const text = (index: number) => texts?.[index] ?? ` ${tokens[index]}`;
  const select = ({ target }: Event) => {
    const index = (target as HTMLElement).dataset?.at;
    if (index !== undefined) at.value = Number(index);
  };
  return (
    <section class="card tokens" aria-label="Tokens">
      <p class="controls">
        <label>
          Tint by{" "}
          <select
            onChange={({ currentTarget }) => {
              choice.value = currentTarget.value as Choice;
            }}
          >
            {Object.entries(choices).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {known.length > 0 && (
          <span class="quiet">
            {shortNumber(low)} <i class="ramp" /> {shortNumber(high)}; tokens without a tint were not sampled
          </span>
        )}
      </p>
      <input
        type="range"
        aria-label="Token"
        min="0"
        max={tokens.length - 1}
        value={at.value}
        aria-valuetext={statusOf(logged, at.value)}
        onInput={({ currentTarget }) => {
          at.value = Number(currentTarget.value);
        }}
      />
      <p class="quiet">{statusOf(logged, at.value)}</p>
      <pre dir="ltr" onPointerOver={select}>
        {tokens.map((_, index) => (
          <span
            key={index}
            data-at={index}
            class={index === at.value ? "selected" : undefined}
            style={tint(values[index] ?? null, low, high)}
          >
            {text(index)}
          </span>
        ))}
      </pre>
    </section>
  );
}

function statusOf({ tokens, texts, mask, logprobs, advantages, versions }: LoggedRollout, at: number): string {
  const name = `token ${at}: ${JSON.stringify(texts?.[at] ?? tokens[at])}`;
  if (mask[at] !== 1) return `${name}, given`;
  const values = [
    `log-probability ${shortNumber(logprobs[at])}`,
    `advantage ${shortNumber(advantages[at])}`,
    `version ${shortNumber(versions[at])}`,
  ];
  return `${name}, ${values.join(", ")}`;
}

/** Tints stay so weak that the text keeps its contrast. */
function tint(value: number | null, low: number, high: number) {
  if (value === null) return {};
  const share = high > low ? (value - low) / (high - low) : 1;
  return { background: `color-mix(in srgb, var(--curve-0) ${Math.round(4 + 26 * share)}%, transparent)` };
}
