import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Node itself loads the build, so that the tests run what ships: same modules, same worker threads.
    server: { deps: { external: [/\/dist\/(server|envs|sandboxes|trainer|native)\//] } },
  },
});
