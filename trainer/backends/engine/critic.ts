/** The separate critic of PPO. */
import type { Engine, Trainer } from "../../../native/api/index.js";
import type { TrainSettings } from "../../settings/settings.js";
import { trainerOptions } from "../../start/starting-model.js";

export interface CriticRequest {
  readonly engine: Engine;
  /** Folder of the starting model. */
  readonly folder: string;
  readonly settings: TrainSettings;
}

/**
 * Opens a second copy of the starting model, with a value head and an optimizer of its own. With `lora_rank` its adapters and
 * its value head are trained.
 */
export async function openCritic({ engine, folder, settings }: CriticRequest): Promise<Trainer> {
  const model = await engine.loadModel(folder, { valueHead: true });
  return model.trainer(trainerOptions(settings));
}
