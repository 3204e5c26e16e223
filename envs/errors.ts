/**
 * Errors that callers of environments handle. An engine may throw any error: the gym records it as the failure of the
 * episode.
 */
import type { SandboxErrorCode } from "./env.js";

/** Thrown if `step` is called before the first `reset`. */
export class ResetNeeded extends Error {
  override readonly name = "ResetNeeded";
  constructor() {
    super("The environment has not been reset. Call reset before the first step.");
  }
}

/** Thrown if `step` is called after the episode was terminated or truncated. */
export class EpisodeOver extends Error {
  override readonly name = "EpisodeOver";
  constructor() {
    super("The episode is over. Call reset to start a new episode.");
  }
}

/** Thrown if any method except `close` is called after `close`. */
export class EnvironmentClosed extends Error {
  override readonly name = "EnvironmentClosed";
  constructor(call: string) {
    super(`The environment is closed and cannot perform ${call}. Create a new environment.`);
  }
}

/** Thrown if a method of a synchronous environment returned a promise. */
export class PromiseReturned extends Error {
  override readonly name = "PromiseReturned";
  constructor(call: string) {
    super(
      `expected ${call} to return its result at once, but received a promise. ` +
        "Set `isAsync: true` in the spec if the engine needs promises; otherwise remove `async` from the method.",
    );
  }
}

/** Returns the result of a synchronous environment. @throws {PromiseReturned} */
export function atOnce<T>(call: string, result: T): T {
  if (typeof (result as { then?: unknown } | undefined)?.then === "function") throw new PromiseReturned(call);
  return result;
}

/** Thrown if no environment has a requested id or version. */
export class UnknownEnvironment extends Error {
  override readonly name = "UnknownEnvironment";
  constructor(
    readonly received: string,
    readonly known: readonly string[],
  ) {
    super(`expected one of the environments ${known.join(", ")}, but received ${JSON.stringify(received)}`);
  }
}

/** Thrown if an environment does not have a requested split. */
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

/** Thrown if an index is outside its split. */
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

/** Thrown if an environment does not have a requested option, or the option does not have a requested value. */
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

/** Thrown if a module cannot be loaded or does not export an environment. */
export class UnusableModule extends Error {
  override readonly name = "UnusableModule";
  constructor(expected: string, received: string, cause?: unknown) {
    super(`expected ${expected}, but received ${received}`, { cause });
  }
}

/**
 * Returns the code of a SandboxError, or undefined for any other error. Compares names, since environments import only
 * types from sandboxes/.
 */
export function sandboxCode(error: unknown): SandboxErrorCode | undefined {
  if (!(error instanceof Error) || error.name !== "SandboxError") return undefined;
  return (error as Error & { code?: SandboxErrorCode }).code;
}

/** Thrown if an external service, such as a web site or an LLM judge, fails. The agent is not the cause. */
export class ServiceFailed extends Error {
  override readonly name = "ServiceFailed";

  /**
   * Errors are known by their name, since a module of an operator may have another copy of this class. Subclasses are told
   * apart as usual.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method
    if (this !== ServiceFailed) return super[Symbol.hasInstance](value);
    return value instanceof Error && value.name === "ServiceFailed";
  }

  constructor(
    readonly expected: string,
    readonly received: string,
    cause?: unknown,
  ) {
    super(`expected ${expected}, but received ${received}`, { cause });
  }
}
