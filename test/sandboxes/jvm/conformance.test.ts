/** The conformance suite of service providers, run on Java processes. */
import { expect } from "vitest";
import { checkService, type ServiceSubject } from "#palestra/sandboxes/check-service.js";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import { Pool } from "#palestra/sandboxes/pool.js";
import type { JvmRequest, SandboxProvider, Service } from "#palestra/sandboxes/sandbox.js";
import { Turns } from "#palestra/sandboxes/turns.js";
import { gatewayRequest, pidOf, testJvm } from "../../support/jvm.js";

const checks = {
  files: "files are read back as written, and paths outside of the folder are refused",
  port: "the program's port is reached on the loopback address",
  apart: "two services share no files, and one outlives the other",
  close: "every call after a close is refused, and a second close does nothing",
  lost: "a crash aborts `lost`, and every later call is refused",
  abort: "an aborted signal prevents the opening of a service",
  end: "closing a provider ends its services and refuses new ones",
};

function subjectOf(provide: () => SandboxProvider<JvmRequest>): ServiceSubject<JvmRequest> {
  return {
    provide,
    request: gatewayRequest,
    crash: async (sandbox) => void process.kill(pidOf(sandbox), "SIGKILL"),
  };
}

async function failures(provide: () => SandboxProvider<JvmRequest>): Promise<Record<string, string>> {
  const results = await checkService(subjectOf(provide));
  expect(results.map(({ check }) => check)).toEqual(Object.values(checks));
  return Object.fromEntries(
    results.filter(({ outcome }) => outcome === "failed").map(({ check, detail }) => [check, detail]),
  );
}

testJvm("the JVM provider passes the conformance suite", async () => {
  expect(await failures(() => new JvmProvider())).toEqual({});
});

testJvm("a pool of Java processes passes the conformance suite", async () => {
  const provide = () =>
    new Pool(new JvmProvider(), { permits: new Turns({ most: 2 }), warmMs: 60_000, waitMs: 30_000 });
  expect(await failures(provide)).toEqual({});
});

/** A provider whose `readFile` returns wrong bytes. */
class Faulty extends JvmProvider {
  override async open(request: JvmRequest, signal?: AbortSignal): Promise<Service> {
    const sandbox = await super.open(request, signal);
    sandbox.readFile = async () => new Uint8Array([1]);
    return sandbox;
  }
}

testJvm("a provider that returns wrong bytes fails the conformance suite", async () => {
  const found = await failures(() => new Faulty());
  expect(found[checks.files]).toMatch(/expected the bytes that were written, but received 1/);
  const { files, apart, close, lost, end } = checks;
  expect(Object.keys(found)).toEqual([files, apart, close, lost, end]);
});
