/** What the original simulator asks of a machine. */
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
])("on %s it can be played: %s", async (detail, available) => {
  Object.defineProperty(process, "platform", { value: detail });
  expect(await probe("linux")).toEqual({ available, detail });
});

test("the jar's path may be relative to where the gym runs, which is not where the JVM does", async () => {
  vi.stubEnv("SCIENCEWORLD_JAR", "mine.jar");
  expect(await probe("sciworld-jvm")).toEqual({ available: false, detail: `no file at ${resolve("mine.jar")}` });
});
