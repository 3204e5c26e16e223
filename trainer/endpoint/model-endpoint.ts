/** Serves a model over the APIs of OpenAI and Anthropic for evaluation, without training. */
import { once } from "node:events";
import { Engine } from "../../native/api/index.js";
import { buildEngine } from "../engine-build.js";
import { TrainerError } from "../errors.js";
import type { Device } from "../settings/device.js";
import { describeEngine } from "../start/engine.js";
import { Endpoint } from "./endpoint.js";
import { PromptFormat } from "./protocol/prompt-format.js";

export interface ServedModel {
  /** Folder in Hugging Face's layout, or a GGUF file. */
  readonly model: string;
  readonly host: string;
  readonly port: number;
  readonly device?: Device;
  readonly dtype?: "f32" | "bf16";
  readonly maxNewTokens: number;
  /** Sampling temperature of requests without one. */
  readonly temperature: number;
  /** Idle time in seconds after which a rollout fails. */
  readonly lease: number;
}

/** Serves a model until the signal aborts. @throws {TrainerError} MODEL_UNUSABLE, ADDRESS_UNUSABLE @throws {NativeError} */
export async function serveModel(served: ServedModel, signal: AbortSignal): Promise<void> {
  const { device = "auto", dtype } = served;
  await buildEngine();
  const engine = await Engine.create({ device, ...(dtype && { dtype }) });
  let endpoint: Endpoint | undefined;
  try {
    endpoint = await endpointOf(engine, served);
    console.log(describeEngine(engine.info(), device));
    console.log(`rollout endpoint at ${await endpoint.listen()}`);
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await endpoint?.close();
    await engine.close();
  }
}

async function endpointOf(engine: Engine, served: ServedModel): Promise<Endpoint> {
  const model = await engine.loadModel(served.model);
  if (!model.tokenizer)
    throw new TrainerError("MODEL_UNUSABLE", "expected a model with a tokenizer.json, but received one without");
  const { temperature, maxNewTokens } = served;
  return new Endpoint({
    chat: {
      format: new PromptFormat(model.tokenizer),
      model: "palestra",
      context: model.config.maxPositions,
      maxNewTokens,
      temperature,
      topP: 1,
      sampling: "refuse",
      evalTemperature: temperature,
    },
    generator: await model.generator(),
    host: served.host,
    port: served.port,
    apiKey: undefined,
    seed: 1,
    groupSize: 1,
    leaseMs: served.lease * 1000,
    waitMs: 0,
    rewardMs: served.lease * 1000,
    isTooOld: () => false,
    solvedReward: 1,
    trains: false,
    versionOf: (weights) => weights,
    say: (line) => console.error(line),
    progress: () => ({}),
  });
}
