/** The algorithms by name. */

import { cispo } from "./cispo.js";
import { dapo } from "./dapo.js";
import { drGrpo } from "./dr-grpo.js";
import { gigpo } from "./gigpo.js";
import { grpo } from "./grpo.js";
import { gspo } from "./gspo.js";
import { litePpo } from "./lite-ppo.js";
import { onPolicyDistillation } from "./on-policy-distillation.js";
import type { Algorithm } from "./parts/algorithm.js";
import { refuseContradictions } from "./parts/contradictions.js";
import { type ResolvedSettings, resolveDefaults } from "./parts/defaults.js";
import type { AlgorithmName, AlgorithmSettings } from "./parts/settings.js";
import { ppo } from "./ppo.js";
import { reinforce } from "./reinforce.js";
import { reinforcePlusPlus, reinforcePlusPlusBaseline } from "./reinforce-plus-plus.js";
import { rloo } from "./rloo.js";
import { sapo } from "./sapo.js";
import { agentEvol, sft } from "./supervised.js";

export type { Algorithm, Batch, Credit, CustomGradients, CustomLoss, Estimates } from "./parts/algorithm.js";
export type { ResolvedSettings } from "./parts/defaults.js";
export { lossInputs } from "./parts/engine-loss.js";
export { type GroupStatistics, groupStatistics } from "./parts/group-statistics.js";
export {
  type AlgorithmName,
  AlgorithmSettings,
  algorithmFields,
  algorithmNames,
} from "./parts/settings.js";
export { normaliserOf } from "./parts/token-weights.js";

const algorithms: Record<AlgorithmName, (settings: ResolvedSettings) => Algorithm> = {
  ppo,
  grpo,
  "dr-grpo": drGrpo,
  rloo,
  reinforce,
  "reinforce-plus-plus": reinforcePlusPlus,
  "reinforce-plus-plus-baseline": reinforcePlusPlusBaseline,
  dapo,
  gspo,
  "lite-ppo": litePpo,
  sapo,
  cispo,
  gigpo,
  sft,
  "agent-evol": agentEvol,
  "on-policy-distillation": onPolicyDistillation,
};

/**
 * Fills in the defaults of an algorithm's settings.
 *
 * @throws {TrainerError} ALGORITHM_CONTRADICTION
 */
export function resolveSettings(given: AlgorithmSettings): ResolvedSettings {
  const resolved = resolveDefaults(given);
  refuseContradictions(given, resolved);
  return resolved;
}

/** Creates the algorithm of the settings. @throws {TrainerError} ALGORITHM_CONTRADICTION */
export function createAlgorithm(settings: AlgorithmSettings): Algorithm {
  return algorithms[settings.algorithm](resolveSettings(settings));
}
