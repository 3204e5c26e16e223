/**
 * The states of an episode. The log derives the state from its rows, the episode changes it, and replies contain it.
 */
import type { StepResult } from "../../../envs/env.js";

/**
 * The phases of an episode and their meaning. An episode starts as running. The owner can close an episode in every
 * phase. Apart from that, only a running episode changes, to ended or failed.
 */
export const phaseTable = {
  running: "The episode takes steps.",
  ended: "The last step terminated or truncated the episode.",
  failed: "The environment failed. `failure` says how.",
  closed: "The owner deleted the episode.",
} as const;

export type Phase = keyof typeof phaseTable;

export const phases = Object.keys(phaseTable) as [Phase, ...Phase[]];

/** States whether and how a step ended its episode. The log stores these numbers. */
export const Ended = { no: 0, terminated: 1, truncated: 2 } as const;
export type Ended = (typeof Ended)[keyof typeof Ended];

export function endedBy({ terminated, truncated }: StepResult): Ended {
  return terminated ? Ended.terminated : truncated ? Ended.truncated : Ended.no;
}

/** Events of an episode that the log stores in addition to its steps. */
export type MarkKind = "closed" | "failed" | "expert";

/** Derives the phase from an episode's marks and its last step. */
export function phaseOf(marks: ReadonlySet<MarkKind>, lastStep: Ended): Phase {
  if (marks.has("closed")) return "closed";
  if (marks.has("failed")) return "failed";
  return lastStep === Ended.no ? "running" : "ended";
}
