/** Pairs of episodes to judge: two episodes of a caller with the same task, seed and options, but different actions. */
import { GymError } from "../errors.js";
import type { EpisodeRow } from "../log/records/protocol.js";
import { type Judgment, type JudgmentStore, newestOf, pairOf } from "./judgment.js";

/** Number of the newest episodes of a caller among which pairs are found. */
const mostEpisodes = 5_000;
const pageSize = 1_000;
/** Number of episodes of one task that are paired with each other. */
const mostOfTask = 8;
/** Number of pairs that are read to find one with different actions. */
const mostReads = 50;

/** Properties of an episode that two episodes of a pair share. */
export type PlayedTask = Pick<EpisodeRow, "id" | "environment" | "split" | "taskIndex" | "seed" | "options">;

/** The episodes of a caller. */
export interface PlayedEpisodes {
  /** Returns at most `most` episodes older than `before`, the newest first. */
  list(before: string | undefined, most: number): Promise<readonly PlayedTask[]>;
  /** @throws {GymError} EPISODE_UNKNOWN, EPISODE_ELSEWHERE, LOG_FAILED */
  task(id: string): Promise<PlayedTask>;
  /** Returns a digest of the episode's actions, or null if it is not over or has no step. */
  actions(id: string): Promise<string | null>;
}

export interface Pair {
  readonly left: string;
  readonly right: string;
}

export interface NextPair {
  /** Null if the rater has judged all pairs. */
  readonly pair: Pair | null;
  /** Number of pairs that the rater has not judged. A few of them may turn out to be unfit. */
  readonly remaining: number;
}

/**
 * Returns a random pair that a rater has not judged. A pair that another rater has judged comes first, since agreement
 * needs two. Which episode is left is random.
 */
export async function nextPair(
  store: JudgmentStore,
  owner: string,
  episodes: PlayedEpisodes,
  { rater, environment }: { rater: string; environment?: string | undefined },
): Promise<NextPair> {
  const judgments = newestOf(await store.of(owner));
  const judged = new Set(judgments.filter((judgment) => judgment.rater === rater).map(pairOf));
  const byOthers = new Set(judgments.filter((judgment) => judgment.rater !== rater).map(pairOf));
  const open = (await candidates(episodes, environment)).filter((pair) => !judged.has(pairOf(pair)));
  const isShared = (pair: Pair) => byOthers.has(pairOf(pair));
  const ordered = [...shuffled(open.filter(isShared)), ...shuffled(open.filter((pair) => !isShared(pair)))];
  let unfit = 0;
  for (const pair of ordered.slice(0, mostReads)) {
    if (await isFit(episodes, pair)) return { pair, remaining: open.length - unfit };
    unfit += 1;
  }
  return { pair: null, remaining: 0 };
}

async function candidates(episodes: PlayedEpisodes, environment: string | undefined): Promise<Pair[]> {
  const groups = new Map<string, string[]>();
  let before: string | undefined;
  for (let read = 0; read < mostEpisodes; read += pageSize) {
    const rows = await episodes.list(before, pageSize);
    for (const row of rows) {
      if (environment !== undefined && row.environment !== environment && idOf(row) !== environment) continue;
      const group = groups.get(taskOf(row)) ?? [];
      if (group.length < mostOfTask) groups.set(taskOf(row), [...group, row.id]);
    }
    before = rows.at(-1)?.id;
    if (rows.length < pageSize) break;
  }
  return [...groups.values()].flatMap((ids) =>
    ids.flatMap((first, at) => ids.slice(at + 1).map((second) => randomOrder(first, second))),
  );
}

function idOf({ environment }: PlayedTask): string {
  return environment.replace(/@.*/, "");
}

function taskOf({ environment, split, taskIndex, seed, options }: PlayedTask): string {
  return JSON.stringify([environment, split, taskIndex, seed, options]);
}

function randomOrder(first: string, second: string): Pair {
  return Math.random() < 0.5 ? { left: first, right: second } : { left: second, right: first };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

async function isFit(episodes: PlayedEpisodes, { left, right }: Pair): Promise<boolean> {
  const [first, second] = [await episodes.actions(left), await episodes.actions(right)];
  return first !== null && second !== null && first !== second;
}

/** Stores a caller's judgment. @throws {GymError} PAIR_INVALID, EPISODE_UNKNOWN, LIMIT_TOKEN_JUDGMENTS, JUDGMENTS_FAILED */
export async function judge(
  judgments: JudgmentStore,
  owner: string,
  episodes: PlayedEpisodes,
  { left, right, ...said }: Pick<Judgment, "left" | "right" | "choice" | "rater" | "note">,
): Promise<Judgment> {
  const [row, other] = [await episodes.task(left), await episodes.task(right)];
  if (row.id === other.id || taskOf(row) !== taskOf(other)) {
    const expected = "two episodes with the same environment, task, seed and options";
    throw new GymError("PAIR_INVALID", expected, row.id === other.id ? "one episode twice" : `${left} and ${right}`);
  }
  return judgments.add(owner, {
    ...{ left, right, ...said },
    environment: row.environment,
    task: { split: row.split, index: row.taskIndex },
    seed: row.seed,
    createdAt: new Date().toISOString(),
  });
}
