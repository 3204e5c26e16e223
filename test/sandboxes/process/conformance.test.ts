/** The conformance suite of sandbox providers, run on processes of this machine. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { checkSandbox, type SandboxCheckResult } from "#palestra/sandboxes/check-sandbox.js";
import { ProcessProvider } from "#palestra/sandboxes/process/process-provider.js";
import type { Sandbox, SandboxSpec } from "#palestra/sandboxes/sandbox.js";
import { heldBy, testProcess } from "../../support/processes.js";

const suiteMs = 300_000;

/** Checks that need control groups, which some users and machines cannot make. */
const refusable = /^the (memory|process|CPU) limit/;

async function resultsOf(provide: () => ProcessProvider): Promise<SandboxCheckResult[]> {
  const results: SandboxCheckResult[] = [];
  for await (const result of checkSandbox(async () => provide())) results.push(result);
  return results;
}

testProcess(
  "the process provider passes the conformance suite, refuses only cgroup limits, and leaves nothing behind",
  async () => {
    const results = await resultsOf(() => new ProcessProvider());
    expect(results.length).toBeGreaterThan(55);
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    for (const { check, outcome } of results) if (outcome === "refused") expect(check).toMatch(refusable);
    await expect.poll(() => heldBy(process.pid)).toEqual([]);
  },
  suiteMs,
);

/** A provider whose sandboxes return wrong bytes and ignore `maxOutputBytes`. */
class Faulty extends ProcessProvider {
  override async open(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const sandbox = await super.open(spec, signal);
    const exec = sandbox.exec.bind(sandbox);
    sandbox.exec = async (command, options) => exec(command, { ...options, maxOutputBytes: 2 ** 20 });
    sandbox.readFile = async () => new Uint8Array([1]);
    return sandbox;
  }
}

testProcess(
  "a provider that returns wrong bytes and ignores `maxOutputBytes` fails the conformance suite",
  async () => {
    const unkept = new Set(["output is cut at `maxOutputBytes`", "a file is read back exactly as it was written"]);
    // The later checks would find no further fault of this provider.
    for await (const { check, outcome } of checkSandbox(async () => new Faulty())) {
      if (outcome === "failed") unkept.delete(check);
      if (unkept.size === 0) break;
    }
    expect([...unkept]).toEqual([]);
  },
  suiteMs,
);

testProcess("the error for a missing bubblewrap explains how to install it", async () => {
  const provider = new ProcessProvider({ path: "/nowhere" });
  await expect(provider.open({})).rejects.toMatchObject({
    code: "MISSING",
    message: expect.stringMatching(/bwrap.+apt-get install bubblewrap/),
  });
});

testProcess("the process provider refuses a spec that it cannot guarantee", async () => {
  const provider = new ProcessProvider();
  const specs: SandboxSpec[] = [
    { image: "debian:12" },
    { user: "root" },
    { root: "writable" },
    { writable: ["/usr/own"] },
    { network: { hosts: ["https://example.com/path"] } },
  ];
  for (const spec of specs) await expect(provider.open(spec)).rejects.toMatchObject({ code: "REFUSED" });
  await provider.close();
});

testProcess("a sandbox whose folder cannot be made leaves no control group behind", async () => {
  const child = fork(fileURLToPath(new URL("../../fixtures/process-opener.mjs", import.meta.url)), {
    env: { ...process.env, TMPDIR: "/nowhere" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [outcome] = await once(child, "message");
  // A machine that cannot make control groups refuses the limit first.
  expect(outcome).toMatch(/^(START|REFUSED)$/);
  await once(child, "exit");
  expect(heldBy(child.pid as number)).toEqual([]);
});
