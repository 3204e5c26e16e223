import {
  type ExecOptions,
  type ExecResult,
  type Sandbox,
  SandboxError,
  type SandboxErrorCode,
  type SandboxSpec,
} from "../sandbox.js";

/** The sandbox to check, and a function that opens further sandboxes. */
export interface Subject {
  /** An open sandbox, which is closed after the check. */
  sandbox: Sandbox;
  /** Opens another sandbox with the given spec. @throws {GuaranteeRefused} */
  open(change?: SandboxSpec, signal?: AbortSignal): Promise<Sandbox>;
}

/**
 * Thrown when the provider refuses to open a sandbox because it cannot give a guarantee. The contract allows such a refusal.
 */
export class GuaranteeRefused extends Error {}

/**
 * Checks by name. The name is a sentence of the contract. A check throws an Error with the expected and received
 * values.
 */
export type Checks = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

export function expectThat(holds: boolean, expected: string, received: unknown): void {
  if (holds) return;
  const text =
    received instanceof Error ? received.message : typeof received === "string" ? received : JSON.stringify(received);
  throw new Error(`expected ${expected}, but received ${text}`);
}

export function expectEqual(received: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(received), JSON.stringify(expected)];
  expectThat(one === other, other.slice(0, 500), (one ?? "nothing").slice(0, 500));
}

export async function expectCode(code: SandboxErrorCode, call: () => Promise<unknown>): Promise<void> {
  const received = await call().then(
    () => "a result",
    (error: unknown) => error,
  );
  expectThat(received instanceof SandboxError && received.code === code, `${code} from ${call}`, received);
}

/** Runs a line and returns its standard output. @throws {Error} if its exit code is not 0 */
export async function outputOf(sandbox: Sandbox, line: string, options?: ExecOptions): Promise<string> {
  const result = await sandbox.exec(line, options);
  expectThat(result.exitCode === 0, `exit code 0 from ${line}`, result);
  return result.stdout;
}

/** Returns a result without its two outputs. */
export function endOf({ exitCode, isCut, isTimedOut }: ExecResult) {
  return { exitCode, isCut, isTimedOut };
}

/** Waits until `holds` returns true. @throws {Error} if `holds` returns false for `ms` milliseconds */
export async function within(ms: number, expected: string, holds: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`expected ${expected} within ${ms} ms, but the time is over`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns bytes that follow a fixed pattern. */
export function someBytes(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * i + (i >> 8)) % 256));
}

/** Returns a signal that aborts after `ms` milliseconds. */
export function abortSoon(reason: Error, ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}
