import {
  type ExecOptions,
  type ExecResult,
  type Sandbox,
  SandboxError,
  type SandboxErrorCode,
  type SandboxSpec,
} from "../sandbox.js";

/** The sandbox under check, and a way to open others. */
export interface Subject {
  /** An open sandbox, which is closed after the check. */
  sandbox: Sandbox;
  /** Opens another like it, or one that differs from it. @throws {GuaranteeRefused} */
  open(change?: SandboxSpec, signal?: AbortSignal): Promise<Sandbox>;
}

/** The provider refuses a guarantee that it cannot hold, as it may. */
export class GuaranteeRefused extends Error {}

/** A promise of the contract, by its sentence. It throws an Error that says what was expected and received. */
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
  expectThat(received instanceof SandboxError && received.code === code, `${code} of ${call}`, received);
}

/** Standard output of a line that succeeds. */
export async function outputOf(sandbox: Sandbox, line: string, options?: ExecOptions): Promise<string> {
  const result = await sandbox.exec(line, options);
  expectThat(result.exitCode === 0, `exit code 0 of ${line}`, result);
  return result.stdout;
}

/** The result but for its texts. */
export function endOf({ exitCode, isCut, isTimedOut }: ExecResult) {
  return { exitCode, isCut, isTimedOut };
}

/** Resolves once `holds` does. @throws {Error} it does not within so many ms */
export async function within(ms: number, expected: string, holds: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`expected ${expected} within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function someBytes(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * i + (i >> 8)) % 256));
}

/** A signal that aborts after so many ms. */
export function abortSoon(reason: Error, ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}
