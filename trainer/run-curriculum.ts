/** The curriculum that settings ask for: task sets by weight, in shuffled order, without what teaches nothing. */
import {
  type TaskSource as Curriculum,
  DifficultyFilter,
  FilteredTasks,
  fixedRounds,
  Mixture,
  type RoundCap,
  ShuffledTasks,
  scalingInter,
} from "./curriculum/index.js";
import type { TrainSettings } from "./settings.js";
import type { BoundedTaskSet } from "./task-set.js";

/** Tasks that are passed over in a row at most. */
const patience = 1_000;

export interface RunCurriculum {
  readonly tasks: Curriculum;
  readonly rounds: RoundCap;
  /** Undefined where none is asked for. */
  readonly filter: DifficultyFilter | undefined;
}

/** @param state what the run that is resumed had saved */
export function runCurriculum(
  settings: TrainSettings,
  sets: readonly BoundedTaskSet[],
  trainStep: () => number,
  state: { tasks?: unknown; filter?: unknown } = {},
): RunCurriculum {
  const mixture = mixtureOf(sets, settings.seed, state.tasks);
  const { rounds_ctrl: rounds, steps_scaling_inter, max_rounds } = settings;
  const filter = settings.difficulty_filter ? new DifficultyFilter({}, state.filter) : undefined;
  return {
    tasks: filter ? new FilteredTasks(mixture, { filter, trainStep, patience }) : mixture,
    rounds: rounds ? scalingInter({ rounds, steps_scaling_inter }) : fixedRounds(max_rounds),
    filter,
  };
}

export function mixtureOf(sets: readonly BoundedTaskSet[], seed: number, state?: unknown): Mixture {
  const shares = sets.map(({ environment, split, first, last, weight }) => {
    const range = { environment, split, first, count: last - first + 1 };
    return { weight, source: (own?: unknown) => new ShuffledTasks(range, { seed }, own) };
  });
  return new Mixture(shares, state);
}
