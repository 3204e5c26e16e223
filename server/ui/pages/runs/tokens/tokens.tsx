/** The tokens of a rollout, tinted by log-probability, advantage or policy version. A slider selects one by keyboard. */
import { type Signal, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { LoggedRollout } from "../../../api.js";
import { shortNumber } from "../../../numbers.js";
import { Inline } from "../../../parts/text.js";
import { advantageScale, logprobScale, type Scale, versionScale } from "./tints.js";
import { mostCharacters, TokenText } from "./token-text.js";
import "../tokens.css";

const choices = {
  logprobs: { label: "log-probability", scaleOf: logprobScale },
  advantages: { label: "advantage", scaleOf: advantageScale },
  versions: { label: "policy version", scaleOf: versionScale },
} as const;
type Choice = keyof typeof choices;

export function Tokens({ logged }: { logged: LoggedRollout }) {
  const { tokens, mask } = logged;
  const choice = useSignal<Choice>("logprobs");
  const at = useSignal(Math.max(0, mask.indexOf(1)));
  const box = useRef<HTMLElement>(null);
  const values = logged[choice.value];
  const scale = useMemo(() => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : choices[choice.value].scaleOf(known);
  }, [values]);
  return (
    <section class="card tokens" aria-label="Tokens">
      <p class="controls">
        <TintChoice choice={choice} />
        {scale && <Legend scale={scale} />}
      </p>
      <input
        type="range"
        aria-label="Token"
        min="0"
        max={Math.max(0, tokens.length - 1)}
        value={at.value}
        aria-valuetext={statusOf(logged, at.value)}
        onInput={({ currentTarget }) => {
          at.value = Number(currentTarget.value);
          requestAnimationFrame(() => box.current?.querySelector(".selected")?.scrollIntoView({ block: "nearest" }));
        }}
      />
      <p class="quiet token-status">
        <Inline text={statusOf(logged, at.value)} />
      </p>
      <TokenText logged={logged} values={values} scale={scale} at={at} box={box} />
    </section>
  );
}

function TintChoice({ choice }: { choice: Signal<Choice> }) {
  return (
    <label>
      Tint by{" "}
      <select
        onChange={({ currentTarget }) => {
          choice.value = currentTarget.value as Choice;
        }}
      >
        {Object.entries(choices).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Legend({ scale: { ramp, labels, note } }: { scale: Scale }) {
  return (
    <span class="tint-legend">
      <span class="ramp-with-labels">
        <i class={`ramp ${ramp}`} aria-hidden="true" />
        <span class="ramp-labels">
          {labels.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </span>
      </span>
      <span class="quiet">{note} Tokens without a tint were given, not sampled.</span>
    </span>
  );
}

function statusOf({ tokens, texts, mask, logprobs, advantages, versions }: LoggedRollout, at: number): string {
  if (tokens.length === 0) return "no tokens";
  const name = `token ${at}: ${JSON.stringify(texts?.[at]?.slice(0, mostCharacters) ?? tokens[at])}`;
  if (mask[at] !== 1) return `${name}, given`;
  const values = [
    `log-probability ${shortNumber(logprobs[at])}`,
    `advantage ${shortNumber(advantages[at])}`,
    `version ${shortNumber(versions[at])}`,
  ];
  return `${name}, ${values.join(", ")}`;
}
