import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests that count on no clock and measure nothing: as many at a time as the machine has cores. */
const calm = [
  "test/envs/**/*.test.ts",
  "test/native/**/*.test.ts",
  "test/trainer/endpoint/**/*.test.ts",
  "test/trainer/{learner,verl,train,train-variants,train-report,engine-build}.test.ts",
  "test/*.test.ts",
];

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    pool: "forks",
    globalSetup: "test/support/docker-folder.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Node itself loads the build, so that the tests run what ships: same modules, same worker threads.
    server: { deps: { external: [/\/dist\/(server|envs|sandboxes|trainer|native)\//] } },
    projects: [
      {
        extends: true,
        test: { name: "calm", include: calm, sequence: { groupOrder: 0 }, maxWorkers: availableParallelism() },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: ["test/**/*.test.ts"],
          exclude: ["test/bench/**", ...calm],
          sequence: { groupOrder: 1 },
          maxWorkers: Math.max(1, availableParallelism() - 1),
        },
      },
    ],
  },
});
