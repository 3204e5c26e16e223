/** Converts Hugging Face's config.json to the engine's model configuration. */
import { misformed } from "../addon/errors.js";
import { isFloat } from "./options.js";

/** Model configuration: `palestra_model_config` of engine.h. */
export interface ModelConfig {
  vocabSize: number;
  hiddenSize: number;
  intermediateSize: number;
  layers: number;
  heads: number;
  keyValueHeads: number;
  headSize: number;
  maxPositions: number;
  rmsNormEpsilon: number;
  ropeTheta: number;
  /** Kind of rope scaling: 0 none, 1 linear, 2 llama3. */
  ropeScaling: 0 | 1 | 2;
  ropeFactor: number;
  ropeLowFrequencyFactor: number;
  ropeHighFrequencyFactor: number;
  ropeOriginalMaxPositions: number;
  /** Whether the head shares the weights of the embedding. */
  tiedHead: boolean;
  qkvBias: boolean;
  qkNorm: boolean;
  valueHead: boolean;
}

/** The content of a config.json. Unknown properties are kept when the model is saved. */
export type HfConfig = Record<string, unknown>;

interface Architecture {
  name: string;
  qkvBias: boolean;
  qkNorm: boolean;
}

const architectures = new Map<unknown, Architecture>([
  ["llama", { name: "LlamaForCausalLM", qkvBias: false, qkNorm: false }],
  ["qwen2", { name: "Qwen2ForCausalLM", qkvBias: true, qkNorm: false }],
  ["qwen3", { name: "Qwen3ForCausalLM", qkvBias: false, qkNorm: true }],
]);

/**
 * Converts a config. Fails with NATIVE_FORMAT on an unknown architecture, and on unsupported options that would change
 * results.
 */
export function readConfig(config: HfConfig): ModelConfig {
  const architecture = architectureOf(config);
  refuseUnsupported(config);
  const whole = (name: string, otherwise?: number) => wholeAt(config, name, otherwise);
  const hiddenSize = whole("hidden_size");
  const heads = whole("num_attention_heads");
  return {
    vocabSize: whole("vocab_size"),
    hiddenSize,
    intermediateSize: whole("intermediate_size"),
    layers: whole("num_hidden_layers"),
    heads,
    keyValueHeads: whole("num_key_value_heads", heads),
    headSize: whole("head_dim", Math.floor(hiddenSize / heads)),
    maxPositions: whole("max_position_embeddings", 2048),
    rmsNormEpsilon: realAt(config, "rms_norm_eps", 1e-6),
    ...ropeOf(config),
    tiedHead: flagAt(config, "tie_word_embeddings", false),
    qkvBias: architecture.qkvBias,
    qkNorm: architecture.qkNorm,
    valueHead: flagAt(config, "value_head", false),
  };
}

/**
 * Returns the config.json to save with a model: the config that was read, with the architecture, type and value head set.
 *
 * @param endTokens end tokens of the model, for a config that names none: other programs do not look in the tokenizer
 */
export function completeConfig(
  config: HfConfig,
  { valueHead, dtype, endTokens }: { valueHead: boolean; dtype: "f32" | "bf16"; endTokens: readonly number[] },
): HfConfig {
  const { value_head: _, ...complete } = config;
  if (endTokens.length > 0) complete.eos_token_id ??= endTokens.length === 1 ? endTokens[0] : [...endTokens];
  complete.architectures = [architectureOf(config).name];
  complete["dtype" in config ? "dtype" : "torch_dtype"] = dtype === "f32" ? "float32" : "bfloat16";
  if (valueHead) complete.value_head = true;
  return complete;
}

function architectureOf(config: HfConfig): Architecture {
  const { model_type: type, architectures: names } = config;
  const byName = [...architectures.values()].find(({ name }) => Array.isArray(names) && names.includes(name));
  const found = type === undefined ? byName : architectures.get(type);
  if (found) return found;
  throw misformed(`model_type to be one of ${[...architectures.keys()].join(", ")}`, type ?? names);
}

function refuseUnsupported(config: HfConfig): void {
  const { hidden_act: activation = "silu", use_sliding_window: slides, sliding_window: window } = config;
  if (activation !== "silu") throw misformed("hidden_act to be silu", activation);
  if (slides === true && typeof window === "number") throw misformed("use_sliding_window to be false", slides);
  for (const name of ["attention_bias", "mlp_bias"]) {
    if (config[name] === true) throw misformed(`${name} to be false`, true);
  }
  const { quantization_config: quantised, partial_rotary_factor: part = 1, layer_types: layers } = config;
  if (isObject(quantised)) throw misformed("weights without quantization, or a GGUF file", "a quantization_config");
  if (part !== 1) throw misformed("partial_rotary_factor to be 1", part);
  const other = Array.isArray(layers) && layers.find((layer) => layer !== "full_attention");
  if (other) throw misformed("layer_types to be full_attention", other);
}

function ropeOf(config: HfConfig) {
  // Newer files keep theta and scaling together in rope_parameters.
  const parameters = objectAt(config, "rope_parameters");
  const scaling = parameters ?? objectAt(config, "rope_scaling") ?? {};
  const { rope_type: type = scaling.type ?? "default" } = scaling;
  const theta = realAt(parameters?.rope_theta === undefined ? config : parameters, "rope_theta", 10_000);
  const none = {
    ropeTheta: theta,
    ropeScaling: 0 as const,
    ropeFactor: 1,
    ropeLowFrequencyFactor: 1,
    ropeHighFrequencyFactor: 4,
    ropeOriginalMaxPositions: 1,
  };
  if (type === "default") return none;
  if (type === "linear") return { ...none, ropeScaling: 1 as const, ropeFactor: realAt(scaling, "factor") };
  if (type !== "llama3") throw misformed("rope_type to be default, linear or llama3", type);
  return {
    ropeTheta: theta,
    ropeScaling: 2 as const,
    ropeFactor: realAt(scaling, "factor"),
    ropeLowFrequencyFactor: realAt(scaling, "low_freq_factor"),
    ropeHighFrequencyFactor: realAt(scaling, "high_freq_factor"),
    ropeOriginalMaxPositions: wholeAt(scaling, "original_max_position_embeddings"),
  };
}

function objectAt(config: HfConfig, name: string): HfConfig | undefined {
  const value = config[name] ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw misformed(`${name} to be an object`, value);
}

function isObject(value: unknown): value is HfConfig {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wholeAt(config: HfConfig, name: string, otherwise?: number): number {
  const value = config[name] ?? otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value < 2 ** 31) return value;
  throw misformed(`${name} to be an integer above 0`, value);
}

function realAt(config: HfConfig, name: string, otherwise?: number): number {
  const value = config[name] ?? otherwise;
  if (isFloat(value, (given) => Number.isFinite(given) && given > 0)) return value;
  throw misformed(`${name} to be a number above 0`, value);
}

function flagAt(config: HfConfig, name: string, otherwise: boolean): boolean {
  const value = config[name] ?? otherwise;
  if (typeof value === "boolean") return value;
  throw misformed(`${name} to be true or false`, value);
}
