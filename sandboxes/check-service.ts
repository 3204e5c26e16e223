/**
 * The conformance suite of service providers. The suite checks the `Service` contract of `sandbox.ts`, so that callers can
 * use any provider in the same way. The checks follow the sandbox self-check of Inspect.
 */
import { connect } from "node:net";
import { abortSoon, expectCode, expectThat } from "./check-sandbox/expect.js";
import { SandboxError, type SandboxProvider, type Service } from "./sandbox.js";

/** The provider under check. */
export interface ServiceSubject<Request> {
  /** Returns a new provider, which a check may close. The provider has to allow two sandboxes at once. */
  provide(): SandboxProvider<Request>;
  /** Request for a sandbox with a program that listens on a port. */
  request: Request;
  /** Kills the program of a sandbox from outside, to simulate a crash. */
  crash(sandbox: Service): Promise<void>;
}

export interface CheckResult {
  check: string;
  outcome: "passed" | "failed";
  /** Error message of a failed check, or "" if the check passed. */
  detail: string;
}

type Check = <Request>(subject: ServiceSubject<Request>, provider: SandboxProvider<Request>) => Promise<void>;

const lostWithinMs = 5_000;

/**
 * Runs every check, each with a new provider. A fault of the provider is yielded as a failed result. It is not thrown.
 */
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
  async "files are read back as written, and paths outside of the folder are refused"(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const data = Uint8Array.from({ length: 70_000 }, (_, i) => (i * i) % 256);
    await sandbox.writeFile("folder/file", new Uint8Array([1]));
    await sandbox.writeFile("folder/file", data);
    const read = await sandbox.readFile("folder/file");
    expectThat(Buffer.compare(read, data) === 0, "the bytes that were written", `${read.length} other bytes`);
    await expectCode("NO_FILE", () => sandbox.readFile("folder/none"));
    await expectCode("NO_FILE", () => sandbox.readFile("folder"));
    for (const path of ["..", "/etc/hostname", "folder/../../file"]) {
      await expectCode("REFUSED", () => sandbox.readFile(path));
      await expectCode("REFUSED", () => sandbox.writeFile(path, data));
    }
  },

  async "the program's port is reached on the loopback address"(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const address = await sandbox.openPort();
    expectThat(address.host === "127.0.0.1", "a loopback address", address.host);
    expectThat(await answers(address), "a program that answers at its port", "no answer");
    expectThat((await sandbox.openPort(address.port)).port === address.port, "the same port", "a different port");
    await expectCode("TIMEOUT", () => sandbox.openPort(1));
  },

  async "two services share no files, and one outlives the other"(subject, provider) {
    const [one, other] = await Promise.all([provider.open(subject.request), provider.open(subject.request)]);
    expectThat(one.id !== other.id, "different ids", one.id);
    await one.writeFile("file", new Uint8Array([1]));
    await expectCode("NO_FILE", () => other.readFile("file"));
    await one.close();
    expectThat(
      await answers(await other.openPort()),
      "an answer from this sandbox after another sandbox was closed",
      "no answer",
    );
  },

  async "every call after a close is refused, and a second close does nothing"(subject, provider) {
    const sandbox = await provider.open(subject.request);
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
    await expectClosed(sandbox);
    expectThat(!sandbox.lost.aborted, "`lost` not to abort after `close`", sandbox.lost.reason);
  },

  async "a crash aborts `lost`, and every later call is refused"(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const address = await sandbox.openPort();
    const lost = new Promise((resolve) => sandbox.lost.addEventListener("abort", () => resolve(true)));
    await subject.crash(sandbox);
    const isTold = await Promise.race([lost, new Promise((resolve) => setTimeout(resolve, lostWithinMs, false))]);
    expectThat(isTold === true, `\`lost\` to abort within ${lostWithinMs} ms`, "no answer");
    expectThat(codeOf(sandbox.lost.reason) === "LOST", "LOST as the reason of `lost`", sandbox.lost.reason);
    expectThat(!(await answers(address)), "no answer at the port of the ended program", "an answer");
    await expectClosed(sandbox);
    await sandbox.close();
  },

  async "an aborted signal prevents the opening of a service"(subject, provider) {
    const reason = new Error("given up");
    for (const signal of [AbortSignal.abort(reason), abortSoon(reason, 10)]) {
      const received = await provider.open(subject.request, signal).catch((error: unknown) => error);
      expectThat(received === reason, "the signal's reason", received);
    }
  },

  async "closing a provider ends its services and refuses new ones"(subject, provider) {
    const sandbox = await provider.open(subject.request);
    const address = await sandbox.openPort();
    const late = provider.open(subject.request).catch((error: unknown) => error);
    await Promise.all([provider.close(), provider.close()]);
    expectThat(!(await answers(address)), "no answer at the port of the ended program", "an answer");
    await expectCode("REFUSED", () => provider.open(subject.request));
    expectThat(codeOf(await late) === "REFUSED", "REFUSED from an `open` that is interrupted by `close`", await late);
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
