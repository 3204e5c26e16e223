/**
 * The curriculum of a run: task sets mixed by weight, in shuffled order, without tasks that are too easy or too hard.
 */
import {
  type TaskSource as Curriculum,
  DifficultyFilter,
  FilteredTasks,
  fixedRounds,
  Learnability,
  mixtureOf,
  type RoundCap,
  scalingInter,
} from "../curriculum/index.js";
import type { Played } from "../gym/gym.js";
import type { BoundedTaskSet } from "../gym/task-set.js";
import { bySeat, type Group } from "../rollout/trajectory.js";
import type { TrainSettings } from "../settings/settings.js";

/** Maximum number of tasks that the filter skips in a row. */
const patience = 1_000;

export interface RunCurriculum {
  readonly tasks: Curriculum;
  readonly rounds: RoundCap;
  /** Records a group that was learned from or left out. */
  observe(task: Played, group: Group): void;
  /** Returns the seats of a task's environment; undefined if it has one player. */
  seatsOf(task: Played): readonly string[] | undefined;
  /** Returns the seats in which a task is worth playing: those that the difficulty filter admits, or all if it admits none. */
  worthwhile(task: Played, seats: readonly string[]): readonly string[];
  /** Returns the state of the observations as plain JSON; the state of `tasks` is separate. */
  state(): Observed;
}

/** Observations about the tasks. */
export interface Observed {
  readonly filter?: unknown;
  readonly learnability?: unknown;
}

/** Builds the curriculum of a run. The last parameter is the saved state of a resumed run. */
export function runCurriculum(
  settings: TrainSettings,
  sets: readonly BoundedTaskSet[],
  trainStep: () => number,
  { tasks, filter: ofFilter, learnability: ofSets }: { tasks?: unknown } & Observed = {},
): RunCurriculum {
  const { rounds_ctrl: rounds, steps_scaling_inter, max_rounds, seed } = settings;
  const learnability = settings.task_mixing === "learnability" ? new Learnability(sets.length, {}, ofSets) : undefined;
  const filter = settings.difficulty_filter ? new DifficultyFilter({}, ofFilter) : undefined;
  const mixture = mixtureOf(sets, seed, tasks, learnability);
  const seatsOf = (task: Played) => sets[setOf(sets, task)]?.seats;
  const playable = (task: Played) => seatsOf(task) && (settings.learner_seats ?? seatsOf(task));
  return {
    tasks: filter ? new FilteredTasks(mixture, { filter, trainStep, patience, seatsOf: playable }) : mixture,
    rounds: rounds ? scalingInter({ rounds, steps_scaling_inter }) : fixedRounds(max_rounds),
    seatsOf,
    worthwhile: (task, seats) => {
      const admitted = seats.filter((seat) => filter?.admits(task, trainStep(), [seat]) ?? true);
      return admitted.length > 0 ? admitted : seats;
    },
    observe: (task, group) => {
      const { trajectories } = group;
      if (filter) for (const ofSeat of bySeat(group)) observeSeat(filter, task, ofSeat, trainStep());
      const solved = trajectories.reduce((sum, { solved }) => sum + Number(solved), 0);
      if (trajectories.length > 0) learnability?.observe(setOf(sets, task), solved / trajectories.length);
    },
    state: () => ({ filter: filter?.state(), learnability: learnability?.state() }),
  };
}

/**
 * Records the episodes of one seat, or of the only player. A seat's own returns can differ though each episode is solved, or
 * none. Such a group has a gradient, so that its episodes count as solved by half.
 */
function observeSeat(filter: DifficultyFilter, task: Played, { trajectories }: Group, trainStep: number): void {
  const differs = trajectories.some((one) => one.seat !== undefined && one.return !== trajectories[0]?.return);
  for (const { solved, seat } of trajectories) filter.observe(task, differs ? 0.5 : solved, trainStep, seat);
}

/**
 * Returns whether the difficulty filter cannot leave out any task, because the run plays each task at most once. The
 * filter combines the evidence of a task's seeds, but not that of several tasks.
 */
export function isFilterIdle(
  settings: Pick<TrainSettings, "difficulty_filter" | "total_train_steps" | "batch_size">,
  sets: readonly Pick<BoundedTaskSet, "first" | "last">[],
): boolean {
  const groups = settings.total_train_steps * settings.batch_size;
  return settings.difficulty_filter && sets.every(({ first, last }) => last - first + 1 >= groups);
}

/** Returns the index of the first task set that contains the task. */
function setOf(sets: readonly BoundedTaskSet[], { environment, split, index }: Played): number {
  return sets.findIndex(
    (set) => set.environment === environment && set.split === split && set.first <= index && index <= set.last,
  );
}
