import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./sequencer.mjs";

/**
 * Tests inside their own process that leave nothing behind in it: files share a process, so that the sources and
 * packages are loaded once for all of them.
 */
const light = [
  "test/envs/{babyai,rng,sciworld,textcraft}/*.test.ts",
  "test/envs/{registry,wrappers}.test.ts",
  "test/server/episodes/{expert,idempotency,page-reads,queries,restore,result-window,steps}.test.ts",
  "test/server/log/{page-cache,store*}.test.ts",
  "test/server/plugins/{auth,error-replies,metrics,request-log,terminal-log}.test.ts",
  "test/server/routes/{root,v1*}.test.ts",
  "test/server/{bad-input,config,openapi,tokens}.test.ts",
  "test/trainer/{algorithms,curriculum,data,evaluation}/*.test.ts",
  "test/trainer/report/{evaluation-report,patient-sink,sinks}.test.ts",
  "test/trainer/commands/{setting-options,train-report}.test.ts",
  "test/trainer/{did-you-mean,long-tail-gym}.test.ts",
  "test/trainer/settings/*.test.ts",
  "test/trainer/start/cloning.test.ts",
  "test/setup.test.ts",
];

/**
 * Tests with a narrow bound on time, or of what they find on the whole machine, such as containers and browsers: fewer
 * files at a time than the machine has cores.
 */
const timed = [
  "test/e2e/{docker-ends,slow-readers}.test.ts",
  "test/sandboxes/browser/{bounds,life,orphans}.test.ts",
  "test/server/sandboxes.test.ts",
  "test/server/hosts/{async,async-faults,faults}.test.ts",
  "test/trainer/run/{generation-meter,idle-shares}.test.ts",
  "test/trainer/policy/openai.test.ts",
  "test/trainer/rollout/action-format.test.ts",
];

const cores = availableParallelism();

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    pool: "forks",
    globalSetup: "test/support/docker-folder.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // Node itself loads the build, so that the tests run what ships: same modules, same worker threads.
    server: { deps: { external: [/\/dist\/(server|envs|sandboxes|trainer|native)\//] } },
    projects: [
      {
        extends: true,
        test: { name: "light", include: light, isolate: false, sequence: { groupOrder: 0 }, maxWorkers: cores },
      },
      {
        extends: true,
        // One worker more than there are cores, since many of these tests wait for a process or a deadline.
        test: {
          name: "calm",
          include: ["test/**/*.test.ts"],
          exclude: ["test/bench/**", ...light, ...timed],
          sequence: { groupOrder: 1 },
          maxWorkers: cores + 1,
        },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: timed,
          sequence: { groupOrder: 2 },
          maxWorkers: Math.max(1, cores - 1),
        },
      },
    ],
  },
});
