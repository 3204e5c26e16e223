/**
 * The structs of engine.h that are objects in JavaScript. Each table maps the name of a property to the type and the
 * name of the C field, in the order of the header. A test compares the tables with engine.h and with this folder's
 * conversions in C++.
 */

export const modelConfigFields = {
  vocabSize: "int32_t vocab_size",
  hiddenSize: "int32_t hidden_size",
  intermediateSize: "int32_t intermediate_size",
  layers: "int32_t num_hidden_layers",
  heads: "int32_t num_attention_heads",
  keyValueHeads: "int32_t num_key_value_heads",
  headSize: "int32_t head_dim",
  maxPositions: "int32_t max_position_embeddings",
  rmsNormEpsilon: "float rms_norm_eps",
  ropeTheta: "float rope_theta",
  ropeScaling: "int32_t rope_scaling",
  ropeFactor: "float rope_factor",
  ropeLowFrequencyFactor: "float rope_low_freq_factor",
  ropeHighFrequencyFactor: "float rope_high_freq_factor",
  ropeOriginalMaxPositions: "int32_t rope_original_max_position_embeddings",
  tiedHead: "int32_t tie_word_embeddings",
  qkvBias: "int32_t qkv_bias",
  qkNorm: "int32_t qk_norm",
  valueHead: "int32_t value_head",
} as const;

export const lossFields = {
  policy: "int32_t policy",
  clipLow: "float clip_low",
  clipHigh: "float clip_high",
  dualClip: "float dual_clip",
  behaviourWeight: "int32_t behaviour_weight",
  behaviourCap: "float behaviour_cap",
  kl: "int32_t kl",
  klCoefficient: "float kl_coefficient",
  entropyCoefficient: "float entropy_coefficient",
  temperature: "float temperature",
  valueCoefficient: "float value_coefficient",
  valueClip: "float value_clip",
} as const;

export const lossInputFields = {
  weight: "const float* weight",
  advantage: "const float* advantage",
  behaviour: "const float* behaviour",
  proximal: "const float* proximal",
  reference: "const float* reference",
  returns: "const float* returns",
  oldValues: "const float* old_values",
} as const;

export const lossStatisticFields = {
  tokens: "double tokens",
  loss: "double loss",
  policyLoss: "double policy_loss",
  klLoss: "double kl_loss",
  valueLoss: "double value_loss",
  entropy: "double entropy",
  ratio: "double ratio",
  highestRatio: "double highest_ratio",
  clippedLow: "double clipped_low",
  clippedHigh: "double clipped_high",
  dualClipped: "double dual_clipped",
  behaviourWeight: "double behaviour_weight",
  behaviourCut: "double behaviour_cut",
  proximalKl: "double proximal_kl",
  referenceKl: "double reference_kl",
} as const;

export const trainerOptionFields = {
  maxTokens: "int32_t max_tokens",
  recompute: "int32_t recompute",
  loraRank: "int32_t lora_rank",
  loraAlpha: "float lora_alpha",
  loraDropout: "float lora_dropout",
  loraTargets: "uint32_t lora_targets",
  loraSeed: "uint64_t lora_seed",
} as const;

export const adamWFields = {
  lr: "float lr",
  beta1: "float beta1",
  beta2: "float beta2",
  epsilon: "float epsilon",
  weightDecay: "float weight_decay",
  clipNorm: "double clip_norm",
} as const;

export const generatorOptionFields = {
  maxSequences: "int32_t max_sequences",
  maxRows: "int32_t max_rows",
  kvBytes: "uint64_t kv_bytes",
  weights: "int32_t weights",
  keysValues: "int32_t keys_values",
} as const;

export const generatorStatisticFields = {
  steps: "int64_t steps",
  decodedTokens: "int64_t decoded_tokens",
  prefilledTokens: "int64_t prefilled_tokens",
  sharedTokens: "int64_t shared_tokens",
  preemptions: "int64_t preemptions",
  pages: "int32_t pages",
  freePages: "int32_t free_pages",
  running: "int32_t running",
  waiting: "int32_t waiting",
  kept: "int32_t kept",
  version: "int64_t version",
} as const;

/** JavaScript object that the addon accepts or returns for a struct of numbers. */
type Numbers<Fields> = { [Name in keyof Fields]: number };

export type RawLoss = Numbers<typeof lossFields>;
export type RawLossInputs = { [Name in keyof typeof lossInputFields]: Float32Array | null };
export type RawLossStatistics = Numbers<typeof lossStatisticFields>;
export type RawTrainerOptions = Numbers<Omit<typeof trainerOptionFields, "loraSeed">> & { loraSeed: bigint };
export type RawAdamW = Numbers<typeof adamWFields>;
export type RawGeneratorOptions = Numbers<typeof generatorOptionFields>;
export type RawGeneratorStatistics = Numbers<typeof generatorStatisticFields>;
/** Model configuration that the addon accepts. Its flags are booleans in JavaScript. */
export type RawModelConfig = { [Name in keyof typeof modelConfigFields]: number | boolean };
