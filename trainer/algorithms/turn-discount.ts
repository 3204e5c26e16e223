/**
 * Returns of turns (AReaL's `turn_discount`): walking the turns of an episode backwards, R_i = r_i + d R_(i+1), whichever
 * rows they lie in. Without a discount an episode has one return, its score, for all tokens of all of its rows.
 */
import type { Trajectory, TrajectoryStep } from "../rollout/trajectory.js";

/** Tokens of one turn: `first` to `end - 1`, without gaps between the turns of a row. Only sampled tokens count. */
export interface Turn {
  readonly trajectory: Trajectory;
  readonly first: number;
  readonly end: number;
  /** Undefined for tokens sampled after the row's last step, which never became an action. */
  readonly step: TrajectoryStep | undefined;
}

/** Tokens with one return: a whole trajectory or a turn. */
export interface Stretch extends Omit<Turn, "step"> {
  /** All rows of the trajectory's episode. */
  readonly episode: readonly Trajectory[];
  readonly value: number;
}

/** The turns of all rows of an episode in the order in which they were acted. Tokens that never became an action come last. */
export function turnsOf(episode: readonly Trajectory[]): Turn[] {
  const acted = episode.flatMap((trajectory) =>
    trajectory.steps.map((step, at, { [at - 1]: before }) => ({
      trajectory,
      first: before?.end ?? 0,
      end: step.end,
      step,
    })),
  );
  const rest = episode.flatMap((trajectory) => {
    const first = trajectory.steps.at(-1)?.end ?? 0;
    return trajectory.mask.includes(1, first)
      ? [{ trajectory, first, end: trajectory.tokens.length, step: undefined }]
      : [];
  });
  return [...acted.sort((one, other) => (one.step.turn ?? 0) - (other.step.turn ?? 0)), ...rest];
}

/**
 * R_i of every turn; 0 for tokens that never became an action.
 *
 * @param turns of one episode, as `turnsOf` gives them
 * @param bonus is added to the reward of the last turn
 */
export function turnReturns(turns: readonly Turn[], discount: number, bonus = 0): number[] {
  const returns = turns.map(() => 0);
  const last = Math.max(
    turns.findLastIndex(({ step }) => step),
    0,
  );
  let next = 0;
  for (let at = last; at >= 0; at--) {
    next = (turns[at]?.step?.reward ?? 0) + (at === last ? bonus : discount * next);
    returns[at] = next;
  }
  return returns;
}

/** Every sampled token of an episode lies in one stretch. @param bonus is added to the last reward */
export function stretchesOf(episode: readonly Trajectory[], discount: number | undefined, bonus = 0): Stretch[] {
  if (discount === undefined) {
    return episode.map((trajectory) => {
      return { trajectory, episode, first: 0, end: trajectory.tokens.length, value: trajectory.score + bonus };
    });
  }
  const turns = turnsOf(episode);
  const returns = turnReturns(turns, discount, bonus);
  return turns.map(({ trajectory, first, end }, at) => {
    return { trajectory, episode, first, end, value: returns[at] as number };
  });
}

/**
 * What returns are compared in: the turns where each has its own, else the episodes, each once however many rows it has.
 *
 * @param stretches of whole episodes
 */
export function sampleOf(stretches: readonly Stretch[], discount: number | undefined): readonly Stretch[] {
  if (discount !== undefined) return stretches;
  return stretches.filter(({ trajectory, episode }) => trajectory === episode[0]);
}
