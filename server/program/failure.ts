/** Errors of the program as messages and exit codes. */
import { InvalidArgumentError } from "commander";
import { TaskOutOfRange, UnknownEnvironment, UnknownOption, UnknownSplit, UnusableModule } from "../../envs/errors.js";
import { StarterRefused } from "../../envs/starter/starter.js";
import { SandboxError } from "../../sandboxes/sandbox.js";
import { trainerFailureOf } from "../../trainer/failure.js";
import { Interrupted, OperatorError } from "../config/operator-error.js";
import { ConfigError } from "../config/settings.js";
import { GymError } from "../errors.js";
import { didYouMean } from "../formats/did-you-mean.js";
import { CheckRefused } from "./handlers/check.js";

const failed = 1;
const misused = 2;
const interrupted = 130;

export interface Failure {
  /** Code for programs, which `--json` prints. */
  code: string;
  message: string;
  /** Text for people, if it is not the message. */
  line?: string;
  exitCode: number;
}

/** Classes of errors for an unknown name. Each error has the received name and the known names. */
const unknownNames = [UnknownEnvironment, UnknownSplit, UnknownOption];

/** Classes of errors of the caller, with their code. */
const misuses = [
  [InvalidArgumentError, "ARGUMENT_INVALID"],
  [CheckRefused, "ARGUMENT_INVALID"],
  [ConfigError, "SETTINGS_INVALID"],
  [TaskOutOfRange, "TASK_INVALID"],
  [UnusableModule, "MODULE_UNUSABLE"],
  [StarterRefused, "ARGUMENT_INVALID"],
] as const;

/** Describes an error. Only unexpected errors have their stack in the message. */
export function failureOf(error: unknown): Failure {
  if (isUnknownName(error)) {
    const message = `${error.message}${didYouMean(error.received, error.known)}`;
    return { code: "NAME_UNKNOWN", message, exitCode: misused };
  }
  const [, misuse] = misuses.find(([type]) => error instanceof type) ?? [];
  if (misuse) return { code: misuse, message: (error as Error).message, exitCode: misused };
  if (error instanceof Interrupted) return { code: "INTERRUPTED", message: error.message, exitCode: interrupted };
  if (error instanceof OperatorError) return { code: "OPERATION_FAILED", message: error.message, exitCode: failed };
  if (error instanceof SandboxError) return { code: error.code, message: error.message, exitCode: failed };
  if (error instanceof GymError) {
    const { code, message, trace } = error;
    return { code, message, line: `${code}: ${message}${trace ? `\n${trace}` : ""}`, exitCode: failed };
  }
  const ofTrainer = trainerFailureOf(error);
  if (ofTrainer) return ofTrainer;
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "INTERNAL", message, exitCode: failed };
}

function isUnknownName(error: unknown): error is InstanceType<(typeof unknownNames)[number]> {
  return unknownNames.some((kind) => error instanceof kind);
}
