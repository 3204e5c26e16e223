/**
 * The kind of failure of an episode, found in its transcript. The trainer counts kinds in reports; the studio shows them
 * on the pages of evaluations and episodes.
 */

/** Kinds of failure with their names in lists and tables. */
export const failureNames = {
  "gym-failure": "failure of the gym",
  "policy-failure": "failure of the policy",
  "unread-reply": "unread replies",
  "wrong-format": "wrong format",
  looped: "looped",
  limit: "limit reached",
  "wrong-answer": "wrong answer",
} as const;

export type FailureKind = keyof typeof failureNames;

/** Kinds of failure, those that are no evidence about the policy first. */
export const failureKinds = Object.keys(failureNames) as FailureKind[];

/** Definition of each kind, as a sentence. */
export const failureMeanings: Readonly<Record<FailureKind, string>> = {
  "gym-failure": "The gym failed, so the episode is masked: it is no evidence about the policy.",
  "policy-failure": "The policy's server or the agent failed, so the episode is masked.",
  "unread-reply": "The action format found no action in at least half of the replies.",
  "wrong-format":
    "At least half of the replies had no action or one that the environment refused as malformed, or a refused action ended the episode.",
  looped:
    "The same actions with the same observations came at least three times in a row, until the end or for half of the steps.",
  limit: "The episode reached a limit on its steps, its replies or its context before its end.",
  "wrong-answer": "The environment ended the episode, and its task was not solved.",
};

/** A step of a transcript, as `/v1/episodes/{episodeId}/transcript` returns it. */
export interface TranscriptStep {
  /** Text that the agent sent. */
  readonly action: string;
  /** Action that was read in the text; null if there was none. Absent if the text is the action. */
  readonly read?: string | null | undefined;
  readonly observation: string;
  /** Info of the step. `action: "invalid"` means that the environment refused the action as malformed. */
  readonly info?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * How the episode ended: by the environment, by its step limit, by the agent's rounds or context, by a failure, or by its
 * caller. `running`: it has not ended.
 */
export type EpisodeEnd = "terminated" | "truncated" | "limit" | "failed" | "closed" | "running";

export interface PlayedEpisode {
  readonly steps: readonly TranscriptStep[];
  readonly end: EpisodeEnd;
  readonly solved: boolean;
  /** Class of the failure, if `end` is `failed`. */
  readonly failureClass?: string | undefined;
}

export interface EpisodeFailure {
  readonly kind: FailureKind;
  /** First step of the evidence, from 1, for kinds that steps show. */
  readonly firstStep?: number;
  /** Number of steps that show it. */
  readonly steps?: number;
}

/** Repetitions from which steps are a loop. */
const fewestRounds = 3;
/** Largest number of steps in a round of a loop. */
const longestRound = 6;

/**
 * Starts of the observations with which environments without `info.action` refuse a malformed action: BabyAI, SciWorld,
 * TextCraft and the web environments, in the words of AgentGym's servers.
 */
const refusals =
  /^(The action is not recognized\.|No known action matches that input\.|Could not execute |Invalid action )/;

/** Returns the failure of an episode; undefined if it was solved, runs, or was closed without a sign of a failure. */
export function failureOf({ steps, end, solved, failureClass = "" }: PlayedEpisode): EpisodeFailure | undefined {
  if (end === "failed") return { kind: isOfPolicy(failureClass) ? "policy-failure" : "gym-failure" };
  if (solved || end === "running") return undefined;
  if (end === "terminated") {
    const last = steps.at(-1);
    return last && isRefused(last)
      ? { kind: "wrong-format", firstStep: steps.length, steps: 1 }
      : { kind: "wrong-answer" };
  }
  return shownBy(steps) ?? (end === "closed" ? undefined : { kind: "limit" });
}

function isOfPolicy(failureClass: string): boolean {
  return failureClass === "policy" || failureClass === "agent";
}

/** Returns the failure that the steps of an episode without an end show. */
function shownBy(steps: readonly TranscriptStep[]): EpisodeFailure | undefined {
  return (
    mostly("unread-reply", steps, isUnread) ??
    mostly("wrong-format", steps, (step) => isUnread(step) || isRefused(step)) ??
    loopOf(steps)
  );
}

function mostly(
  kind: FailureKind,
  steps: readonly TranscriptStep[],
  is: (step: TranscriptStep) => boolean,
): EpisodeFailure | undefined {
  const count = steps.filter(is).length;
  if (count === 0 || 2 * count < steps.length) return undefined;
  return { kind, firstStep: steps.findIndex(is) + 1, steps: count };
}

function isUnread({ read }: TranscriptStep): boolean {
  return read === null;
}

export function isRefused({ observation, info }: TranscriptStep): boolean {
  return info?.action === "invalid" || refusals.test(observation);
}

/** Returns the longest loop, if it lasts until the end or for half of the steps. */
function loopOf(steps: readonly TranscriptStep[]): EpisodeFailure | undefined {
  const loops = Array.from({ length: longestRound }, (_, at) => loopsOf(steps, at + 1)).flat();
  const lasting = loops.filter(({ first, end }) => end === steps.length || 2 * (end - first) >= steps.length);
  const [longest] = lasting.sort((a, b) => b.end - b.first - (a.end - a.first));
  return longest && { kind: "looped", firstStep: longest.first + 1, steps: longest.end - longest.first };
}

/** Returns the loops whose rounds have `length` steps, as ranges of steps. */
function loopsOf(steps: readonly TranscriptStep[], length: number): { first: number; end: number }[] {
  const loops: { first: number; end: number }[] = [];
  let first = 0;
  for (let at = length; at <= steps.length; at++) {
    const [step, before] = [steps[at], steps[at - length]];
    if (step && before && isSame(step, before)) continue;
    if (at - first >= fewestRounds * length) loops.push({ first, end: at });
    first = at - length + 1;
  }
  return loops;
}

function isSame(a: TranscriptStep, b: TranscriptStep): boolean {
  return (a.read ?? a.action) === (b.read ?? b.action) && a.observation === b.observation;
}
