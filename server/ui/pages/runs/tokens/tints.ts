/** Tints of tokens by a value. They stay so weak that the text keeps its contrast. */
import { shortNumber } from "../../../numbers.js";

export interface Scale {
  /** Class of the legend's ramp. */
  readonly ramp: "sequential" | "diverging";
  /** Labels of the legend, from its left end to its right end. */
  readonly labels: readonly string[];
  /** Text of the legend beside the ramp. */
  readonly note: string;
  /** Returns the class and the strength of a token's tint, from 0 to 1. */
  tintOf(value: number): { readonly kind: "plain" | "positive" | "negative"; readonly strength: number };
}

/** Unlikely tokens are tinted most. */
export function logprobScale(values: readonly number[]): Scale {
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  return {
    ramp: "sequential",
    labels: ["0", shortNumber(low)],
    note: "Unlikely tokens have the strongest tint.",
    tintOf: (value) => ({ kind: "plain", strength: low === 0 ? 0 : value / low }),
  };
}

/** Both sides of zero have the same length, so that equal strengths mean equal sizes. */
export function advantageScale(values: readonly number[]): Scale {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return {
    ramp: "diverging",
    labels: [`−${shortNumber(most)}`, "0", `+${shortNumber(most)}`],
    note: "Tokens with a negative advantage are underlined, too.",
    tintOf: (value) => ({
      kind: value < 0 ? "negative" : "positive",
      strength: most === 0 ? 0 : Math.abs(value) / most,
    }),
  };
}

export function versionScale(values: readonly number[]): Scale {
  const [first = 0] = values;
  const low = values.reduce((least, value) => Math.min(least, value), first);
  const high = values.reduce((most, value) => Math.max(most, value), first);
  return {
    ramp: "sequential",
    labels: low === high ? [shortNumber(low)] : [shortNumber(low), shortNumber(high)],
    note: "The newest policy version has the strongest tint.",
    tintOf: (value) => ({ kind: "plain", strength: high === low ? 1 : (value - low) / (high - low) }),
  };
}
