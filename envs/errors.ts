/**
 * Errors about the use of environments. Faults of an engine need no class: the gym records any error that an engine
 * throws as the failure of the episode.
 */
import type { SandboxErrorCode } from "./env.js";

/** `step` was called before the first `reset`. */
export class ResetNeeded extends Error {
  override readonly name = "ResetNeeded";
  constructor() {
    super("The environment has not been reset. Call reset before the first step.");
  }
}

/** `step` was called after the episode terminated or was truncated. */
export class EpisodeOver extends Error {
  override readonly name = "EpisodeOver";
  constructor() {
    super("The episode is over. Call reset to start another.");
  }
}

/** A call other than `close` was made after `close`. */
export class EnvironmentClosed extends Error {
  override readonly name = "EnvironmentClosed";
  constructor(call: string) {
    super(`The environment is closed and cannot perform ${call}. Create a new one.`);
  }
}

/** No environment has this id or version. */
export class UnknownEnvironment extends Error {
  override readonly name = "UnknownEnvironment";
  constructor(
    readonly received: string,
    readonly known: readonly string[],
  ) {
    super(`expected one of the environments ${known.join(", ")}, but received ${JSON.stringify(received)}`);
  }
}

/** The environment has no split of this name. */
export class UnknownSplit extends Error {
  override readonly name = "UnknownSplit";
  constructor(
    readonly environment: string,
    readonly received: string,
    readonly known: readonly string[],
  ) {
    super(`expected one of ${environment}'s splits ${known.join(", ")}, but received ${JSON.stringify(received)}`);
  }
}

/** The split has no entry of this index. */
export class TaskOutOfRange extends Error {
  override readonly name = "TaskOutOfRange";
  constructor(
    readonly split: string,
    readonly size: number,
    readonly received: number,
  ) {
    super(`expected an index from 0 to ${size - 1} in the split ${split}, but received ${received}`);
  }
}

/** The environment has no option of this name, or the option has no such value. */
export class UnknownOption extends Error {
  override readonly name = "UnknownOption";
  constructor(
    /** The list that was searched, such as "the options of sciworld". */
    readonly of: string,
    readonly received: string,
    readonly known: readonly string[],
  ) {
    super(`expected one of ${of}: ${known.join(", ") || "none"}; but received ${JSON.stringify(received)}`);
  }
}

/** A module cannot be loaded, or exports no environment. */
export class UnusableModule extends Error {
  override readonly name = "UnusableModule";
  constructor(expected: string, received: string, cause?: unknown) {
    super(`expected ${expected}, but received ${received}`, { cause });
  }
}

/** Returns the code of a SandboxError, or undefined for any other error. Environments may only import types of sandboxes. */
export function sandboxCode(error: unknown): SandboxErrorCode | undefined {
  if (!(error instanceof Error) || error.name !== "SandboxError") return undefined;
  return (error as Error & { code?: SandboxErrorCode }).code;
}

/** An external service, such as a web site or an LLM judge, failed. The failure says nothing about the agent. */
export class ServiceFailed extends Error {
  override readonly name = "ServiceFailed";
  constructor(
    readonly expected: string,
    readonly received: string,
    cause?: unknown,
  ) {
    super(`expected ${expected}, but received ${received}`, { cause });
  }
}
