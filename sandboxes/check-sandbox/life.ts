import { SandboxError } from "../sandbox.js";
import { abortSoon, type Checks, expectCode, expectThat, outputOf, within } from "./expect.js";

export const lifeChecks: Checks = {
  async "every call after a close is refused, and a second close does nothing"({ sandbox }) {
    const pending = sandbox.exec("sleep 1000").catch((error: unknown) => error);
    await outputOf(sandbox, "true");
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
    const ended = await pending;
    expectThat(ended instanceof SandboxError && ended.code === "LOST", "a running command to fail with LOST", ended);
    await expectCode("LOST", () => sandbox.exec("true"));
    await expectCode("LOST", () => sandbox.openShell());
    await expectCode("LOST", () => sandbox.readFile("file"));
    await expectCode("LOST", () => sandbox.writeFile("file", new Uint8Array(0)));
    await expectCode("LOST", () => sandbox.list("."));
    await expectCode("LOST", () => sandbox.stat("."));
    await expectCode("LOST", () => sandbox.openPort(80));
    expectThat(!sandbox.lost.aborted, "`lost` not to abort after `close`", sandbox.lost.reason);
  },
  async "a sandbox is lost at the end of its lifetime"({ open }) {
    const sandbox = await open({ lifetimeMs: 1_500 });
    await within(30_000, "an abort of `lost`", async () => sandbox.lost.aborted);
    const { reason } = sandbox.lost as { reason: unknown };
    expectThat(
      reason instanceof SandboxError && reason.code === "LOST",
      "a SandboxError with the code LOST as the reason",
      reason,
    );
    await expectCode("LOST", () => sandbox.exec("true"));
    await sandbox.close();
  },
  async "a command that kills every process leaves the sandbox usable or lost"({ sandbox }) {
    await sandbox.exec("kill -KILL -1", { timeoutMs: 5_000 }).catch((error: unknown) => {
      expectThat(
        error instanceof SandboxError && error.code === "LOST",
        "a result or an error with the code LOST",
        error,
      );
    });
    if (sandbox.lost.aborted) return;
    const answer = await sandbox.exec("echo on", { timeoutMs: 5_000 }).catch((error: unknown) => error);
    const isLost = answer instanceof SandboxError && answer.code === "LOST";
    expectThat(
      isLost || (answer as { stdout: string }).stdout === "on\n",
      "an answer or an error with the code LOST",
      answer,
    );
  },
  async "an aborted signal prevents the opening of a sandbox"({ open }) {
    const reason = new Error("given up");
    for (const signal of [AbortSignal.abort(reason), abortSoon(reason, 5)]) {
      const received = await open({}, signal).catch((error: unknown) => error);
      expectThat(received === reason, "the signal's reason", received);
    }
  },
};
