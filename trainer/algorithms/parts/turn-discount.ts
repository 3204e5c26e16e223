/**
 * Returns of turns (AReaL's `turn_discount`): R_i = r_i + d R_(i+1) over the turns of an episode, across rows. Without a
 * discount an episode has one return for all tokens of its rows.
 */
import type { Trajectory, TrajectoryStep } from "../../rollout/trajectory.js";

/** Tokens of one turn: `first` to `end - 1`, without gaps between the turns of a row. Only sampled tokens count. */
export interface Turn {
  readonly trajectory: Trajectory;
  readonly first: number;
  readonly end: number;
  /** Step of the turn; undefined for tokens after the row's last step, whose text was not sent as an action. */
  readonly step: TrajectoryStep | undefined;
}

/** Tokens that share one return: a whole trajectory or a turn. */
export interface Stretch extends Omit<Turn, "step"> {
  /** All rows of the episode. */
  readonly episode: readonly Trajectory[];
  readonly value: number;
}

/**
 * Returns the turns of all rows of an episode in the order of play. Tokens that were not sent as an action come last.
 */
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
 * Returns the return of every turn; 0 for tokens that were not sent as an action.
 *
 * @param turns result of `turnsOf` for one episode
 * @param bonus reward that is added to the last turn
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

/**
 * Divides an episode into stretches, which cover every sampled token.
 *
 * @param bonus reward that is added to the last turn
 */
export function stretchesOf(episode: readonly Trajectory[], discount: number | undefined, bonus = 0): Stretch[] {
  if (discount === undefined) {
    return episode.map((trajectory) => {
      return { trajectory, episode, first: 0, end: trajectory.tokens.length, value: trajectory.return + bonus };
    });
  }
  const turns = turnsOf(episode);
  const returns = turnReturns(turns, discount, bonus);
  return turns.map(({ trajectory, first, end }, at) => {
    return { trajectory, episode, first, end, value: returns[at] as number };
  });
}

/**
 * Returns the sample whose returns are compared: all turns if there is a turn discount, else one stretch for each
 * episode.
 *
 * @param stretches stretches of whole episodes
 */
export function sampleOf(stretches: readonly Stretch[], discount: number | undefined): readonly Stretch[] {
  if (discount !== undefined) return stretches;
  return stretches.filter(({ trajectory, episode }) => trajectory === episode[0]);
}
