/**
 * The compute engine trains Llama, Qwen2 and Qwen3 decoders and generates with them. One engine is one native thread
 * with a thread pool. Calls do not block the event loop. Every failure is a `NativeError` with a code.
 *
 * ```ts
 * const engine = await Engine.create();
 * const model = await engine.loadModel("models/SmolLM2-135M");
 * const trainer = await model.trainer({ maxTokens: 4096 });
 * const generator = await model.generator();
 * const sequence = generator.submit({ tokens: model.tokenizer.encode("Once"), maxNewTokens: 32 });
 * for await (const { token, logprob } of sequence) ...
 * await trainer.accumulate({ tokens: sequence.tokens }, { policy: "cross-entropy" });
 * await trainer.step({ lr: 1e-5 });
 * await generator.update();
 * await engine.close();
 * ```
 */

export { NativeError, type NativeErrorCode, nativeErrors } from "../addon/errors.js";
export { type ChatMessage, type ChatOptions, ChatTemplate } from "../format/chat-template.js";
export type { HfConfig, ModelConfig } from "../format/hf-config.js";
export { type Adapters, writeAdapters } from "../format/peft.js";
export { readSafetensors } from "../format/safetensors.js";
export type { TextStream } from "../format/text-stream.js";
export { type TokenBytes, Tokenizer } from "../format/tokenizer.js";
export { Grammar, type GrammarSource } from "../grammar/grammar.js";
export { Engine, type EngineInfo, type EngineOptions, type InstructionSet, type Shares } from "./engine.js";
export type { Generator, GeneratorStatistics } from "./generator.js";
export type { Loss, LossInputs, LossStatistics } from "./loss.js";
export type { Model, ModelOptions, ModelSource, Parameter, SaveOptions } from "./model.js";
export type { GeneratorOptions, Request } from "./request.js";
export type { SampledToken } from "./sampled-tokens.js";
export type { Finish, Sequence, SequenceResult } from "./sequence.js";
export type { LoraOptions, Pack, Scores, StepOptions, StepResult, Trainer, TrainerOptions } from "./trainer.js";
