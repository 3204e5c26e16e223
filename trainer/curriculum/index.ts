/** Curricula: the choice of tasks, and the round caps of episodes. */
export { DifficultyFilter, type DifficultyOptions, FilteredTasks } from "./difficulty-filter.js";
export { Learnability, type LearnabilityOptions } from "./learnability.js";
export { Mixture, mixtureOf, type Share } from "./mixture.js";
export {
  agentGymRlRounds,
  fixedRounds,
  type RoundCap,
  type RoundDefaults,
  roundDefaults,
  scalingInter,
} from "./scaling-inter.js";
export { type ShuffledOptions, ShuffledTasks, type TaskRange, type TaskSource } from "./task-source.js";
