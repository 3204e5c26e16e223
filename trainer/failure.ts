/** Errors of the trainer, of its gym, of its policies and of the engine, as a command reports them. */
import { NativeError, type NativeErrorCode } from "../native/api/index.js";
import { FormatError } from "../server/formats/actions/action-format.js";
import { exitStatus, TrainerError } from "./errors.js";
import { GymError } from "./gym/gym.js";
import { PolicyError } from "./policy/policy.js";

export interface TrainerFailure {
  readonly code: string;
  readonly message: string;
  /** Text for people, if it is not the message. */
  readonly line?: string;
  /** Exit status of the command. */
  readonly exitCode: number;
}

/** Returns how a command reports an error, or undefined for an error of anything else. */
export function trainerFailureOf(error: unknown): TrainerFailure | undefined {
  if (error instanceof TrainerError) {
    return { code: error.code, message: error.message, exitCode: error.exitStatus };
  }
  if (error instanceof FormatError) return { code: error.code, message: error.message, exitCode: exitStatus.misused };
  if (error instanceof GymError) return named(error, error.class === "action" ? "misused" : "failed");
  if (error instanceof PolicyError) return named(error, "failed");
  if (error instanceof NativeError) {
    const message = `${error.message}${remedies[error.code] ?? ""}`;
    return { code: error.code, message, exitCode: exitStatus.failed };
  }
  return undefined;
}

function named({ code, message }: GymError | PolicyError, exit: keyof typeof exitStatus): TrainerFailure {
  return { code, message, line: `${code}: ${message}`, exitCode: exitStatus[exit] };
}

/** Remedies for errors of the engine. */
const remedies: Partial<Record<NativeErrorCode, string>> = {
  NATIVE_OUT_OF_MEMORY:
    ". The budget is 0.9 of the memory that was free when the engine started. Training needs less with a smaller " +
    "max_tokens_per_mb, context_length or max_concurrent_groups, with memory_recompute layer, or with a lora_rank.",
  NATIVE_DEVICE: ". Run without a GPU with --device cpu.",
};
