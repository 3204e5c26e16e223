/**
 * The trainer's program: `palestra eval` starts it as a process of its own, with its arguments and signals. Exit codes:
 * 0 done, 1 it failed, 2 it was called wrongly, 130 it was stopped.
 */
import { Command, CommanderError } from "commander";
import { NativeError, type NativeErrorCode } from "../native/api/index.js";
import { addAskCommand } from "./commands/ask.js";
import { addEndpointCommand } from "./commands/endpoint.js";
import { addEvalCommand } from "./commands/eval.js";
import { addExportCommand } from "./commands/export.js";
import { addTrainCommand } from "./commands/train.js";
import { CheckpointError } from "./data/checkpoint.js";
import { FolderInUse } from "./data/folder-lock.js";
import { BuildStopped } from "./engine-build.js";
import { EvaluationFailed } from "./evaluation/evaluate.js";
import { OtherMeasurement } from "./evaluation/record-file.js";
import { ExportError } from "./export/export-error.js";
import { GymError } from "./gym/gym.js";
import { UnusableTemplate } from "./policy/chat-format.js";
import { PolicyError } from "./policy/policy.js";
import { RolloutsFailed } from "./rollout/rollout-loop.js";
import { SettingsError } from "./settings/settings.js";

const failed = 1;
const misused = 2;
const stopped = 130;

const program = new Command("palestra")
  .description("Plays, evaluates and learns over the wire.")
  .exitOverride()
  .configureOutput({
    outputError(text) {
      const inOneLine = text
        .replace(/^error: /, "")
        .trim()
        .replace(/\s*\n\s*/g, " ");
      complain(`${inOneLine} (--help says what is possible)`, misused);
    },
  });

// Each command is a file of commands/.
addAskCommand(program);
addEvalCommand(program);
addTrainCommand(program);
addExportCommand(program);
addEndpointCommand(program);

/** What a person can act on is shown as it is, anything else with its stack. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
  if (isMisuse(error)) return complain(error.message, misused);
  if (error instanceof BuildStopped) return complain(error.message, stopped);
  if (error instanceof GymError)
    return complain(`${error.code}: ${error.message}`, error.class === "action" ? misused : failed);
  if (error instanceof PolicyError) return complain(`${error.code}: ${error.message}`, failed);
  if (error instanceof NativeError) return complain(`${error.message}${remedies[error.code] ?? ""}`, failed);
  if (isFailure(error)) return complain(error.message, failed);
  return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), failed);
}

/** What a person can do about what the engine lacks. */
const remedies: Partial<Record<NativeErrorCode, string>> = {
  NATIVE_OUT_OF_MEMORY:
    " (the budget is 0.9 of what no process held as the engine began; training takes less of it with a smaller " +
    "max_tokens_per_mb or context_length, fewer max_concurrent_rollouts, memory_recompute layer or a lora_rank)",
  NATIVE_DEVICE: " (--device cpu goes without a GPU)",
};

const failures = [ExportError, EvaluationFailed, RolloutsFailed, CheckpointError];

function isFailure(error: unknown): error is Error {
  return failures.some((kind) => error instanceof kind);
}

const misuses = [RangeError, FolderInUse, OtherMeasurement, SettingsError, UnusableTemplate];

function isMisuse(error: unknown): error is Error {
  return misuses.some((kind) => error instanceof kind);
}

function complain(message: string, exitCode: number): number {
  console.error(`palestra: ${message}`);
  return exitCode;
}

// The channel of whoever started it tells when that is gone; it is no reason to stay.
process.channel?.unref();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
