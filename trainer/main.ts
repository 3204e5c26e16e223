/**
 * The trainer's program. `palestra eval` and similar commands start it as a child process, and pass on their arguments
 * and signals. `errors.ts` lists the exit statuses.
 */
import { Command } from "commander";
import type { NativeErrorCode } from "../native/api/index.js";
import {
  complain,
  describeCommand,
  endWithOutput,
  obeyNoColor,
  printedByCommander,
  shapeHelp,
  usageText,
} from "./command-line.js";
import { addAskCommand } from "./commands/ask.js";
import { addConvertCommand } from "./commands/convert.js";
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
  .configureOutput({ outputError: (text) => complain("ARGUMENT_INVALID", usageText(text)) });
shapeHelp(program);

// Each command is a file of commands/.
addAskCommand(program);
addEvalCommand(program);
addTrainCommand(program);
addExportCommand(program);
addConvertCommand(program);
addEndpointCommand(program);

// The server's program makes the completion of shells from this.
program
  .command("describe", { hidden: true })
  .description("print the commands and options as JSON")
  .action(() => console.log(JSON.stringify(describeCommand(program))));

/** Prints an error, with its stack if the error is a bug. @returns the exit status */
async function report(error: unknown): Promise<number> {
  const printed = printedByCommander(error);
  if (printed !== undefined) return printed;
  if (error instanceof TrainerError) return told(error.code, error.message, error.exitStatus);
  if (error instanceof GymError) {
    const status = exitStatus[error.class === "action" ? "misused" : "failed"];
    return told(error.code, error.message, status, `${error.code}: ${error.message}`);
  }
  if (error instanceof PolicyError) {
    return told(error.code, error.message, exitStatus.failed, `${error.code}: ${error.message}`);
  }
  const { NativeError } = await import("../native/api/index.js");
  if (error instanceof NativeError) {
    return told(error.code, `${error.message}${remedies[error.code] ?? ""}`, exitStatus.failed);
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return told("INTERNAL", message, exitStatus.failed);
}

/** Remedies for errors of the engine. */
const remedies: Partial<Record<NativeErrorCode, string>> = {
  NATIVE_OUT_OF_MEMORY:
    ". The budget is 0.9 of the memory that was free when the engine started. Training needs less with a smaller " +
    "max_tokens_per_mb, context_length or max_concurrent_groups, with memory_recompute layer, or with a lora_rank.",
  NATIVE_DEVICE: ". Run without a GPU with --device cpu.",
};

function told(code: string, message: string, status: number, line?: string): number {
  complain(code, message, line);
  return status;
}

// The IPC channel shows that the parent process has ended. It must not keep this process alive.
process.channel?.unref();

obeyNoColor();
endWithOutput();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}
