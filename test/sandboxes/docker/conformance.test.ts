/** The conformance suite of sandbox providers, run on containers of a real engine. */
import { expect } from "vitest";
import { checkSandbox, type SandboxCheckResult } from "#palestra/sandboxes/check-sandbox.js";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { containersOf, testDocker } from "../../support/docker.js";
import { eventually } from "../../support/gym.js";

testDocker(
  "the Docker provider passes the conformance suite without a refusal and leaves no container behind",
  async (address) => {
    const results: SandboxCheckResult[] = [];
    for await (const result of checkSandbox(async () => new DockerProvider())) results.push(result);
    expect(results.length).toBeGreaterThan(60);
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    await eventually(() => containersOf(address).length === 0);
  },
  300_000,
);
