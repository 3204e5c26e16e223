/** The tokens of a rollout, tinted by log-probability, advantage or policy version. A slider selects one by keyboard. */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { LoggedRollout } from "../../api.js";
import { shortNumber } from "../../numbers.js";
import { Scroll } from "../../parts/scroll.js";

const choices = { logprobs: "log-probability", advantages: "advantage", versions: "policy version" } as const;
type Choice = keyof typeof choices;

export function Tokens({ logged }: { logged: LoggedRollout }) {
  const { tokens, mask } = logged;
  const choice = useSignal<Choice>("logprobs");
  const at = useSignal(Math.max(0, mask.indexOf(1)));
  const box = useRef<HTMLElement>(null);
  const range = rangeOf(logged[choice.value]);
  return (
    <section class="card tokens" aria-label="Tokens">
      <TintChoice choice={choice} range={range} />
      <input
        type="range"
        aria-label="Token"
        min="0"
        max={tokens.length - 1}
        value={at.value}
        aria-valuetext={statusOf(logged, at.value)}
        onInput={({ currentTarget }) => {
          at.value = Number(currentTarget.value);
          requestAnimationFrame(() => box.current?.querySelector(".selected")?.scrollIntoView({ block: "nearest" }));
        }}
      />
      <p class="quiet">{statusOf(logged, at.value)}</p>
      <TokenText logged={logged} values={logged[choice.value]} range={range} at={at} box={box} />
    </section>
  );
}

type Values = readonly (number | null)[];
type Range = readonly [low: number, high: number] | null;

/** Returns the least and the greatest value, or null without one. A row may have more tokens than a call has arguments. */
function rangeOf(values: Values): Range {
  let range: Range = null;
  for (const value of values)
    if (value !== null) range = range ? [Math.min(range[0], value), Math.max(range[1], value)] : [value, value];
  return range;
}

function TintChoice({ choice, range }: { choice: Signal<Choice>; range: Range }) {
  return (
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
      {range && (
        <span class="quiet">
          {shortNumber(range[0])} <i class="ramp" /> {shortNumber(range[1])}; tokens without a tint were not sampled
        </span>
      )}
    </p>
  );
}

interface TextProps {
  logged: LoggedRollout;
  values: Values;
  range: Range;
  at: Signal<number>;
  box: RefObject<HTMLElement | null>;
}

/** The text of all tokens. Only tokens in or near the view are elements of their own. */
function TokenText({ logged, values, range, at, box }: TextProps) {
  const { length } = logged.tokens;
  const isNear = useNear(box, Math.ceil(length / blockSize));
  const select = ({ target }: Event) => {
    const index = (target as HTMLElement).dataset.at;
    if (index !== undefined) at.value = Number(index);
  };
  const [low, high] = range ?? [0, 0];
  return (
    <Scroll label="Text of the tokens" box={box}>
      <pre dir="ltr" onPointerOver={select}>
        {isNear.value.map((near, block) => {
          const [from, end] = [block * blockSize, Math.min((block + 1) * blockSize, length)];
          const selected = at.value >= from && at.value < end ? at.value : undefined;
          return (
            <span key={block} data-block={block}>
              {near || selected !== undefined ? (
                <Block {...{ logged, values, low, high, from, end, selected }} />
              ) : (
                textOf(logged, from, end)
              )}
            </span>
          );
        })}
      </pre>
    </Scroll>
  );
}

/** Tokens of a block. A block far from the view is one text of the same width, so that the lines stay as they are. */
const blockSize = 256;

/** Returns for each block whether it is in or near the view. */
function useNear(box: RefObject<HTMLElement | null>, blocks: number): Signal<readonly boolean[]> {
  const isNear = useSignal<readonly boolean[]>(Array.from({ length: blocks }, (_, block) => block === 0));
  useEffect(() => {
    const see = (entries: readonly IntersectionObserverEntry[]) => {
      const near = [...isNear.value];
      for (const { target, isIntersecting } of entries)
        near[Number((target as HTMLElement).dataset.block)] = isIntersecting;
      isNear.value = near;
    };
    const observer = new IntersectionObserver(see, { root: box.current, rootMargin: "400px 0px" });
    for (const element of box.current?.querySelectorAll("[data-block]") ?? []) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isNear;
}

interface BlockProps {
  logged: LoggedRollout;
  values: Values;
  low: number;
  high: number;
  from: number;
  end: number;
  selected: number | undefined;
}

function Block(props: BlockProps) {
  const { logged, values, low, high, from, end, selected } = props;
  const token = (index: number) => (
    <span
      key={index}
      data-at={index}
      class={index === selected ? "selected" : undefined}
      style={tint(values[index] ?? null, low, high)}
    >
      {textOf(logged, index, index + 1)}
    </span>
  );
  // The same elements are not rendered again when a token of another block is selected.
  return useMemo(() => <>{Array.from({ length: end - from }, (_, i) => token(from + i))}</>, Object.values(props));
}

/** Returns the text of tokens, or their numbers if the texts are unknown. */
function textOf({ tokens, texts }: LoggedRollout, from: number, end: number): string {
  const text = (token: number, i: number) => texts?.[from + i] ?? ` ${token}`;
  return tokens.slice(from, end).map(text).join("");
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
