/** Builds a program of C++ tests, runs it, and reports each of its cases as a test. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

interface Case {
  name: string;
  failures?: { failure: string }[];
}

interface Report {
  testsuites: { name: string; testsuite: Case[] }[];
}

const driver = new URL("../../.config/build-native.mjs", import.meta.url);
export const { buildNativeTests } = (await import(driver.href)) as {
  buildNativeTests(
    targets: string[],
  ): Promise<{ program: string; reason?: undefined } | { program?: undefined; reason: string }>;
};

/** @param target target of CMake */
export async function reportCases(target: string): Promise<void> {
  const { program, reason } = await buildNativeTests([target]);
  if (program === undefined) {
    test("the engine's C++ tests pass", (context) => context.skip(reason));
    return;
  }
  const { status, report } = runAll(program);
  for (const { name, testsuite } of report.testsuites) {
    describe(name, () => {
      for (const { name: title, failures } of testsuite) {
        test(title, () => expect((failures ?? []).map(({ failure }) => failure)).toEqual([]));
      }
    });
  }
  test("the C++ tests exit with status 0", () => expect(status).toBe(0));
}

function runAll(path: string): { status: number | null; report: Report } {
  const folder = mkdtempSync(join(tmpdir(), "palestra-gtest-"));
  try {
    const file = join(folder, "report.json");
    const { status, stdout, stderr } = spawnSync(path, [`--gtest_output=json:${file}`], { encoding: "utf8" });
    try {
      return { status, report: JSON.parse(readFileSync(file, "utf8")) as Report };
    } catch {
      throw new Error(`expected the C++ tests to end with a report, but they said:\n${stdout.slice(-2000)}\n${stderr}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
