/** `palestra endpoint`: serves a model to agents for evaluation, with a base URL for each rollout. */

import type { Command } from "commander";
import { onStopping } from "../../../trainer/abort.js";
import type { ServedModel } from "../../../trainer/endpoint/model-endpoint.js";
import { TrainerError } from "../../../trainer/errors.js";
import { isLoopback } from "../../formats/loopback.js";
import { fractionFrom, wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";
import { deviceOption, dtypeOption } from "../training/engine-options.js";

export function addEndpointCommand(program: Command): void {
  const command = program
    .command("endpoint")
    .description(
      "serve a model to agents over the APIs of OpenAI and Anthropic, as `train --rollout endpoint` does, but without training",
    )
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

async function runEndpoint(flags: ServedModel): Promise<void> {
  if (!isLoopback(flags.host)) {
    throw new TrainerError("ARGUMENT_INVALID", `expected an address of this machine, but received ${flags.host}`);
  }
  const stopping = new AbortController();
  const close = onStopping(() => stopping.abort());
  try {
    const { serveModel } = await import("../../../trainer/endpoint/model-endpoint.js");
    await serveModel(flags, stopping.signal);
  } finally {
    close();
  }
}
