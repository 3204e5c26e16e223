/**
 * The conformance suite of sandbox providers. The suite checks the contract of `sandbox.ts`, so that callers can use any
 * provider in the same way. The checks cover the same features as the sandbox self-check of Inspect.
 */
import { commandChecks } from "./check-sandbox/commands.js";
import { type Checks, expectCode, expectThat, GuaranteeRefused, type Subject } from "./check-sandbox/expect.js";
import { fileChecks } from "./check-sandbox/files.js";
import { isolationChecks } from "./check-sandbox/isolation.js";
import { lifeChecks } from "./check-sandbox/life.js";
import { runCheck, type SandboxCheckResult } from "./check-sandbox/run-check.js";
import { surroundingChecks } from "./check-sandbox/surroundings.js";
import { type Sandbox, SandboxError, type SandboxProvider, type SandboxSpec } from "./sandbox.js";

export type { SandboxCheckResult } from "./check-sandbox/run-check.js";

const providerChecks: Readonly<Record<string, (provider: SandboxProvider<SandboxSpec, Sandbox>) => Promise<void>>> = {
  async "closing a provider ends its sandboxes and refuses new ones"(provider) {
    const sandbox = await provider.open({});
    const late = provider.open({}).catch((error: unknown) => error);
    await Promise.all([provider.close(), provider.close()]);
    await expectCode("REFUSED", () => provider.open({}));
    await expectCode("LOST", () => sandbox.exec("true"));
    const received = await late;
    expectThat(
      (received as { code?: string }).code === "REFUSED",
      "REFUSED from an `open` that is interrupted by `close`",
      received,
    );
  },
};

/**
 * Runs every check and yields each result as soon as it is known. A fault of the provider is yielded as a failed
 * result. It is not thrown.
 */
export async function* checkSandbox(
  provide: () => Promise<SandboxProvider<SandboxSpec, Sandbox>>,
): AsyncGenerator<SandboxCheckResult> {
  const provider = await provide();
  try {
    const all: Checks = {
      ...commandChecks,
      ...surroundingChecks,
      ...fileChecks,
      ...isolationChecks,
      ...lifeChecks,
    };
    for (const [check, run] of Object.entries(all)) yield await runCheck(check, () => withSandbox(provider, run));
  } finally {
    await provider.close();
  }
  for (const [check, run] of Object.entries(providerChecks)) {
    const own = await provide();
    yield await runCheck(check, () => run(own));
    await own.close();
  }
}

async function withSandbox(provider: SandboxProvider<SandboxSpec, Sandbox>, run: Checks[string]): Promise<void> {
  const opened: Sandbox[] = [];
  const open: Subject["open"] = async (change = {}, signal) => {
    const sandbox = await provider.open(change, signal).catch((error: unknown) => {
      const isRefused = error instanceof SandboxError && error.code === "REFUSED";
      throw isRefused ? new GuaranteeRefused(error.message) : error;
    });
    opened.push(sandbox);
    return sandbox;
  };
  try {
    await run({ sandbox: await open(), open });
  } finally {
    await Promise.all(opened.map((sandbox) => sandbox.close()));
  }
}
