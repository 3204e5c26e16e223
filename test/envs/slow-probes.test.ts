/** Probes of requirements whose program or engine answers after the probe's timeout, as on a busy machine. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { java } from "#palestra/envs/sciworld/jvm/requirements.js";
import { dockerImage } from "#palestra/envs/shared/docker/requirement.js";
import { machines } from "#palestra/envs/shared/machines/requirement.js";
import { scratchDir } from "../support/gym.js";
import { whenDone } from "../support/when-done.js";

afterEach(() => vi.unstubAllEnvs());

/** Writes a program that does not answer. @returns its folder */
function slow(program: string): string {
  const folder = join(scratchDir(), "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, program), "#!/bin/sh\nexec sleep 60\n");
  chmodSync(join(folder, program), 0o755);
  return folder;
}

test("a Java that starts slowly is available", async () => {
  const folder = slow("java");
  vi.stubEnv("JAVA_HOME", join(folder, ".."));
  expect(await java.probe()).toEqual({ available: true, detail: `${join(folder, "java")}, slow to start` });
});

test("a Java that fails is not available", async () => {
  vi.stubEnv("JAVA_HOME", "/nowhere");
  expect(await java.probe()).toMatchObject({ available: false });
});

test("a sandbox that starts slowly is available", async () => {
  vi.stubEnv("PATH", `${slow("bwrap")}:${process.env.PATH}`);
  vi.stubEnv("DOCKER_HOST", "unix:///nowhere");
  expect(await machines.probe()).toEqual({ available: true, detail: "bubblewrap, slow to start" });
});

test("a Docker engine that answers slowly is available, and one that cannot be reached is not", async () => {
  const path = join(scratchDir(), "docker.sock");
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(path, resolve));
  whenDone(() => void server.close().closeAllConnections());
  vi.stubEnv("DOCKER_HOST", `unix://${path}`);
  expect(await dockerImage("any:1")).toEqual({ available: true, detail: "Docker, slow to answer" });
  vi.stubEnv("DOCKER_HOST", "unix:///nowhere");
  expect(await dockerImage("any:1")).toMatchObject({ available: false });
});
