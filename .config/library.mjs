/** The entry of the package, dist/index.js. No source may import both the server and the trainer, so it is generated. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const entryTypes = "dist/index.d.ts";

const shared = `export { createGym, loadEnvironment } from "./server/library.js";`;

/** Code of the entry, which stands beside the folders of the sources. */
export const entryCode = `${shared}
import { fileURLToPath } from "node:url";
import { trainerLibrary } from "./trainer/library.js";

/** Program that serves a gym, for runs that start one. */
const gymProgram = fileURLToPath(new URL("./server/cli.js", import.meta.url));
export const { evaluate, train } = trainerLibrary(gymProgram);
`;

const types = `${shared}
export type {
  EnvironmentSettings,
  EpisodeSettings,
  GymSettings,
  LoadedEnvironment,
  LocalGym,
} from "./server/library.js";
export type {
  EvaluatedEpisode,
  EvaluateResult,
  EvaluateSettings,
  EvaluationReport,
  GymReference,
  TrainProgress,
  TrainResult,
  TrainRunSettings,
} from "./trainer/library.js";
import type { TrainerLibrary } from "./trainer/library.js";

/** Evaluates a policy on the tasks of an environment and writes reports, as \`palestra eval\` does. */
export declare const evaluate: TrainerLibrary["evaluate"];
/** Trains a model and writes metrics and checkpoints, as \`palestra train\` does. */
export declare const train: TrainerLibrary["train"];
`;

export function writeEntryTypes(root) {
  writeFileSync(join(root, entryTypes), types);
}
