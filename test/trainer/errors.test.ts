/** The table of the trainer's errors, and the exit statuses of its commands. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { errorTable, exitStatus, TrainerError, type TrainerErrorCode } from "#palestra/trainer/errors.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

const statuses: Record<TrainerErrorCode, number> = {
  ARGUMENT_INVALID: 2,
  SETTINGS_INVALID: 2,
  SETTINGS_CHANGED: 2,
  ALGORITHM_CONTRADICTION: 2,
  TASKS_INVALID: 2,
  POLICY_INVALID: 2,
  MODEL_UNUSABLE: 2,
  TEACHER_UNUSABLE: 2,
  DIALOGUES_INVALID: 2,
  CLONING_IMPOSSIBLE: 2,
  EXAMPLES_IMPOSSIBLE: 2,
  STATE_MISMATCH: 2,
  FOLDER_IN_USE: 2,
  MEASUREMENT_CHANGED: 2,
  ADDRESS_UNUSABLE: 2,
  BACKEND_UNREACHABLE: 1,
  BACKEND_REFUSED: 1,
  BACKEND_LOST: 1,
  CHECKPOINT_FAILED: 1,
  ROLLOUTS_FAILED: 1,
  RUN_EMPTY: 1,
  EVALUATION_FAILED: 1,
  EXPORT_FAILED: 1,
  REPORT_TEMPLATE_MISSING: 1,
  BUILD_STOPPED: 130,
};

test("a published code keeps its exit status", () => {
  const codes = Object.keys(errorTable) as TrainerErrorCode[];
  expect(Object.fromEntries(codes.map((code) => [code, new TrainerError(code, "").exitStatus]))).toEqual(statuses);
  expect(exitStatus).toEqual({ failed: 1, misused: 2, stopped: 130 });
});

test("every code of the table is thrown somewhere in the trainer", () => {
  const files = readdirSync(join(root, "trainer"), { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && file !== "errors.ts");
  const text = sources.map((file) => readFileSync(join(root, "trainer", file), "utf8")).join("\n");
  for (const code of Object.keys(errorTable)) expect(text).toContain(`"${code}"`);
});

test("every entry of the table explains in a sentence when the error occurs", () => {
  for (const { when } of Object.values(errorTable)) expect(when).toMatch(/^[A-Z].*\.$/);
});

test("a wrong command line prints only the message and exits with status 2", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "dist/server/program/cli.js"), "endpoint", "--model", "m", "--host", "192.0.2.1"],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("palestra: expected an address of this machine, but received 192.0.2.1\n");
  expect(status).toBe(2);
});
