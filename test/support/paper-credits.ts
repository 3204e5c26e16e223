/**
 * Advantages, returns and token weights of every algorithm from the papers' equations, in float64 and with sums
 * in place of recursions. It shares no code with the trainer.
 */
import type { AlgorithmSettings, Estimates } from "#palestra/trainer/algorithms/index.js";
import type { Group, Trajectory, TrajectoryStep } from "#palestra/trainer/rollout/trajectory.js";

type Settings = Partial<AlgorithmSettings>;
export type Episode = readonly Trajectory[];
/** Numbers by row, one for each token. */
type Columns = Map<Trajectory, number[]>;

export interface PaperCredits {
  readonly advantages: Columns;
  readonly returns?: Columns;
}

interface Token {
  readonly row: Trajectory;
  readonly token: number;
}

interface Turn {
  readonly tokens: readonly Token[];
  readonly step: TrajectoryStep;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
const areEqual = (values: readonly number[]) => new Set(values).size === 1;
const sampled = (row: Trajectory): Token[] =>
  [...row.mask.keys()].filter((token) => row.mask[token] === 1).map((token) => ({ row, token }));

export function episodesOfGroup({ trajectories }: Group): Episode[] {
  const alive = trajectories.filter(({ status, mask }) => status !== "failed" && mask.includes(1));
  return [...new Set(alive.map(({ episodeId }) => episodeId))].map((id) =>
    alive.filter(({ episodeId }) => episodeId === id),
  );
}

/** Returns the steps of all rows by `turn`, in order within a row. Every sampled token has a step in these tests. */
function turnsOf(episode: Episode): Turn[] {
  return episode
    .flatMap((row) =>
      row.steps.map((step) => ({
        step,
        tokens: sampled(row).filter(({ token }) => token >= step.first && token < step.end),
      })),
    )
    .sort((one, other) => (one.step.turn ?? 0) - (other.step.turn ?? 0));
}

/** sum_(j >= i) d^(j - i) r_j */
function returnsOf(turns: readonly Turn[], discount: number): number[] {
  return turns.map((_, i) => turns.slice(i).reduce((sum, { step }, k) => sum + discount ** k * step.reward, 0));
}

const withGroups = [
  "grpo",
  "dr-grpo",
  "rloo",
  "reinforce-plus-plus-baseline",
  "dapo",
  "gspo",
  "lite-ppo",
  "sapo",
  "cispo",
  "gigpo",
];

/** log teacher - log behavior of each sampled token, minus its mean over all rows. */
function distilled(rows: readonly Trajectory[], scored: ReadonlyMap<Trajectory, Estimates>): Columns {
  const closeness = ({ row, token }: Token) =>
    (scored.get(row)?.teacher?.[token] as number) - (row.logprobs[token] as number);
  const b = mean(rows.flatMap(sampled).map(closeness));
  return new Map(
    rows.map((row) => [row, [...row.mask].map((one, token) => (one === 1 ? closeness({ row, token }) - b : 0))]),
  );
}

export function paperCredits(
  settings: Settings,
  groups: readonly Group[],
  scored: ReadonlyMap<Trajectory, Estimates>,
): PaperCredits {
  const { algorithm = "grpo" } = settings;
  const least = withGroups.includes(algorithm) ? 2 : 1;
  const compared = groups.map(episodesOfGroup).filter(({ length }) => length >= least);
  if (algorithm === "on-policy-distillation") return { advantages: distilled(compared.flat().flat(), scored) };
  if (algorithm === "sft") return { advantages: filled(compared.flat().flat(), 1) };
  if (algorithm === "agent-evol") {
    const solved = compared.flat().filter(([row]) => row?.solved);
    return { advantages: filled(solved.flat(), 1) };
  }
  if (algorithm === "ppo") return estimates(settings, compared.flat(), scored);
  if (algorithm === "reinforce-plus-plus")
    return { advantages: whitened(returnsToGo(settings, compared.flat(), scored)) };
  if (algorithm === "gigpo") return { advantages: inGroups(settings, compared) };
  const outcomes = ofOutcomes(settings, compared);
  return { advantages: algorithm === "reinforce-plus-plus-baseline" ? whitened(outcomes) : outcomes };
}

function filled(rows: readonly Trajectory[], value: number): Columns {
  return new Map(rows.map((row) => [row, Array.from(row.mask, (one) => one * value)]));
}

/** Returns groups of tokens with one outcome each: turns with their returns, or episodes with their scores. */
function outcomesOf({ turn_discount: discount }: Settings, episode: Episode) {
  if (discount === undefined) {
    return [{ episode, tokens: episode.flatMap(sampled), value: episode[0]?.return as number }];
  }
  const turns = turnsOf(episode);
  return turns.map(({ tokens }, at) => ({ episode, tokens, value: returnsOf(turns, discount)[at] as number }));
}

function ofOutcomes(settings: Settings, groups: readonly Episode[][]): Columns {
  const advantages = filled(groups.flat().flat(), 0);
  const everyone = groups.flat().flatMap((episode) => outcomesOf(settings, episode).map(({ value }) => value));
  for (const group of groups) {
    const outcomes = group.flatMap((episode) => outcomesOf(settings, episode));
    const values = outcomes.map(({ value }) => value);
    for (const { episode, tokens, value } of outcomes) {
      const others = outcomes.filter((other) => other.episode !== episode).map((other) => other.value);
      const formulas: Record<string, () => number> = {
        rloo: () => value - mean(others),
        reinforce: () => value - mean(everyone),
        "dr-grpo": () => value - mean(values),
        "reinforce-plus-plus-baseline": () => value - mean(values),
        "lite-ppo": () => (value - mean(values)) / (deviation(everyone) + 1e-6),
      };
      const advantage = formulas[settings.algorithm ?? "grpo"]?.();
      const standardised = areEqual(values) ? 0 : (value - mean(values)) / (deviation(values) + 1e-6);
      for (const { row, token } of tokens) set(advantages, row, token, advantage ?? standardised);
    }
  }
  return advantages;
}

function set(columns: Columns, row: Trajectory, token: number, value: number): void {
  (columns.get(row) as number[])[token] = value;
}

function whitened(columns: Columns): Columns {
  const all = [...columns].flatMap(([row, values]) => sampled(row).map(({ token }) => values[token] as number));
  const scale = Math.sqrt(deviation(all) ** 2 + 1e-8);
  return new Map(
    [...columns].map(([row, values]) => [
      row,
      values.map((value, token) => (row.mask[token] === 1 ? (value - mean(all)) / scale : 0)),
    ]),
  );
}

/** Returns the sampled tokens of an episode in order: r_t - beta k1_t, and the product of discounts between two tokens. */
function sequenceOf(
  { gamma = 1, turn_discount = 1, kl_ctl = 0 }: Settings,
  episode: Episode,
  scored: ReadonlyMap<Trajectory, Estimates>,
) {
  const tokens = turnsOf(episode).flatMap(({ tokens, step }) =>
    tokens.map(({ row, token }, at) => {
      const isLast = at === tokens.length - 1;
      const reference = scored.get(row)?.reference?.[token];
      const k1 = reference === undefined ? 0 : (row.logprobs[token] as number) - reference;
      return {
        row,
        token,
        reward: (isLast ? step.reward : 0) - kl_ctl * k1,
        discount: gamma * (isLast ? turn_discount : 1),
        value: scored.get(row)?.values?.[token] ?? 0,
      };
    }),
  );
  const between = (from: number, to: number) => tokens.slice(from, to).reduce((all, { discount }) => all * discount, 1);
  return { tokens, between };
}

function returnsToGo(
  settings: Settings,
  episodes: readonly Episode[],
  scored: ReadonlyMap<Trajectory, Estimates>,
): Columns {
  const columns = filled(episodes.flat(), 0);
  for (const episode of episodes) {
    const { tokens, between } = sequenceOf(settings, episode, scored);
    for (const [t, { row, token }] of tokens.entries()) {
      set(
        columns,
        row,
        token,
        tokens.slice(t).reduce((sum, { reward }, k) => sum + between(t, t + k) * reward, 0),
      );
    }
  }
  return columns;
}

/** A_t = sum_k (gamma lam)^k delta_(t+k) */
function estimates(
  settings: Settings,
  episodes: readonly Episode[],
  scored: ReadonlyMap<Trajectory, Estimates>,
): PaperCredits {
  const [advantages, returns] = [filled(episodes.flat(), 0), filled(episodes.flat(), 0)];
  for (const episode of episodes) {
    const { tokens, between } = sequenceOf(settings, episode, scored);
    const deltas = tokens.map(
      ({ reward, discount, value }, t) => reward + discount * (tokens[t + 1]?.value ?? 0) - value,
    );
    for (const [t, { row, token, value }] of tokens.entries()) {
      const lam = settings.lam ?? 1;
      const advantage = deltas.slice(t).reduce((sum, delta, k) => sum + between(t, t + k) * lam ** k * delta, 0);
      set(advantages, row, token, advantage);
      set(returns, row, token, advantage + value);
    }
  }
  return { advantages: whitened(advantages), returns };
}

function inGroups({ gamma = 0.95, step_advantage_w: w = 1 }: Settings, groups: readonly Episode[][]): Columns {
  const advantages = filled(groups.flat().flat(), 0);
  for (const group of groups) {
    const scores = group.map(([row]) => row?.return as number);
    const steps = group.flatMap((episode) => {
      const turns = turnsOf(episode);
      return turns.map((turn, at) => ({ ...turn, episode, value: returnsOf(turns, gamma)[at] as number }));
    });
    for (const { step, tokens, value, episode } of steps) {
      const peers = steps.filter((other) => other.step.observationHash === step.observationHash);
      const ofStep = value - mean(peers.map((other) => other.value));
      const ofEpisode = (episode[0]?.return as number) - mean(scores);
      for (const { row, token } of tokens) set(advantages, row, token, ofEpisode + w * ofStep);
    }
  }
  return advantages;
}

/** Returns the weight of each sampled token of an episode in the loss. */
export function paperWeight(
  { loss_agg_mode: mode, max_completion_length: longest = 1 }: Settings,
  episodes: readonly Episode[],
  episode: Episode,
): number {
  const length = (one: Episode) => one.flatMap(sampled).length;
  if (mode === "token-mean") return 1 / episodes.reduce((sum, one) => sum + length(one), 0);
  if (mode === "seq-mean-token-mean") return 1 / episodes.length / length(episode);
  return 1 / episodes.length / (mode === "seq-mean-token-sum-norm" ? longest : 1);
}
