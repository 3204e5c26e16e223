/** `palestra endpoint`: serves a model over OpenAI's API for evaluation, with a base URL for each rollout. */

import { once } from "node:events";
import type { Command } from "commander";
import type { Engine } from "../../native/api/index.js";
import { onStopping } from "../abort.js";
import { guide } from "../command-line.js";
import type { Endpoint } from "../endpoint/endpoint.js";
import { buildEngine } from "../engine-build.js";
import { TrainerError } from "../errors.js";
import { isLoopback } from "../foreign-page.js";
import type { Device } from "../settings/device.js";
import { deviceOption, dtypeOption, fractionFrom, wholeFrom } from "./arguments.js";

interface EndpointFlags {
  readonly model: string;
  readonly host: string;
  readonly port: number;
  readonly device?: Device;
  readonly dtype?: "f32" | "bf16";
  readonly maxNewTokens: number;
  readonly temperature: number;
  readonly lease: number;
}

export function addEndpointCommand(program: Command): void {
  const command = program
    .command("endpoint")
    .description("serve a model to agents over OpenAI's API, as `train --rollout endpoint` does, but without training")
    .requiredOption("--model <dir>", "folder in Hugging Face's layout, or a GGUF file")
    .option(
      "--host <address>",
      "address to listen at; only loopback addresses, since the endpoint has no API key",
      "127.0.0.1",
    )
    .option("--port <port>", "port to listen at; 0: a free port", wholeFrom(0, 65_535), 8800)
    .addOption(deviceOption())
    .addOption(dtypeOption())
    .option("--max-new-tokens <n>", "maximum number of tokens in a reply", wholeFrom(1), 512)
    .option("--temperature <t>", "sampling temperature of requests without a temperature", fractionFrom(0), 1)
    .option("--lease <seconds>", "idle time after which a rollout fails", wholeFrom(1, 86_400), 120)
    .action(runEndpoint);
  guide(command, "trainer/README.md#rollouts-by-a-model-server", {
    "palestra endpoint --model runs/default/final": "Serve a trained model at http://127.0.0.1:8800",
    "palestra endpoint --model qwen.gguf --port 0 --temperature 0.7 --device cpu": "Serve a GGUF file at a free port",
  });
}

async function runEndpoint(flags: EndpointFlags): Promise<void> {
  if (!isLoopback(flags.host)) {
    throw new TrainerError("ARGUMENT_INVALID", `expected an address of this machine, but received ${flags.host}`);
  }
  const stopping = new AbortController();
  const close = onStopping(() => stopping.abort());
  const { device = "auto", dtype } = flags;
  await buildEngine();
  const [{ Engine }, { describeEngine }] = await Promise.all([
    import("../../native/api/index.js"),
    import("../start/engine.js"),
  ]);
  const engine = await Engine.create({ device, ...(dtype && { dtype }) });
  let endpoint: Endpoint | undefined;
  try {
    endpoint = await endpointOf(engine, flags);
    console.log(describeEngine(engine.info(), device));
    console.log(`rollout endpoint at ${await endpoint.listen()}`);
    if (!stopping.signal.aborted) await once(stopping.signal, "abort");
  } finally {
    await endpoint?.close();
    await engine.close();
    close();
  }
}

async function endpointOf(engine: Engine, flags: EndpointFlags): Promise<Endpoint> {
  const model = await engine.loadModel(flags.model);
  if (!model.tokenizer)
    throw new TrainerError("MODEL_UNUSABLE", "expected a model with a tokenizer.json, but received one without");
  const [{ Endpoint }, { PromptFormat }] = await Promise.all([
    import("../endpoint/endpoint.js"),
    import("../endpoint/prompt-format.js"),
  ]);
  const { temperature, maxNewTokens } = flags;
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
    host: flags.host,
    port: flags.port,
    apiKey: undefined,
    seed: 1,
    groupSize: 1,
    leaseMs: flags.lease * 1000,
    waitMs: 0,
    solvedReward: 1,
    trains: false,
    versionOf: (weights) => weights,
    say: (line) => console.error(line),
    progress: () => ({}),
  });
}
