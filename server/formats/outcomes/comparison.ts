/** Two evaluations compared over the episodes that both played: which tasks broke, which were fixed, and the difference. */
import { type PairedDifference, pairedDifference } from "./paired-difference.js";

/** Parts of an episode's record. */
export interface ComparedEpisode {
  readonly played: {
    readonly environment: string;
    readonly split: string;
    readonly index: number;
    readonly seed?: number | undefined;
  };
  readonly sample: number;
  readonly family?: string | undefined;
  readonly status: string;
  readonly score: number;
  readonly solved: boolean;
}

export interface ComparedEvaluation<Episode extends ComparedEpisode = ComparedEpisode> {
  /** First line of `episodes.jsonl`: environment, policy and their settings. */
  readonly measurement: Readonly<Record<string, unknown>>;
  readonly episodes: readonly Episode[];
}

/** Broken: solved in the first evaluation, failed in the second. Fixed: the reverse. */
export type Change = "broken" | "fixed" | "same";

/** A task that both evaluations have played to its end with the same seed. */
export interface ComparedTask<Episode extends ComparedEpisode = ComparedEpisode> {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  readonly family?: string | undefined;
  readonly change: Change;
  /** Share of solved episodes of each evaluation. */
  readonly solved: readonly [number, number];
  readonly scores: readonly [number, number];
  /** Episodes with the same seed. */
  readonly pairs: readonly (readonly [Episode, Episode])[];
}

/** Mean over the compared tasks, each with the same weight. */
export interface ComparedMean {
  readonly a: number;
  readonly b: number;
  /** Second minus first. */
  readonly difference: PairedDifference;
}

export interface Comparison<Episode extends ComparedEpisode = ComparedEpisode> {
  /** Compared tasks: broken before fixed before same, the largest change first. */
  readonly tasks: readonly ComparedTask<Episode>[];
  readonly counts: Readonly<Record<Change, number>>;
  /** Number of pairs of episodes. */
  readonly pairs: number;
  /** Number of pairs that were left out, since one of them failed. */
  readonly lost: number;
  /** Number of tasks that only one of the evaluations has. */
  readonly onlyInA: number;
  readonly onlyInB: number;
  /** Undefined without a compared task. */
  readonly successRate: ComparedMean | undefined;
  readonly meanScore: ComparedMean | undefined;
  /** Facts of the measurement that differ. */
  readonly differences: readonly { readonly name: string; readonly a: unknown; readonly b: unknown }[];
}

/** Share of solved episodes from which a task counts as solved. */
const solvedShare = 0.5;

/** Compares the episodes of equal environment, task, seed and options. */
export function compareEvaluations<Episode extends ComparedEpisode>(
  a: ComparedEvaluation<Episode>,
  b: ComparedEvaluation<Episode>,
): Comparison<Episode> {
  const { pairs, lost } = pairsOf(a, b);
  const tasks = [...groupBy(pairs, ([{ played }]) => taskKey(played)).values()].map(taskOf).sort(worstFirst);
  const scores = pairs.flatMap(([first, second]) => [first.score, second.score]);
  const range =
    scores.reduce((most, score) => Math.max(most, score), 1) -
    scores.reduce((least, score) => Math.min(least, score), 0);
  const counts = { broken: 0, fixed: 0, same: 0 };
  for (const { change } of tasks) counts[change] += 1;
  return {
    tasks,
    counts,
    pairs: pairs.length,
    lost,
    onlyInA: onlyIn(a, b),
    onlyInB: onlyIn(b, a),
    successRate: meanOf(
      tasks,
      ({ solved }) => solved,
      ({ solved }) => Number(solved),
      1,
    ),
    meanScore: meanOf(
      tasks,
      ({ scores }) => scores,
      ({ score }) => score,
      range,
    ),
    differences: differencesOf(a.measurement, b.measurement),
  };
}

/** Returns the reason why two evaluations have no task to compare, as a sentence without a full stop. */
export function nothingInCommon(
  a: ComparedEvaluation,
  b: ComparedEvaluation,
  { lost }: Pick<Comparison, "lost">,
): string {
  if (lost > 0) return `each of the ${lost} common episodes was lost to a failure in one of the evaluations`;
  const facts: [name: string, of: (episode: ComparedEpisode, evaluation: ComparedEvaluation) => unknown][] = [
    ["environment", ({ played }) => played.environment],
    ["split", ({ played }) => played.split],
    ["options", (_, { measurement }) => optionsKey(measurement)],
    ["task", ({ played }) => played.index],
    ["seed", ({ played }) => played.seed],
  ];
  for (const [name, of] of facts) {
    const [first, second] = [a, b].map((each) => [...new Set(each.episodes.map((episode) => of(episode, each)))]);
    if (first?.some((value) => second?.includes(value))) continue;
    return `they have no ${name} in common: ${listed(first)} and ${listed(second)}`;
  }
  return "no episode of one has the task and the seed of an episode of the other";
}

function listed(values: readonly unknown[] = []): string {
  const shown = values.slice(0, 3).map(String).join(", ");
  return values.length === 0 ? "none" : values.length > 3 ? `${shown}, …` : shown;
}

function pairsOf<Episode extends ComparedEpisode>(a: ComparedEvaluation<Episode>, b: ComparedEvaluation<Episode>) {
  const keyIn = ({ measurement }: ComparedEvaluation) => {
    const options = optionsKey(measurement);
    return ({ played }: Episode) => `${taskKey(played)} ${played.seed} ${options}`;
  };
  const [keyInA, keyInB] = [keyIn(a), keyIn(b)];
  const there = new Map(b.episodes.map((episode) => [keyInB(episode), episode]));
  const both = a.episodes.flatMap((episode): (readonly [Episode, Episode])[] => {
    const other = there.get(keyInA(episode));
    return other ? [[episode, other]] : [];
  });
  const pairs = both.filter((pair) => pair.every(({ status }) => status !== "failed"));
  return { pairs, lost: both.length - pairs.length };
}

function taskOf<Episode extends ComparedEpisode>(
  pairs: readonly (readonly [Episode, Episode])[],
): ComparedTask<Episode> {
  const [{ played, family }] = pairs[0] as readonly [Episode, Episode];
  const of = (value: (episode: Episode) => number) =>
    [0, 1].map((side) => mean(pairs.map((pair) => value(pair[side] as Episode)))) as [number, number];
  const solved = of((episode) => Number(episode.solved));
  const [before, after] = solved.map((share) => share >= solvedShare);
  const { environment, split, index } = played;
  const change = before === after ? "same" : after ? "fixed" : "broken";
  return { environment, split, index, family, change, solved, scores: of(({ score }) => score), pairs };
}

const order: Readonly<Record<Change, number>> = { broken: 0, fixed: 1, same: 2 };

function worstFirst(a: ComparedTask, b: ComparedTask): number {
  const falls = (shares: readonly [number, number]) => shares[1] - shares[0];
  const sign = a.change === "fixed" ? -1 : 1;
  return (
    order[a.change] - order[b.change] ||
    sign * (falls(a.solved) - falls(b.solved)) ||
    sign * (falls(a.scores) - falls(b.scores)) ||
    a.index - b.index
  );
}

function meanOf<Episode extends ComparedEpisode>(
  tasks: readonly ComparedTask<Episode>[],
  means: (task: ComparedTask<Episode>) => readonly [number, number],
  value: (episode: Episode) => number,
  range: number,
): ComparedMean | undefined {
  const differences = tasks.map(({ pairs }) => pairs.map(([a, b]) => value(b) - value(a)));
  const difference = pairedDifference(differences, range);
  if (!difference) return undefined;
  return { a: mean(tasks.map((task) => means(task)[0])), b: mean(tasks.map((task) => means(task)[1])), difference };
}

/** Number of tasks of an evaluation of which the other has no episode. */
function onlyIn(evaluation: ComparedEvaluation, other: ComparedEvaluation): number {
  const tasks = ({ episodes }: ComparedEvaluation) => new Set(episodes.map(({ played }) => taskKey(played)));
  const isEqual = optionsKey(evaluation.measurement) === optionsKey(other.measurement);
  const there = isEqual ? tasks(other) : new Set();
  return [...tasks(evaluation)].filter((key) => !there.has(key)).length;
}

function differencesOf(a: ComparedEvaluation["measurement"], b: ComparedEvaluation["measurement"]) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .filter((name) => stable(a[name]) !== stable(b[name]))
    .map((name) => ({ name, a: a[name] ?? null, b: b[name] ?? null }));
}

function taskKey({ environment, split, index }: ComparedEpisode["played"]): string {
  return JSON.stringify([environment, split, index]);
}

function optionsKey({ options }: ComparedEvaluation["measurement"]): string {
  return stable(options ?? {});
}

/** Returns a value as JSON, with the keys of objects in alphabetical order. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
