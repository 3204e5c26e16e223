/**
 * The health of a training run, from its metrics and its settings. The gym shows it in the studio, and the trainer in its
 * report and in the terminal.
 */
import type { Check, Finding, Level } from "./finding.js";
import { gradient, heldOut, variance } from "./learning-checks.js";
import { idle, staleness } from "./pace-checks.js";
import { clipping, entropy, kl } from "./policy-checks.js";
import { leastSteps } from "./thresholds.js";
import { type HealthRecord, latestOf, trainStepsOf } from "./window.js";

export type { Finding, Level } from "./finding.js";
export { fieldOf, type HealthRecord } from "./window.js";

/** The checks, causes before their effects: a policy that was torn apart by its updates has no gradient either. */
const checks: Readonly<Record<string, Check>> = {
  KL: kl,
  clipping,
  entropy,
  gradient,
  groups: variance,
  "held-out trend": heldOut,
  staleness,
  "idle time": idle,
};

/** Algorithms that learn from examples, or from each episode by itself, so that equal rewards in a group do no harm. */
const withoutGroups: readonly unknown[] = [
  "sft",
  "agent-evol",
  "ppo",
  "reinforce",
  "reinforce-plus-plus",
  "on-policy-distillation",
];

/**
 * Judges a run. A check is left out if the run has no metric for it, and all are before the third train step.
 *
 * @param records lines of metrics.jsonl in their order. Lines in the middle may be left out if they are no evaluations
 * @param settings settings of the run, as far as they are known
 */
export function healthOf(records: readonly HealthRecord[], settings: Readonly<Record<string, unknown>>): Finding[] {
  if (trainStepsOf(records).length < leastSteps) return [];
  const run = { records, latest: latestOf(records), settings };
  return Object.entries(checks).flatMap(([check, judge]) => {
    if (check === "groups" && withoutGroups.includes(settings.algorithm)) return [];
    const found = judge(run);
    return found ? [{ check, ...found }] : [];
  });
}

/** Returns the worst finding, the first of equals; undefined without findings. */
export function worstOf(findings: readonly Finding[]): Finding | undefined {
  const first = (level: Level) => findings.find((found) => found.level === level);
  return first("red") ?? first("amber") ?? first("green");
}
