/** A model of the engine that samples and is not trained, such as an earlier version of the policy. */
import type { Engine, Generator, Model } from "../../../native/api/index.js";
import { NativePolicy } from "../../policy/native.js";
import { sequencesOf, type TrainSettings } from "../../settings/settings.js";
import { contextOf } from "../generation.js";

export interface FrozenPolicyRequest {
  readonly engine: Engine;
  readonly folder: string;
  /** Name of the policy. */
  readonly name: string;
  readonly settings: TrainSettings;
}

class FrozenPolicy extends NativePolicy {
  constructor(
    override readonly name: string,
    private readonly model: Model,
    private readonly generator: Generator,
    settings: TrainSettings,
  ) {
    const { max_new_tokens: maxNewTokens, temperature, top_p: topP } = settings;
    super({ generator, model, context: contextOf({ settings, model }), maxNewTokens, temperature, topP });
  }

  override async close(): Promise<void> {
    await super.close();
    this.generator.close();
    this.model.close();
  }
}

/** Opens a policy that samples as the trained one does. @throws {NativeError} @throws {TrainerError} MODEL_UNUSABLE */
export async function openFrozenPolicy({ engine, folder, name, settings }: FrozenPolicyRequest): Promise<NativePolicy> {
  const model = await engine.loadModel(folder);
  try {
    const generator = await model.generator({ maxSequences: sequencesOf(settings) });
    return new FrozenPolicy(name, model, generator, settings);
  } catch (error) {
    model.close();
    throw error;
  }
}
