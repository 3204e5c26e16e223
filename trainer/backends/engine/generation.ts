/** Generation of a run's replies, by the engine that trains or by a server that receives the weights. */
import { join } from "node:path";
import type { Generator, Model, Trainer } from "../../../native/api/index.js";
import { NativePolicy } from "../../policy/native.js";
import { parseOpenAI } from "../../policy/policies.js";
import type { Policy } from "../../policy/policy.js";
import type { TokenPolicyOptions } from "../../policy/token-policy.js";
import { TokenServer, TokenServerPolicy } from "../../policy/token-server.js";
import { WeightPush } from "../../policy/weight-push.js";
import { sequencesOf, type TrainSettings } from "../../settings/settings.js";
import { contextOf, type Generation, type NativeSampling } from "../generation.js";

export interface GenerationParts {
  readonly settings: TrainSettings;
  readonly model: Model;
  readonly trainer: Trainer;
  readonly signal: AbortSignal;
}

export async function openGeneration(parts: GenerationParts): Promise<Generation> {
  const { settings, model } = parts;
  if (settings.policy !== "native") return new ServerGeneration(parts);
  const generator = await model.generator({ maxSequences: sequencesOf(settings), ...adaptersOf(parts) });
  return new NativeGeneration(parts, generator);
}

class NativeGeneration implements Generation {
  private readonly versions = new PolicyVersions();

  constructor(
    private readonly parts: GenerationParts,
    private readonly generator: Generator,
  ) {}

  get decodedTokens(): number {
    return this.generator.stats().decodedTokens;
  }

  get native(): NativeSampling {
    return { generator: this.generator, versionOf: (weights) => this.versions.of(weights) };
  }

  get idleSeconds(): number {
    return this.generator.stats().idleSeconds;
  }

  policy(temperature: number): Policy {
    return new NativePolicy({ ...optionsOf(this.parts, temperature), model: this.parts.model, ...this.native });
  }

  async publish(version: number): Promise<void> {
    this.versions.publish(this.parts.model.version, version);
    await this.generator.update({ kv: this.parts.settings.kv_on_update });
  }

  close(): void {
    this.generator.close();
  }
}

/**
 * Maps versions of the engine's weights, which count optimizer steps, to policy versions, which count train steps. A
 * train step has several optimizer steps; only published weights are used for sampling.
 */
class PolicyVersions {
  private readonly byWeights = new Map<number, number>();

  /** Records a policy version. Call it before the generator receives the weights. */
  publish(weights: number, version: number): void {
    this.byWeights.set(weights, version);
  }

  /** Finds the policy version of weights. @throws {RangeError} the weights were not published */
  of(weights: number): number {
    const version = this.byWeights.get(weights);
    if (version !== undefined) return version;
    throw new RangeError(`expected the version of published weights, but received ${weights}, which was not published`);
  }
}

class ServerGeneration implements Generation {
  readonly idleSeconds = undefined;
  private readonly server: TokenServer;
  private readonly weights: WeightPush;
  private isChecked = false;

  constructor(private readonly parts: GenerationParts) {
    const { settings } = parts;
    const concurrency = sequencesOf(settings);
    this.server = new TokenServer({ ...parseOpenAI(settings.policy.replace(/^openai:/, "")), concurrency });
    this.weights = new WeightPush({
      base: this.server.server.base,
      server: settings.policy_server === "auto" ? undefined : settings.policy_server,
      folder: settings.policy_weights ?? join(settings.output, "weights"),
      kv: settings.kv_on_update,
    });
  }

  get decodedTokens(): number {
    return this.server.sampledTokens;
  }

  policy(temperature: number): Policy {
    return new TokenServerPolicy(this.server, this.parts.model.tokenizer, optionsOf(this.parts, temperature));
  }

  async publish(version: number): Promise<void> {
    const { model, settings, signal } = this.parts;
    const dtype = settings.dtype === "bf16" ? "bf16" : "f32";
    const save = (folder: string) => model.save(folder, { dtype, ...adaptersOf(this.parts) });
    try {
      await this.weights.push(version, save, signal);
      if (!this.isChecked) await this.server.expectTokens(model.tokenizer?.encode("Hello") ?? new Int32Array(), signal);
    } catch (error) {
      // The run is ending: no more tokens are sampled, but the checkpoint must still be saved.
      if (signal.aborted) return;
      throw error;
    }
    this.server.version = version;
    this.isChecked = true;
  }

  close(): void {
    this.server.close();
  }
}

function optionsOf({ settings, model }: GenerationParts, temperature: number): TokenPolicyOptions {
  return {
    context: contextOf({ settings, model }),
    maxNewTokens: settings.max_new_tokens,
    temperature,
    topP: settings.top_p,
  };
}

function adaptersOf({ settings, trainer }: GenerationParts): { adapters?: Trainer } {
  return settings.lora_rank > 0 ? { adapters: trainer } : {};
}
