import { SandboxError } from "../sandbox.js";
import { abortSoon, type Checks, expectCode, expectThat, outputOf, within } from "./expect.js";

export const lifeChecks: Checks = {
  async "after a close every call is refused, and a second close does nothing"({ sandbox }) {
    const pending = sandbox.exec("sleep 1000").catch((error: unknown) => error);
    await outputOf(sandbox, "true");
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
    const ended = await pending;
    expectThat(ended instanceof SandboxError && ended.code === "LOST", "LOST of a command under way", ended);
    await expectCode("LOST", () => sandbox.exec("true"));
    await expectCode("LOST", () => sandbox.openShell());
    await expectCode("LOST", () => sandbox.readFile("file"));
    await expectCode("LOST", () => sandbox.writeFile("file", new Uint8Array(0)));
    await expectCode("LOST", () => sandbox.list("."));
    await expectCode("LOST", () => sandbox.stat("."));
    await expectCode("LOST", () => sandbox.openPort(80));
    expectThat(!sandbox.lost.aborted, "lost to stay silent after a close", sandbox.lost.reason);
  },
  async "it is lost at the end of its lifetime"({ open }) {
    const sandbox = await open({ lifetimeMs: 1_500 });
    await within(10_000, "lost to abort", async () => sandbox.lost.aborted);
    const { reason } = sandbox.lost as { reason: unknown };
    expectThat(reason instanceof SandboxError && reason.code === "LOST", "LOST as the reason", reason);
    await expectCode("LOST", () => sandbox.exec("true"));
    await sandbox.close();
  },
  async "a command that ends all it can does not end its sandbox, or the sandbox says that it is lost"({ sandbox }) {
    await sandbox.exec("kill -KILL -1", { timeoutMs: 5_000 }).catch((error: unknown) => {
      expectThat(error instanceof SandboxError && error.code === "LOST", "a result or LOST", error);
    });
    if (sandbox.lost.aborted) return;
    const answer = await sandbox.exec("echo on", { timeoutMs: 5_000 }).catch((error: unknown) => error);
    const isLost = answer instanceof SandboxError && answer.code === "LOST";
    expectThat(isLost || (answer as { stdout: string }).stdout === "on\n", "an answer or LOST", answer);
  },
  async "a signal that aborts opens none"({ open }) {
    const reason = new Error("given up");
    for (const signal of [AbortSignal.abort(reason), abortSoon(reason, 5)]) {
      const received = await open({}, signal).catch((error: unknown) => error);
      expectThat(received === reason, "the signal's reason", received);
    }
  },
};
