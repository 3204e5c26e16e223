/** The contract of generation: it samples the replies of a run with the newest weights. */
import type { Generator } from "../../native/api/index.js";
import type { Policy } from "../policy/policy.js";
import type { TrainSettings } from "../settings/settings.js";

export interface Generation {
  /** Creates a policy that samples at a temperature, always with the most recently published weights. */
  policy(temperature: number): Policy;
  /**
   * Publishes the model's weights. Resolves once new replies are sampled with them. Replies in flight continue with them, or
   * end with the weights of their first token.
   *
   * @param version policy version: the number of train steps before these weights
   */
  publish(version: number): Promise<void>;
  /** Number of tokens sampled so far. */
  readonly decodedTokens: number;
  /** Sampling state of the native engine; undefined if a server samples. */
  readonly native?: NativeSampling;
  /** Seconds so far in which no sequence was being sampled; undefined for a server, which may have other clients. */
  readonly idleSeconds: number | undefined;
  close(): void;
}

export interface NativeSampling {
  readonly generator: Generator;
  /** Maps a version of the engine's weights to the policy version. */
  versionOf(weights: number): number;
}

/**
 * Returns the maximum number of tokens of a conversation: the setting, or the model's number of positions if it is
 * smaller.
 */
export function contextOf({
  settings,
  model,
}: {
  readonly settings: Pick<TrainSettings, "context_length">;
  readonly model: { readonly config: { readonly maxPositions: number } };
}): number {
  return Math.min(settings.context_length, model.config.maxPositions);
}
