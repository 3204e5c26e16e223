/**
 * The trainer's program. `palestra eval` and similar commands start it as a child process, and pass on their arguments
 * and signals. `errors.ts` lists the exit statuses.
 */
import { Command, CommanderError } from "commander";
import { NativeError, type NativeErrorCode } from "../native/api/index.js";
import { addAskCommand } from "./commands/ask.js";
import { addEndpointCommand } from "./commands/endpoint.js";
import { addEvalCommand } from "./commands/eval.js";
import { addExportCommand } from "./commands/export.js";
import { addTrainCommand } from "./commands/train.js";
import { exitStatus, TrainerError } from "./errors.js";
import { GymError } from "./gym/gym.js";
import { PolicyError } from "./policy/policy.js";

const program = new Command("palestra")
  .description("Play, evaluate and train in a gym over the network.")
  .exitOverride()
  .configureOutput({
    outputError(text) {
      const inOneLine = text
        .replace(/^error: /, "")
        .trim()
        .replace(/\s*\n\s*/g, " ");
      complain(`${inOneLine} (see --help)`, exitStatus.misused);
    },
  });

// Each command is a file of commands/.
addAskCommand(program);
addEvalCommand(program);
addTrainCommand(program);
addExportCommand(program);
addEndpointCommand(program);

/** Prints an error, with its stack if the error is a bug. @returns the exit status */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitStatus.misused;
  if (error instanceof TrainerError) return complain(error.message, error.exitStatus);
  if (error instanceof GymError) {
    return complain(`${error.code}: ${error.message}`, exitStatus[error.class === "action" ? "misused" : "failed"]);
  }
  if (error instanceof PolicyError) return complain(`${error.code}: ${error.message}`, exitStatus.failed);
  if (error instanceof NativeError) {
    return complain(`${error.message}${remedies[error.code] ?? ""}`, exitStatus.failed);
  }
  return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), exitStatus.failed);
}

/** Remedies for errors of the engine. */
const remedies: Partial<Record<NativeErrorCode, string>> = {
  NATIVE_OUT_OF_MEMORY:
    ". The budget is 0.9 of the memory that was free when the engine started. Training needs less with a smaller " +
    "max_tokens_per_mb, context_length or max_concurrent_groups, with memory_recompute layer, or with a lora_rank.",
  NATIVE_DEVICE: ". Run without a GPU with --device cpu.",
};

function complain(message: string, status: number): number {
  console.error(`palestra: ${message}`);
  return status;
}

// The IPC channel shows that the parent process has ended. It must not keep this process alive.
process.channel?.unref();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
