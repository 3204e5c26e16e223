/** Generation by a server of the Tinker API: each version of the weights is saved there for sampling. */
import type { Policy } from "../../policy/policy.js";
import type { TrainSettings } from "../../settings/settings.js";
import type { RunModel } from "../backend.js";
import { contextOf, type Generation } from "../generation.js";
import { type Sampler, TinkerPolicy } from "./sampler.js";
import type { TinkerTrainer } from "./trainer.js";

export interface TinkerGenerationParts {
  readonly settings: TrainSettings;
  readonly model: RunModel;
  readonly trainer: TinkerTrainer;
  readonly sampler: Sampler;
  readonly signal: AbortSignal;
}

export class TinkerGeneration implements Generation {
  private publications = 0;

  constructor(private readonly parts: TinkerGenerationParts) {}

  get decodedTokens(): number {
    return this.parts.sampler.sampledTokens;
  }

  get idleSeconds(): number {
    return this.parts.sampler.idleSeconds;
  }

  policy(temperature: number): Policy {
    const { settings, model, sampler } = this.parts;
    const { max_new_tokens: maxNewTokens, top_p: topP } = settings;
    const options = { context: contextOf(this.parts), maxNewTokens, temperature, topP };
    return new TinkerPolicy(sampler, model.tokenizer, options);
  }

  async publish(version: number): Promise<void> {
    const { trainer, sampler, signal } = this.parts;
    this.publications += 1;
    try {
      const path = await trainer.saveForSampling(`v${version}-${this.publications}`);
      sampler.published = { path, version };
      sampler.gate?.open();
    } catch (error) {
      // The run is ending: no more tokens are sampled, but the checkpoint must still be saved.
      if (!signal.aborted) throw error;
    }
  }

  close(): void {}
}
