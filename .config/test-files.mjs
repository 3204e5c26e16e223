/** How test files are run: which have a process of their own, which run in the long run alone, and how long each takes. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** Files that need a process of their own. Any other file shares a process with others. */
export const alone = [
  // Their helpers hold providers and folders of sandboxes for one file.
  "test/e2e/sciworld-jvm.test.ts",
  "test/envs/math/python.test.ts",
  "test/envs/sciworld/jvm/*.test.ts",
  "test/envs/workbench/{actions,docker,grading,images,in-place,places,tasks}.test.ts",
  "test/sandboxes/pool.test.ts",
  "test/sandboxes/jvm/*.test.ts",
  // The environment reads its imports once in a process.
  "test/envs/sql/{imported,spider-like}.test.ts",
  // They set flags of V8, or look at the memory, the handles or the children of their own process.
  "test/native/{cpp,cpp-cuda,cuda,cuda-abi,cuda-kernels,gpu-check,lifetime,load,reference}.test.ts",
  "test/sandboxes/browser/{confinement,conformance,egress,life,orphans,rebinding}.test.ts",
];

const fleet = ["server/fleet/", "server/app/fleet/", "server/log/", "server/episodes/", "server/config/times.ts"];

/**
 * Files that need minutes, and run in `npm run test:long`, with the parts of the project that they are about. `.ci/run` runs
 * those whose subject has changed.
 */
export const long = {
  "test/sandboxes/attacks.test.ts": ["sandboxes/"],
  "test/sandboxes/browser/conformance.test.ts": ["sandboxes/"],
  "test/sandboxes/browser/life.test.ts": ["sandboxes/"],
  "test/e2e/docker-ends.test.ts": ["sandboxes/", "server/hosts/sandboxes.ts"],
  // Chaos: gyms, hosts and processes die again and again while others play.
  "test/e2e/fleet-chaos.test.ts": fleet,
  "test/e2e/split-brain.test.ts": fleet,
  "test/e2e/fleet-moves.test.ts": fleet,
  "test/e2e/fleet-protocols.test.ts": [...fleet, "server/adapter/", "server/app/routes/"],
  "test/e2e/fleet-flow.test.ts": fleet,
  "test/e2e/fleet-sessions.test.ts": [...fleet, "server/adapter/", "server/app/routes/"],
  "test/e2e/fleet-state.test.ts": fleet,
  "test/e2e/seats.test.ts": [...fleet, "server/operations/seat-operations.ts"],
  "test/e2e/balancer.test.ts": [...fleet, "server/deploy/"],
  "test/e2e/crash.test.ts": ["server/log/", "server/episodes/"],
  "test/e2e/faults.test.ts": ["server/hosts/", "server/config/times.ts"],
  "test/e2e/failed-resets.test.ts": ["server/episodes/", "server/hosts/"],
  "test/server/hosts/isolation.test.ts": ["server/hosts/", "server/config/times.ts"],
  "test/e2e/killed-training.test.ts": ["trainer/run/", "trainer/train.ts", "trainer/learner.ts", "native/"],
  "test/e2e/train-cuda.test.ts": ["native/", "trainer/engine-build.ts", "trainer/policy/"],
  // Attacks: long actions, guesses, hostile texts, clients that vanish, and a day of use.
  "test/envs/huge-actions.test.ts": ["envs/"],
  "test/envs/constant-answers.test.ts": ["envs/"],
  "test/e2e/studio/hostile-places.test.ts": ["server/ui/"],
  "test/e2e/studio/hostile-runs.test.ts": ["server/ui/", "trainer/report/"],
  "test/e2e/studio/hostile-texts.test.ts": ["server/ui/"],
  "test/e2e/abandoned-places.test.ts": [
    "server/episodes/",
    "server/app/sockets/",
    "server/app/routes/",
    "server/adapter/",
  ],
  "test/e2e/leaks.test.ts": ["server/"],
  // Many tasks of one environment, played or checked one by one.
  "test/envs/delegate/baselines.test.ts": ["envs/delegate/", "envs/shared/rng/"],
  "test/envs/memory/baselines.test.ts": ["envs/memory/", "envs/shared/retrieval/", "envs/shared/rng/"],
  "test/envs/memory/history.test.ts": ["envs/memory/", "envs/shared/rng/"],
  "test/envs/service/baselines.test.ts": ["envs/service/", "envs/shared/rng/"],
  "test/envs/sciworld/bad-input.test.ts": ["envs/sciworld/", "envs/shared/rng/"],
  "test/envs/sciworld/valid-actions.test.ts": ["envs/sciworld/", "envs/shared/rng/"],
  "test/envs/textcraft/expert.test.ts": ["envs/textcraft/", "envs/shared/rng/"],
  "test/envs/webarena-lab/play.test.ts": [
    "envs/webarena-lab/",
    "envs/shared/web-tasks/",
    "envs/shared/browser/",
    "sandboxes/browser/",
  ],
  // Commands that run for minutes.
  "test/server/program/commands/check.test.ts": ["envs/check-env", "server/program/handlers/check"],
  "test/e2e/eval-suite.test.ts": ["trainer/evaluation/", "server/program/training/", "trainer/rollout/"],
  "test/e2e/studio/live.test.ts": ["server/ui/", "trainer/report/", "server/runs/"],
  "test/e2e/studio/step-times.test.ts": ["server/ui/", "server/log/"],
  "test/trainer/train-tinker.test.ts": ["trainer/backends/", "trainer/run/", "trainer/train.ts"],
  "test/trainer/train-policy-server.test.ts": ["trainer/policy/", "trainer/rollout/", "trainer/run/"],
  // Desktops, which a Docker engine starts from an image of their own.
  "test/envs/desktop/session.test.ts": ["envs/desktop/", "sandboxes/docker/"],
  "test/envs/desktop/tasks.test.ts": ["envs/desktop/", "sandboxes/docker/"],
  "test/e2e/export-size.test.ts": ["trainer/export/", "server/formats/training/"],
  "test/trainer/gym/gym-fleet.test.ts": [...fleet, "trainer/gym/"],
  "test/e2e/killed-load.test.ts": fleet,
  "test/server/log/postgres-damaged-pages.test.ts": ["server/log/"],
  "test/e2e/sandboxes.test.ts": ["sandboxes/", "server/hosts/sandboxes.ts", "server/hosts/async/"],
  "test/envs/sciworld/jvm/env.test.ts": ["envs/sciworld/", "sandboxes/jvm/"],
  "test/e2e/sciworld-jvm.test.ts": ["envs/sciworld/jvm/", "sandboxes/jvm/", "server/hosts/async/"],
  "test/e2e/starved.test.ts": ["server/hosts/", "server/config/times.ts"],
  "test/e2e/slow-readers.test.ts": ["server/app/plugins/", "server/app/sockets/", "server/app/app.ts"],
  "test/e2e/floods.test.ts": ["server/app/plugins/", "server/app/sockets/", "server/app/app.ts"],
  "test/e2e/docker-image.test.ts": [".config/docker/", ".config/build.mjs", ".config/bundle.mjs", "package.json"],
  "test/e2e/first-hour.test.ts": [
    ...["README.md", "server/README.md", "envs/README.md", "trainer/README.md", "trainer/endpoint/README.md"],
    ...["sandboxes/README.md", "test/README.md", ".config/setup.mjs", ".config/build.mjs", ".config/install.mjs"],
    // The pages score answers to a task.
    "envs/math/",
  ],
  // The site has a link to nearly each folder, and a change of any page can break one.
  "test/e2e/docs-site.test.ts": ["*"],
  "test/e2e/studio/images.test.ts": [
    ...[".config/images/", ".github/images/", "README.md", "package.json", "server/ui/", "trainer/report/"],
    // The pictures show their texts.
    ...["envs/babyai/", "envs/math/", "envs/textcraft/", "server/program/handlers/play.ts"],
  ],
  "test/e2e/own-tasks-guide.test.ts": ["envs/custom/", "envs/custom/README.md"],
  "test/e2e/self-hosting.test.ts": ["server/deploy/", "server/deploy/README.md"],
  "test/native/cpp-cuda.test.ts": ["native/", "test/native/"],
  // Walks of frameworks, which train for a minute each or load large packages.
  "test/trainer/endpoint/langgraph.test.ts": ["trainer/endpoint/"],
  "test/trainer/endpoint/openai-sdk.test.ts": ["trainer/endpoint/"],
  "test/trainer/endpoint/python-sdk.test.ts": ["trainer/endpoint/"],
  "test/trainer/endpoint/traffic-training.test.ts": ["trainer/endpoint/", "trainer/algorithms/", "trainer/learner.ts"],
  "test/bench-tests/verifiers.test.ts": ["test/bench/", "openapi/python/"],
  "test/e2e/openenv.test.ts": ["server/app/routes/openenv", "server/adapter/", "server/app/sockets/"],
  "test/e2e/ors.test.ts": ["server/app/routes/ors", "server/adapter/"],
  "test/openapi/python.test.ts": [
    "openapi/",
    "openapi/python/README.md",
    "server/operations/operations.ts",
    "server/operations/schemas/",
    "server/app/sockets/",
  ],
  "test/openapi/trainers.test.ts": [
    "openapi/clients/",
    "openapi/python/",
    "server/formats/actions/",
    "server/hosts/reading.ts",
  ],
  "test/openapi/verifiers.test.ts": [
    "openapi/clients/verifiers.md",
    "server/app/routes/openenv",
    "test/peers/verifiers-openenv.py",
  ],
  "test/e2e/package.test.ts": ["package.json", "package-lock.json", ".config/", "server/program/"],
  "test/trainer/engine-build.test.ts": [".config/build-native.mjs", "trainer/engine-build.ts"],
};

/** Files of the long run that stop engines or use up the machine. They run one after another, after the others. */
export const longAlone = [
  "test/sandboxes/attacks.test.ts",
  "test/e2e/docker-ends.test.ts",
  "test/e2e/docker-image.test.ts",
  "test/e2e/fleet-chaos.test.ts",
  "test/e2e/floods.test.ts",
  "test/e2e/starved.test.ts",
];

/**
 * Tests of gyms that the project `postgres` repeats with the log in PostgreSQL. Not among them are tests that use the file
 * of a log in SQLite themselves: of its format, size, damage, repair, backup and restore.
 */
export const onPostgres = [
  "test/server/episodes/{idempotency,leases,limits,quotas,restart,steps}.test.ts",
  "test/server/operations/exports/exports.test.ts",
  "test/server/judging/judgments.test.ts",
  "test/server/app/plugins/{health,metrics}.test.ts",
  "test/server/app/routes/{agentgym,events,mcp,nemo-gym,openenv,ors,replay,v1*}.test.ts",
  "test/server/app/sockets/v1-socket.test.ts",
  "test/e2e/protocols-crash.test.ts",
];

/** Further such tests, which `npm run test:postgres` runs. They take longer, or concern the log little. */
export const onPostgresToo = [
  "test/server/{app,bad-input,errors,local-token,openapi,tokens}.test.ts",
  "test/server/episodes/{expert,large,queries,rewards}.test.ts",
  "test/server/operations/exports/{inspect,training-data}.test.ts",
  "test/server/hosts/{faults,isolation}.test.ts",
  "test/server/app/plugins/{auth,error-replies}.test.ts",
  "test/server/app/routes/{agentgym-babyai,agentgym-sciworld,agentgym-webarena,root}.test.ts",
  "test/server/runs/runs.test.ts",
  "test/e2e/{connections,crash,expert,export-files,faults,frame-fuzz,pipelining,protocol,shutdown,vanished-clients}.test.ts",
];

const recordFile = join(root, ".config/test-durations.json");
/** Most seconds of a file of the quick run. The duration of a longer file is recorded, so that a new file is a quick one. */
const quickSeconds = 3;

/** Recorded seconds of each file, by project and path. `RECORD_TEST_DURATIONS=1 npm test` records them. */
const recorded = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, "utf8")) : {};

/** Returns the seconds that a file took when it was recorded last. */
export function durationOf(project, path) {
  return recorded[`${project} ${path}`] ?? quickSeconds;
}

/** Keeps the durations of a run, and drops those of removed files. */
export function recordDurations(durations) {
  const all = { ...recorded };
  for (const { project, path, seconds } of durations) all[`${project} ${path}`] = Math.round(seconds * 10) / 10;
  const isKept = ([key, seconds]) => seconds > quickSeconds && existsSync(join(root, key.slice(key.indexOf(" ") + 1)));
  const kept = Object.entries(all).filter(isKept);
  writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(kept.sort()), null, 2)}\n`);
}

/** Returns the files that take little time. The quick run leaves out those of them that need a process of their own. */
export function quickFiles() {
  const names = readdirSync(join(root, "test"), { recursive: true }).map((name) => `test/${name}`);
  return names.filter((name) => name.endsWith(".test.ts") && durationOf("shared", name) <= quickSeconds);
}
