/** Requirements of the original simulator. */
import { resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import jvmSciworld from "#palestra/envs/sciworld/jvm/index.js";

const { platform } = process;

afterEach(() => {
  Object.defineProperty(process, "platform", { value: platform });
  vi.unstubAllEnvs();
});

function probe(requirement: string) {
  return jvmSciworld.requirements.find(({ name }) => name === requirement)?.probe();
}

test.each([
  ["linux", true],
  ["darwin", false],
  ["win32", false],
])("the requirement on the platform %s has the availability %s", async (detail, available) => {
  Object.defineProperty(process, "platform", { value: detail });
  expect(await probe("linux")).toEqual({ available, detail });
});

test("the path of the jar may be relative to the working directory of the gym, which differs from that of the JVM", async () => {
  vi.stubEnv("SCIENCEWORLD_JAR", "mine.jar");
  expect(await probe("sciworld-jvm")).toEqual({ available: false, detail: `no file at ${resolve("mine.jar")}` });
});
