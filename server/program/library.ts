/** The library `palestra`, which the package exports. */
export type {
  EnvironmentSettings,
  EpisodeSettings,
  GymSettings,
  LoadedEnvironment,
  LocalGym,
} from "./gym-library.js";
export { createGym, loadEnvironment } from "./gym-library.js";
export type {
  EvaluatedEpisode,
  EvaluateResult,
  EvaluateSettings,
  EvaluationReport,
  GymReference,
  TrainProgress,
  TrainResult,
  TrainRunSettings,
} from "./training/trainer-library.js";
export { evaluate, train } from "./training/trainer-library.js";
