/**
 * The states of an episode. The log derives the state from its rows, the episode changes it, and replies contain it.
 */
import type { JsonValue, StepResult } from "../../../envs/env.js";

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

/**
 * Events of an episode that the log stores in addition to its steps. `solved` and `unsolved` are verdicts on an episode
 * that a step has ended. Logs of older versions have none. A `note` is a person's.
 */
export const markKinds = ["closed", "failed", "expert", "solved", "unsolved", "note"] as const;
export type MarkKind = (typeof markKinds)[number];

/** The verdict on an episode, which is logged together with its last step. */
export interface Ending {
  /** Key of the episode. */
  episode: number;
  kind: "solved" | "unsolved";
  /** JSON text of an EpisodeVerdict. */
  detail: string;
}

/** Detail of the mark with the verdict. */
export interface EpisodeVerdict {
  /** Sum of all rewards. */
  return: number;
  /** Number of steps. */
  steps: number;
  /** Goal of the episode, if the title of its task does not name it. */
  goal?: string;
  /** One sentence. */
  why: string;
  /** The right answer or final state, if the environment knows one. */
  expected?: JsonValue;
}

/**
 * Returns a text as a detail of a mark may have it. PostgreSQL reads numbers in these details as JSON, and refuses these
 * characters in any of their texts.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** Whether a text is the JSON text of an EpisodeVerdict, as far as the log reads it. */
export function isVerdict(text: string): boolean {
  try {
    const verdict = JSON.parse(text) as EpisodeVerdict | null;
    return typeof verdict?.return === "number" && typeof verdict.steps === "number" && typeof verdict.why === "string";
  } catch {
    return false;
  }
}

/** The result of an episode, for lists. */
export const outcomeTable = {
  running: "The episode takes steps.",
  solved: "The task was solved.",
  failed: "The episode has ended, and its task was not solved.",
  ended: "The episode has ended in an older version of Palestra, which stored no verdict.",
  closed: "The owner closed the episode before its end.",
  error: "The environment failed.",
} as const;

export type Outcome = keyof typeof outcomeTable;
export const outcomes = Object.keys(outcomeTable) as [Outcome, ...Outcome[]];

/** @param ended whether and how the last step ended the episode */
export function outcomeOf(marks: ReadonlySet<MarkKind>, ended: Ended): Outcome {
  if (marks.has("failed")) return "error";
  if (marks.has("solved")) return "solved";
  if (marks.has("unsolved")) return "failed";
  if (ended !== Ended.no) return "ended";
  return marks.has("closed") ? "closed" : "running";
}

/** Derives the phase from an episode's marks and its last step. */
export function phaseOf(marks: ReadonlySet<MarkKind>, lastStep: Ended): Phase {
  if (marks.has("closed")) return "closed";
  if (marks.has("failed")) return "failed";
  return lastStep === Ended.no ? "running" : "ended";
}
