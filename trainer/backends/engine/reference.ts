/** The frozen reference policy of the KL term. */
import type { Engine, Model, Trainer } from "../../../native/api/index.js";
import type { TrainSettings } from "../../settings/settings.js";

export interface ReferenceRequest {
  readonly engine: Engine;
  /** Model of the policy. */
  readonly model: Model;
  /** Folder of the starting model. */
  readonly folder: string;
  readonly settings: Pick<TrainSettings, "max_tokens_per_mb" | "lora_rank">;
}

/** Opens the reference. If the policy trains adapters, the weights under them are those of the reference, and are not loaded again. */
export async function openReference({ engine, model, folder, settings }: ReferenceRequest): Promise<Trainer> {
  const frozen = settings.lora_rank > 0 ? model : await engine.loadModel(folder);
  return frozenScorer(frozen, settings.max_tokens_per_mb);
}

/**
 * Opens a trainer that only scores. Adapters of rank 1 freeze the weights, so the trainer has no gradients and moments of them.
 * The adapters are never trained: one of their factors is 0, which changes no score.
 *
 * @param maxTokens maximum number of tokens in a pack
 */
export function frozenScorer(model: Model, maxTokens: number): Promise<Trainer> {
  const lora = { rank: 1, targets: ["k_proj" as const] };
  return model.trainer({ maxTokens, recompute: "layer", lora });
}
