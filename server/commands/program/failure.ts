/** Errors of the program as messages and exit codes. */
import { InvalidArgumentError } from "commander";
import {
  TaskOutOfRange,
  UnknownEnvironment,
  UnknownOption,
  UnknownSplit,
  UnusableModule,
} from "../../../envs/errors.js";
import { SandboxError } from "../../../sandboxes/sandbox.js";
import { ConfigError } from "../../config.js";
import { didYouMean } from "../../did-you-mean.js";
import { GymError } from "../../errors.js";
import { OperatorError } from "../../operator-error.js";
import { CheckRefused } from "../check.js";

const failed = 1;
const misused = 2;

const misuses = [InvalidArgumentError, ConfigError, TaskOutOfRange, UnusableModule, CheckRefused];

/** Classes of errors for an unknown name. Each error has the received name and the known names. */
const unknownNames = [UnknownEnvironment, UnknownSplit, UnknownOption];

export interface Failure {
  message: string;
  exitCode: number;
}

/** Describes an error. Only unexpected errors have their stack in the message. */
export function failureOf(error: unknown): Failure {
  if (isUnknownName(error)) {
    return { message: `${error.message}${didYouMean(error.received, error.known)}`, exitCode: misused };
  }
  if (misuses.some((misuse) => error instanceof misuse))
    return { message: (error as Error).message, exitCode: misused };
  if (error instanceof OperatorError || error instanceof SandboxError) {
    return { message: error.message, exitCode: failed };
  }
  if (error instanceof GymError) return { message: `${error.code}: ${error.message}`, exitCode: failed };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: failed };
}

function isUnknownName(error: unknown): error is InstanceType<(typeof unknownNames)[number]> {
  return unknownNames.some((kind) => error instanceof kind);
}
