import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./sequencer.mjs";

/**
 * Tests that run in one process and leave nothing behind in it. Test files share a process, so that sources and packages
 * are loaded once. `npm run test:quick` runs these alone.
 */
const light = [
  "test/envs/{arithmetic,babyai,kept,knowledge,memory,rng,sciworld,searchqa,textcraft}/*.test.ts",
  "test/envs/webarena/lab/*.test.ts",
  "test/envs/{registry,wrappers}.test.ts",
  "test/server/episodes/{expert,idempotency,queries,restore,steps,result-window}.test.ts",
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
  "test/{architecture,docs,setup,tree}.test.ts",
];

/**
 * Tests that may share a process too, but take longer: they start processes or threads and end them, or wait. Their helpers
 * open nothing when they are imported, since a helper is loaded once for many files. A new test file has a process of its own
 * until it is listed here or above.
 */
const shared = [
  "test/envs/check-async-env.test.ts",
  "test/envs/{custom,desktop}/actions.test.ts",
  "test/envs/browser/{ax-text,web-action}.test.ts",
  "test/envs/math/{imported,math}.test.ts",
  "test/envs/miniwob/{actions,tasks}.test.ts",
  "test/envs/questions/{squad,tags,verify}.test.ts",
  "test/envs/retrieval/{index-build,memory-index,query-plan}.test.ts",
  "test/envs/sciworld/jvm/simulator.test.ts",
  "test/envs/synthesis/*.test.ts",
  "test/envs/webarena/{evaluators,judge,tasks,verified}.test.ts",
  "test/sandboxes/machines.test.ts",
  "test/sandboxes/docker/{attachment,endpoint,start-gate}.test.ts",
  "test/sandboxes/jvm/working-folder.test.ts",
  "test/server/commands/expiry.test.ts",
  "test/server/episodes/{accounts,fair-queue,gym,leases,limits,quotas,restart,retention-clock,rewards}.test.ts",
  "test/server/{errors,sessions,storage-line}.test.ts",
  "test/server/exports/{exports,streams,training-data}.test.ts",
  "test/server/hosts/{recorder,report-check}.test.ts",
  "test/server/judging/{agreement,judgments}.test.ts",
  "test/server/log/{damage,log,repair}.test.ts",
  "test/server/plugins/health.test.ts",
  "test/server/routes/{agentgym,agentgym-babyai,agentgym-sciworld,events,replay}.test.ts",
  "test/server/runs/runs.test.ts",
  "test/server/sockets/v1-socket.test.ts",
  "test/trainer/errors.test.ts",
  "test/trainer/gym/agentgym-client.test.ts",
  "test/trainer/policy/random.test.ts",
  "test/trainer/report/metrics.test.ts",
  "test/trainer/rollout/*.test.ts",
];

/** Tests of the same kind that play many whole games, and take tens of seconds each. */
const thorough = [
  "test/envs/babyai/drift.test.ts",
  "test/envs/sciworld/{bad-input,valid-actions}.test.ts",
  "test/envs/webarena/lab/play.test.ts",
];

/**
 * Tests with a narrow time limit, and tests that look at all containers or browsers of the machine. They run with fewer
 * workers than the machine has cores.
 */
const timed = [
  "test/e2e/{docker-ends,fleet-chaos,floods,pipelining,slow-readers,split-brain}.test.ts",
  "test/envs/browser/web-session.test.ts",
  "test/sandboxes/browser/{bounds,life,orphans}.test.ts",
  "test/server/sandboxes.test.ts",
  "test/server/hosts/{async,async-faults,faults,isolation}.test.ts",
  "test/trainer/run/{generation-meter,idle-shares}.test.ts",
  "test/trainer/policy/openai.test.ts",
  "test/trainer/actions/action-formats.test.ts",
];

/**
 * Tests of gyms that the project `postgres` repeats with the log in PostgreSQL. Not among them are tests that use the file
 * of a log in SQLite themselves: of its format, size, damage, repair, backup and restore.
 */
const onPostgres = [
  "test/server/episodes/{idempotency,leases,limits,quotas,restart,steps}.test.ts",
  "test/server/exports/exports.test.ts",
  "test/server/judging/judgments.test.ts",
  "test/server/plugins/{health,metrics}.test.ts",
  "test/server/routes/{agentgym,events,mcp,nemo-gym,openenv,ors,replay,v1*}.test.ts",
  "test/server/sockets/v1-socket.test.ts",
  "test/e2e/protocols-crash.test.ts",
];

/** Further such tests, which `npm run test:postgres` runs. They take longer, or concern the log little. */
const onPostgresToo = [
  "test/server/{app,bad-input,errors,local-token,openapi,tokens}.test.ts",
  "test/server/episodes/{expert,large,queries,rewards}.test.ts",
  "test/server/exports/{inspect,training-data}.test.ts",
  "test/server/hosts/{faults,isolation}.test.ts",
  "test/server/plugins/{auth,error-replies}.test.ts",
  "test/server/routes/{agentgym-babyai,agentgym-sciworld,agentgym-webarena,root}.test.ts",
  "test/server/runs/runs.test.ts",
  "test/e2e/{connections,crash,expert,export-files,faults,frame-fuzz,pipelining,protocol,shutdown,vanished-clients}.test.ts",
];

const debian = "/usr/lib/postgresql";
const programs = [...(process.env.PATH ?? "").split(":"), ...(existsSync(debian) ? readdirSync(debian) : [])].map(
  (folder) => (/^[0-9]+$/.test(folder) ? `${debian}/${folder}/bin` : folder),
);
const hasPostgres = programs.some((folder) => existsSync(`${folder}/initdb`));

const cores = availableParallelism();
const inSharedProcesses = { isolate: false, sequence: { groupOrder: 0 }, maxWorkers: cores };

const postgres = {
  extends: true,
  test: {
    name: "postgres",
    include: process.env.TEST_ALL_ON_POSTGRES ? [...onPostgres, ...onPostgresToo] : onPostgres,
    isolate: false,
    globalSetup: "test/support/postgres-project.ts",
    setupFiles: "test/support/on-postgres.ts",
    sequence: { groupOrder: 3 },
    maxWorkers: cores,
  },
};

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    pool: "forks",
    globalSetup: "test/support/docker-folder.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // Node loads dist/ without a transform, so that the tests run the shipped modules and worker threads.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      {
        extends: true,
        test: { ...inSharedProcesses, name: "light", include: light, exclude: thorough },
      },
      {
        extends: true,
        test: { ...inSharedProcesses, name: "thorough", include: thorough },
      },
      {
        extends: true,
        test: { name: "shared", include: shared, isolate: false, sequence: { groupOrder: 1 }, maxWorkers: cores + 1 },
      },
      {
        extends: true,
        // One worker more than cores, since many of these tests wait for a process or a timeout.
        test: {
          name: "calm",
          include: ["test/**/*.test.ts"],
          exclude: ["test/bench/**", ...light, ...shared, ...thorough, ...timed],
          sequence: { groupOrder: 1 },
          maxWorkers: cores + 1,
        },
      },
      ...(hasPostgres ? [postgres] : []),
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
