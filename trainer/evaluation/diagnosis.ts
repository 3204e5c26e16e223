/**
 * Computes signs that an agent is stuck from the records of its episodes: repetition, unchanged observations, no
 * progress.
 */
import type { EpisodeRecord, TurnRecord } from "./record.js";
import { mean } from "./statistics.js";

export interface EpisodeDiagnosis {
  /** Share, from 0 to 1, of the actions that equal an earlier action of the episode. */
  readonly repeatedActions: number;
  /** Largest number of equal actions in a row. */
  readonly longestRun: number;
  /**
   * Share, from 0 to 1, of the actions after which the observation equals the previous one. The opening counts as the
   * first observation.
   */
  readonly unchangedObservations: number;
  /** Number of rounds after the last progress; all rounds if there was no progress. */
  readonly stalledRounds: number;
  /** Number of replies in which the action format found no action. */
  readonly unreadReplies: number;
  readonly rounds: number;
}

/** Sign of progress: a new highest score, or an observation that has not occurred before in the episode. */
export type ProgressSign = "score" | "observation";

/** An episode, identified by its position in the report. */
export interface WorstEpisode {
  readonly index: number;
  readonly sample: number;
  readonly diagnosis: EpisodeDiagnosis;
}

/** Means over the episodes that were played to their end. */
export interface Diagnosis {
  readonly episodes: number;
  readonly progressSign: ProgressSign;
  readonly repeatedActions: number;
  readonly longestRun: number;
  readonly unchangedObservations: number;
  readonly stalledRounds: number;
  /** Share, from 0 to 1, of all replies that contain no action. */
  readonly unreadReplies: number;
  /** Unsolved episodes with the most rounds without progress, the worst first. */
  readonly worst: readonly WorstEpisode[];
}

const mostWorst = 5;

/** Diagnoses an episode. @param progressSign result of `progressSignOf` for the environment */
export function diagnoseEpisode(record: EpisodeRecord, progressSign: ProgressSign): EpisodeDiagnosis {
  const { turns, opening } = record;
  const sent = turns.flatMap(({ action }) => (action ? [action] : []));
  return {
    repeatedActions: share(sent.length - new Set(sent).size, sent.length),
    longestRun: longestRun(sent),
    unchangedObservations: share(unchanged(turns, opening), sent.length),
    stalledRounds: turns.length - (progressSign === "score" ? (rises(turns).at(-1) ?? 0) : lastNews(turns, opening)),
    unreadReplies: turns.length - sent.length,
    rounds: turns.length,
  };
}

/**
 * Chooses the sign of progress for all episodes: `score` if the best score of any episode rose at least twice, which
 * shows that the environment gives partial scores; else `observation`.
 */
export function progressSignOf(records: readonly EpisodeRecord[]): ProgressSign {
  return records.some(({ turns }) => rises(turns).length > 1) ? "score" : "observation";
}

/** Computes the means over all episodes; undefined if no episode was played to its end. */
export function diagnose(records: readonly EpisodeRecord[]): Diagnosis | undefined {
  const scored = records.filter(({ status }) => status !== "failed");
  if (scored.length === 0) return undefined;
  const progressSign = progressSignOf(scored);
  const all = scored.map((record) => ({ record, diagnosis: diagnoseEpisode(record, progressSign) }));
  const over = (of: (diagnosis: EpisodeDiagnosis) => number) => mean(all.map(({ diagnosis }) => of(diagnosis))) ?? 0;
  return {
    episodes: scored.length,
    progressSign,
    repeatedActions: over(({ repeatedActions }) => repeatedActions),
    longestRun: over((diagnosis) => diagnosis.longestRun),
    unchangedObservations: over(({ unchangedObservations }) => unchangedObservations),
    stalledRounds: over(({ stalledRounds }) => stalledRounds),
    unreadReplies: share(
      over(({ unreadReplies }) => unreadReplies),
      over(({ rounds }) => rounds),
    ),
    worst: worstOf(all),
  };
}

function worstOf(all: readonly { record: EpisodeRecord; diagnosis: EpisodeDiagnosis }[]): WorstEpisode[] {
  return all
    .filter(({ record, diagnosis }) => !record.solved && diagnosis.rounds > 0)
    .sort(({ diagnosis: a }, { diagnosis: b }) => {
      return b.stalledRounds - a.stalledRounds || b.repeatedActions - a.repeatedActions;
    })
    .slice(0, mostWorst)
    .map(({ record, diagnosis }) => ({ index: record.played.index, sample: record.sample, diagnosis }));
}

function longestRun(actions: readonly string[]): number {
  let [longest, run] = [0, 0];
  for (const [at, action] of actions.entries()) {
    run = action === actions[at - 1] ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/**
 * Returns the share of unchanged observations. Replies without an action are left out, since their observation is the
 * format's refusal.
 */
function unchanged(turns: readonly TurnRecord[], opening: string): number {
  let [count, before] = [0, opening];
  for (const { action, observation } of turns) {
    if (!action) continue;
    if (observation === before) count += 1;
    before = observation;
  }
  return count;
}

/** Returns the rounds, from 1, at which the score reached a new maximum. */
function rises(turns: readonly TurnRecord[]): number[] {
  const found: number[] = [];
  let [score, best] = [0, 0];
  for (const [round, { reward }] of turns.entries()) {
    score += reward;
    // Rewards are decimal fractions, so equal sums may differ in the last bit.
    if (score <= best + 1e-9) continue;
    best = score;
    found.push(round + 1);
  }
  return found;
}

/** Returns the round, from 1, of the last new observation; 0 if there was no new observation. */
function lastNews(turns: readonly TurnRecord[], opening: string): number {
  const seen = new Set([opening]);
  let at = 0;
  for (const [round, { action, observation }] of turns.entries()) {
    if (!action || seen.has(observation)) continue;
    seen.add(observation);
    at = round + 1;
  }
  return at;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
