/**
 * The conformance suite of providers of services: holds one to what `sandbox.ts` promises, so that whoever opens a service
 * need not know which provider made it. In the spirit of Inspect's sandbox self-check.
 */
import { connect } from "node:net";
import { abortSoon, expectCode, expectThat } from "./check-sandbox/expect.js";
import { SandboxError, type SandboxProvider, type Service } from "./sandbox.js";

/** The provider under check. */
export interface ServiceSubject<Request> {
  /** A new provider: a check may close it. It lets at least two sandboxes run at once. */
  provide(): SandboxProvider<Request>;
  /** For a sandbox in which something serves on a port. */
  request: Request;
  /** Ends what runs in a sandbox from outside, as a crash does. */
  crash(sandbox: Service): Promise<void>;
}

export interface CheckResult {
  check: string;
  outcome: "passed" | "failed";
  /** Expectation and what came instead, where the check failed. */
  detail: string;
}

type Check = <Request>(subject: ServiceSubject<Request>, provider: SandboxProvider<Request>) => Promise<void>;

const lostWithinMs = 5_000;

/** Runs every check, each with a provider of its own. Never rejects for a fault of the provider. */
export async function checkService<Request>(subject: ServiceSubject<Request>): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [check, run] of Object.entries(checks)) results.push(await runCheck(check, run, subject));
  return results;
}

async function runCheck<Request>(check: string, run: Check, subject: ServiceSubject<Request>) {
  const provider = subject.provide();
  try {
    await run(subject, provider);
    return { check, outcome: "passed", detail: "" } as const;
  } catch (error) {
    return { check, outcome: "failed", detail: error instanceof Error ? error.message : String(error) } as const;
  } finally {
    await provider.close();
  }
}

const checks: Readonly<Record<string, Check>> = {
  async files(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const data = Uint8Array.from({ length: 70_000 }, (_, i) => (i * i) % 256);
    await sandbox.writeFile("folder/file", new Uint8Array([1]));
    await sandbox.writeFile("folder/file", data);
    const read = await sandbox.readFile("folder/file");
    expectThat(Buffer.compare(read, data) === 0, "the bytes that were written", `${read.length} others`);
    await expectCode("NO_FILE", () => sandbox.readFile("folder/none"));
    await expectCode("NO_FILE", () => sandbox.readFile("folder"));
    for (const path of ["..", "/etc/hostname", "folder/../../file"]) {
      await expectCode("REFUSED", () => sandbox.readFile(path));
      await expectCode("REFUSED", () => sandbox.writeFile(path, data));
    }
  },

  async port(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const address = await sandbox.openPort();
    expectThat(address.host === "127.0.0.1", "a loopback address", address.host);
    expectThat(await answers(address), "a program that listens", "silence");
    expectThat((await sandbox.openPort(address.port)).port === address.port, "the same port", "another");
    await expectCode("TIMEOUT", () => sandbox.openPort(1));
  },

  async apart(subject, provider) {
    const [one, other] = await Promise.all([provider.open(subject.request), provider.open(subject.request)]);
    expectThat(one.id !== other.id, "ids of their own", one.id);
    await one.writeFile("file", new Uint8Array([1]));
    await expectCode("NO_FILE", () => other.readFile("file"));
    await one.close();
    expectThat(await answers(await other.openPort()), "one that outlives the other", "silence");
  },

  async close(subject, provider) {
    const sandbox = await provider.open(subject.request);
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
    await expectClosed(sandbox);
    expectThat(!sandbox.lost.aborted, "lost to stay silent after a close", sandbox.lost.reason);
  },

  async lost(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const address = await sandbox.openPort();
    const lost = new Promise((resolve) => sandbox.lost.addEventListener("abort", () => resolve(true)));
    await subject.crash(sandbox);
    const isTold = await Promise.race([lost, new Promise((resolve) => setTimeout(resolve, lostWithinMs, false))]);
    expectThat(isTold === true, `lost to abort within ${lostWithinMs} ms`, "silence");
    expectThat(codeOf(sandbox.lost.reason) === "LOST", "LOST as its reason", sandbox.lost.reason);
    expectThat(!(await answers(address)), "nothing that listens", "an answer");
    await expectClosed(sandbox);
    await sandbox.close();
  },

  async abort(subject, provider) {
    const reason = new Error("given up");
    for (const signal of [AbortSignal.abort(reason), abortSoon(reason, 10)]) {
      const received = await provider.open(subject.request, signal).catch((error: unknown) => error);
      expectThat(received === reason, "the signal's reason", received);
    }
  },

  async end(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const address = await sandbox.openPort();
    const late = provider.open(subject.request).catch((error: unknown) => error);
    await Promise.all([provider.close(), provider.close()]);
    expectThat(!(await answers(address)), "nothing that listens", "an answer");
    await expectCode("REFUSED", () => provider.open(subject.request));
    expectThat(codeOf(await late) === "REFUSED", "a sandbox that was being opened to be REFUSED", await late);
    await sandbox.close();
    await expectClosed(sandbox);
  },
};

async function expectClosed(sandbox: Service): Promise<void> {
  await expectCode("LOST", () => sandbox.readFile("file"));
  await expectCode("LOST", () => sandbox.writeFile("file", new Uint8Array()));
  await expectCode("LOST", () => sandbox.openPort());
}

function answers(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof SandboxError ? error.code : undefined;
}
