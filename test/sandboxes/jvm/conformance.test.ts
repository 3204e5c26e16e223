/** The suite that every provider of sandboxes passes, run on Java processes. */
import { expect } from "vitest";
import { checkService, type ServiceSubject } from "#palestra/sandboxes/check-service.js";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import { Pool } from "#palestra/sandboxes/pool.js";
import type { JvmRequest, SandboxProvider, Service } from "#palestra/sandboxes/sandbox.js";
import { gatewayRequest, pidOf, testJvm } from "../../support/jvm.js";

const checks = ["files", "port", "apart", "close", "lost", "abort", "end"];

function subjectOf(provide: () => SandboxProvider<JvmRequest>): ServiceSubject<JvmRequest> {
  return {
    provide,
    request: gatewayRequest,
    crash: async (sandbox) => void process.kill(pidOf(sandbox), "SIGKILL"),
  };
}

async function failures(provide: () => SandboxProvider<JvmRequest>): Promise<Record<string, string>> {
  const results = await checkService(subjectOf(provide));
  expect(results.map(({ check }) => check)).toEqual(checks);
  return Object.fromEntries(
    results.filter(({ outcome }) => outcome === "failed").map(({ check, detail }) => [check, detail]),
  );
}

testJvm("Java processes conform", async () => {
  expect(await failures(() => new JvmProvider())).toEqual({});
});

testJvm("those that a pool lends out do, too", async () => {
  const provide = () => new Pool(new JvmProvider(), { most: 2, warmMs: 60_000, waitMs: 30_000 });
  expect(await failures(provide)).toEqual({});
});

/** A provider whose sandboxes leave one promise unkept. */
class Faulty extends JvmProvider {
  override async open(request: JvmRequest, signal?: AbortSignal): Promise<Service> {
    const sandbox = await super.open(request, signal);
    sandbox.readFile = async () => new Uint8Array([1]);
    return sandbox;
  }
}

testJvm("a provider that gives other bytes than were written does not", async () => {
  const found = await failures(() => new Faulty());
  expect(found).toMatchObject({ files: expect.stringMatching(/expected the bytes that were written, but received 1/) });
  expect(Object.keys(found)).toEqual(["files", "apart", "close", "lost", "end"]);
});
