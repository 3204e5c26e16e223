import { BaseSequencer } from "vitest/node";

/** The slowest test files, slowest first. They start first, since a late start would leave one core busy at the end of the run. */
const longest = [
  "test/e2e/first-hour.test.ts",
  "test/envs/conformance.test.ts",
  "test/e2e/own-tasks-guide.test.ts",
  "test/e2e/eval.test.ts",
  "test/trainer/endpoint/langgraph.test.ts",
  "test/trainer/engine-build.test.ts",
  "test/e2e/sandboxes.test.ts",
  "test/sandboxes/attacks.test.ts",
  "test/server/cli.test.ts",
  "test/e2e/shutdown.test.ts",
  "test/sandboxes/docker/conformance.test.ts",
  "test/envs/workbench/tasks.test.ts",
  "test/envs/sciworld/jvm/env.test.ts",
  "test/e2e/crash.test.ts",
  "test/server/commands/check.test.ts",
  "test/e2e/sciworld-jvm.test.ts",
];

/** Starts the slowest files first, and keeps vitest's order for the others. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }) => {
      const index = longest.findIndex((path) => moduleId.endsWith(path));
      return index === -1 ? longest.length : index;
    };
    return sorted
      .map((file) => [rank(file), file])
      .sort(([a], [b]) => a - b)
      .map(([, file]) => file);
  }
}
