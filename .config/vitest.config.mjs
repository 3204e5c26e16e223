import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./sequencer.mjs";
import { alone, long, longAlone, onPostgres, onPostgresToo, quickFiles } from "./test-files.mjs";

const debian = "/usr/lib/postgresql";
const programs = [...(process.env.PATH ?? "").split(":"), ...(existsSync(debian) ? readdirSync(debian) : [])].map(
  (folder) => (/^[0-9]+$/.test(folder) ? `${debian}/${folder}/bin` : folder),
);
const hasPostgres = programs.some((folder) => existsSync(`${folder}/initdb`));

const cores = availableParallelism();
const isQuick = process.env.TEST_RUN === "quick";
const isLong = process.env.TEST_RUN === "long";
const isOnPostgres = process.env.TEST_RUN === "postgres";
const every = isQuick ? quickFiles() : ["test/**/*.test.ts"];
const left = Object.keys(long);

/** Files of which each has a process of its own. */
const separate = { extends: true, test: { name: "alone", include: alone, exclude: left } };
/** All other files share a few processes, so that sources and packages are loaded once. */
const shared = {
  extends: true,
  test: {
    name: "shared",
    include: every,
    exclude: ["test/bench/**", ...alone, ...left],
    isolate: false,
  },
};
const postgres = {
  extends: true,
  test: {
    name: "postgres",
    include: isOnPostgres ? [...onPostgres, ...onPostgresToo] : onPostgres,
    isolate: false,
    setupFiles: "test/support/on-postgres.ts",
  },
};

function projects() {
  if (isOnPostgres) return [postgres];
  if (isQuick) return [shared];
  if (isLong) return longProjects();
  return [separate, shared, ...(hasPostgres ? [postgres] : [])];
}

function longProjects() {
  const beside = { name: "long", include: left, exclude: longAlone, maxWorkers: cores, sequence: { groupOrder: 0 } };
  const one = { name: "long-alone", include: longAlone, maxWorkers: 1, sequence: { groupOrder: 1 } };
  return [beside, one].map((test) => ({ extends: true, test }));
}

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    pool: "forks",
    // One worker more than cores, since many tests wait for a process or a timeout.
    maxWorkers: cores + 1,
    setupFiles: "test/support/clean-process.ts",
    globalSetup: ["test/support/docker-folder.ts", "test/support/postgres-setup.ts"],
    // Limits that only a hang reaches, also on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 100_000 } },
    sequence: { sequencer: LongestFirst },
    // Node loads dist/ without a transform, so that the tests run the shipped modules and worker threads.
    server: { deps: { external: [/\/dist\//] } },
    projects: projects(),
  },
});
