/** The architecture page's "What may import what", read from the sources by the TypeScript parser and enforced. */
import { describe, expect, test } from "vitest";
import { bare, type Reference, referencesOf, targetOf } from "./support/references.js";
import { testTree } from "./support/tracked-files.js";

/** The first row that matches a file applies to it. `<env>` is any folder of envs/. A row may always import itself. */
interface Row {
  who: string;
  /**
   * Files and folders of the repository. `(types)`: only with `import type`. `(program)`: not imported, but started by
   * its path.
   */
  may: string[];
  /** Exceptions from the allowed files and folders. */
  never?: string[];
  /** npm packages that the row may not import. */
  withoutPackage?: RegExp;
}

const sqlite = "native/sqlite/index.ts";
const framework = ["envs/env.ts", "envs/errors.ts", "envs/contract/", "envs/shared/wrappers/"];
const theGym = [...framework, "envs/did-you-mean.ts", "envs/registry.ts", "envs/check-env.ts", "sandboxes/"];
const sandboxContracts = ["sandboxes/sandbox.ts (types)", "sandboxes/browser.ts (types)"];
const fastify = /^(fastify|@fastify)\b/;
/** Rooms of the server from the bottom up: each may import those before it. Fastify begins with `app/`. */
const serverOrder = [
  ...["errors.ts", "version.ts", "formats/", "config/", "log/", "judging/", "runs/", "hosts/", "episodes/", "tokens/"],
  ...["operations/", "fleet/", "adapter/", "app/"],
].map((name) => `server/${name}`);
const serverRows: Row[] = [
  { who: "server/ui/", may: ["openapi/gym.d.ts", "server/formats/outcomes/"] },
  { who: "server/app/routes/ui.ts", may: [...theGym, ...serverOrder, "server/ui/ (program)"] },
  { who: "server/operations/exports/report-page.ts", may: ["server/ui/report.html (program)"] },
  { who: "server/formats/", may: ["openapi/gym.d.ts", "envs/did-you-mean.ts"], withoutPackage: fastify },
  ...serverOrder.map(
    (who, at): Row => ({
      who,
      may: [...theGym, ...serverOrder.slice(0, at), ...(who === "server/log/" ? [sqlite] : [])],
      ...(who !== "server/app/" && { withoutPackage: fastify }),
    }),
  ),
  {
    who: "server/program/handlers/",
    may: [...theGym, "envs/shared/", "envs/starter/", ...serverOrder, "server/program/"],
  },
  { who: "server/program/", may: [...theGym, "envs/starter/", ...serverOrder, "trainer/"] },
];

const learning = ["native/api/index.ts", sqlite, "openapi/gym.d.ts", "server/formats/"];
const trainerHelpers = ["abort", "data-file", "engine-build", "errors", "foreign-page", "keyed-random"].map(
  (name) => `trainer/${name}.ts`,
);
/** Parts of the trainer in their order: each may import those before it. */
const trainerOrder = [
  ...["gym/", "policy/", "rollout/", "curriculum/", "algorithms/", "data/", "settings/"],
  ...["evaluation/", "export/", "start/", "backends/", "learner.ts", "run/", "endpoint/", "train.ts", "report/"],
  "failure.ts",
].map((name) => `trainer/${name}`);
const trainerRows: Row[] = [
  { who: "trainer/report/report-page.ts", may: [...trainerHelpers, "server/ui/report.html (program)"] },
  ...trainerHelpers.map((who) => ({ who, may: [...learning, ...trainerHelpers] })),
  ...trainerOrder.map((who, at) => ({ who, may: [...learning, ...trainerHelpers, ...trainerOrder.slice(0, at)] })),
  { who: "trainer/main.ts", may: [...learning, ...trainerHelpers, ...trainerOrder] },
];

const law: Row[] = [
  { who: "sandboxes/", may: [] },
  { who: "native/sqlite/", may: [] },
  { who: "native/addon/", may: [] },
  { who: "native/format/", may: ["native/addon/"] },
  { who: "native/grammar/", may: ["native/format/", "native/addon/"] },
  { who: "native/api/", may: ["native/format/", "native/grammar/", "native/addon/"] },
  { who: "native/", may: [] },
  { who: "openapi/", may: [] },
  { who: "envs/shared/rng/", may: [] },
  { who: "envs/shared/kept/", may: [] },
  { who: "envs/env.ts", may: ["sandboxes/sandbox.ts (types)"] },
  { who: "envs/errors.ts", may: ["envs/env.ts"] },
  { who: "envs/starter/", may: [] },
  { who: "envs/shared/wrappers/", may: ["envs/env.ts", "envs/errors.ts"] },
  { who: "envs/contract/", may: ["envs/env.ts", "envs/errors.ts", "envs/did-you-mean.ts"] },
  { who: "envs/did-you-mean.ts", may: [] },
  {
    who: "envs/registry.ts",
    may: [
      ...framework,
      "envs/<env>/index.ts",
      "envs/<env>/jvm/index.ts",
      "envs/<env>/pair/index.ts",
      "envs/<env>/python/index.ts",
      ...["airline", "retail", "mock"].map((domain) => `envs/<env>/${domain}/index.ts`),
    ],
  },
  { who: "envs/check-env.ts", may: [...framework, "envs/check-env/", "envs/registry.ts", "envs/shared/rng/"] },
  { who: "envs/check-env/", may: [...framework, "envs/registry.ts", "envs/shared/rng/"] },
  {
    who: "envs/shared/browser/",
    may: [
      "envs/env.ts",
      "envs/errors.ts",
      ...sandboxContracts,
      "sandboxes/browser/executable.ts",
      "sandboxes/browser/install.ts",
    ],
  },
  {
    who: "envs/shared/web-tasks/",
    may: [
      ...["envs/env.ts", "envs/errors.ts", "envs/shared/browser/", "envs/shared/llm-judge/", "envs/shared/python/"],
      "envs/shared/verdicts/",
      ...sandboxContracts,
    ],
  },
  { who: "envs/shared/docker/", may: ["sandboxes/docker/endpoint.ts"] },
  { who: "envs/shared/machines/", may: ["envs/env.ts", "envs/shared/docker/"] },
  {
    who: "envs/shared/tools/",
    may: [
      "envs/env.ts",
      "envs/errors.ts",
      "envs/shared/arithmetic/",
      "envs/shared/machines/",
      "envs/shared/retrieval/",
      "envs/shared/sqlite/",
      "sandboxes/cache-folders.ts",
    ],
  },
  { who: "envs/shared/processes/", may: ["envs/errors.ts", "sandboxes/usual-variables.ts"] },
  { who: "envs/shared/sqlite/", may: ["envs/shared/kept/", "envs/errors.ts", "envs/shared/processes/", sqlite] },
  { who: "envs/shared/arithmetic/", may: ["envs/shared/kept/"] },
  { who: "envs/shared/python/", may: [] },
  { who: "envs/shared/verdicts/", may: ["envs/env.ts"] },
  { who: "envs/shared/knowledge/", may: ["envs/shared/kept/"] },
  { who: "envs/shared/synthesis/", may: ["envs/shared/kept/", "envs/shared/knowledge/", sqlite] },
  { who: "envs/shared/chat-endpoint/", may: [] },
  { who: "envs/shared/llm-judge/", may: ["envs/shared/chat-endpoint/"] },
  {
    who: "envs/shared/retrieval/",
    may: ["envs/errors.ts", "envs/shared/knowledge/", "sandboxes/cache-folders.ts", ...sandboxContracts, sqlite],
  },
  { who: "envs/shared/questions/", may: ["envs/env.ts", "envs/shared/retrieval/", "envs/shared/synthesis/", sqlite] },
  {
    who: "envs/<env>/",
    may: [
      ...["envs/env.ts", "envs/errors.ts", "envs/contract/import-failure.ts", "envs/contract/trace.ts"],
      ...["sandboxes/usual-variables.ts", sqlite],
      "envs/shared/",
      ...sandboxContracts,
    ],
  },
  ...serverRows,
  ...trainerRows,
];

/** Returns every violation of the law in a set of sources (path -> text), one line each. */
function breaches(sources: Record<string, string>): string[] {
  return Object.entries(sources).flatMap(([file, text]) => {
    const row = law.find(({ who }) => fits(file, who, undefined));
    if (!row) return [`${file}: expected a row of the law for it, but found none`];
    return referencesOf(file, text)
      .filter((reference) => !isLawful(file, row, reference))
      .map(({ specifier, kind }) => `${file} -> ${specifier} (${kind})`);
  });
}

function isLawful(file: string, row: Row, { specifier, kind }: Reference): boolean {
  const target = targetOf(file, specifier);
  if (target === undefined) return !row.withoutPackage?.test(specifier);
  // The build generates the words of the completion.
  if (["package.json", "completion.json"].includes(target)) return true;
  const own = envOf(file);
  if (row.never?.some((place) => fits(target, place, own))) return false;
  if (fits(target, row.who, own)) return true;
  return row.may.some((entry) => {
    const [place = "", need] = entry.split(" ");
    return fits(target, place, undefined) && (need === undefined || need === `(${kind})`);
  });
}

/** Returns whether a file lies at a place of the table. With `own`, `<env>` stands for that environment only. */
function fits(file: string, place: string, own: string | undefined): boolean {
  const env = own ?? (place.includes("<env>") ? envOf(file) : undefined);
  if (place.includes("<env>") && env === undefined) return false;
  const concrete = place.replace("<env>", env ?? "");
  return concrete.endsWith("/") ? `${file}/`.startsWith(concrete) : bare(file) === bare(concrete);
}

function envOf(file: string): string | undefined {
  const [, name] = /^envs\/([^/]+)\//.exec(file) ?? [];
  return name && ["shared", "check-env", "contract"].includes(name) ? undefined : name;
}

/**
 * Returns the circles of imports in a set of sources (path -> text), including type imports. Each circle is a line with
 * its files.
 */
function circles(sources: Record<string, string>): string[] {
  const imports = new Map(
    Object.entries(sources).map(([file, text]) => [file, importsOf(file, text, Object.keys(sources))]),
  );
  const reaches = new Map([...imports.keys()].map((file) => [file, reachableFrom(file, imports)]));
  const found = [...reaches].map(([file, reached]) =>
    [...reached].filter((other) => reached.has(file) && reaches.get(other)?.has(file)),
  );
  return [...new Set(found.filter((circle) => circle.length > 0).map((circle) => circle.sort().join(" <-> ")))];
}

/** Returns the files of `among` that a source imports, as values or as types. */
function importsOf(file: string, text: string, among: readonly string[]): string[] {
  const targets = referencesOf(file, text)
    .filter(({ kind }) => kind !== "program")
    .map(({ specifier }) => bare(targetOf(file, specifier) ?? ""));
  return among.filter((other) => targets.includes(bare(other)));
}

/** Returns the files that a file reaches by imports. A file in a circle reaches itself. */
function reachableFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(imports.get(file) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(imports.get(next) ?? []));
  }
  return reached;
}

const sourceFolders = /^(sandboxes|native|openapi|envs|server|trainer)\/.*\.tsx?$/;

describe("the import law", () => {
  testTree("every source obeys the table", (files) => {
    const sources = files.filter(({ path }) => sourceFolders.test(path));
    expect(sources.length).toBeGreaterThan(0);
    expect(breaches(Object.fromEntries(sources.map(({ path, text }) => [path, text])))).toEqual([]);
  });

  testTree("no sources import each other in a circle", (files) => {
    const sources = files.filter(({ path }) => sourceFolders.test(path));
    expect(sources.length).toBeGreaterThan(0);
    expect(circles(Object.fromEntries(sources.map(({ path, text }) => [path, text])))).toEqual([]);
  });

  test("the check finds a circle of imports, also one of type imports", () => {
    const sources = {
      "server/a.ts": `import { b } from "./b.js";`,
      "server/b.ts": `import type { C } from "./c.js";`,
      "server/c.ts": `export { a } from "./a.js";`,
      "server/d.ts": `import { a } from "./a.js"; new Worker(new URL("./d.js", import.meta.url));`,
    };
    expect(circles(sources)).toEqual(["server/a.ts <-> server/b.ts <-> server/c.ts"]);
    expect(circles({ ...sources, "server/c.ts": "" })).toEqual([]);
  });

  testTree("only native/sqlite/ loads better-sqlite3, which needs help on Node 20", (files) => {
    const loading = files
      .filter(({ path }) => sourceFolders.test(path))
      .filter(({ path, text }) =>
        referencesOf(path, text).some(({ specifier, kind }) => specifier === "better-sqlite3" && kind === "import"),
      );
    expect(loading.map(({ path }) => path)).toEqual(["native/sqlite/index.ts"]);
  });

  testTree("tests import the sources only through #palestra/", (files) => {
    const outside = files
      .filter(({ path }) => /^test\/.*\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        referencesOf(path, text)
          .filter(({ specifier, kind }) => kind !== "program" && specifier.startsWith("."))
          .filter(({ specifier }) => !targetOf(path, specifier)?.startsWith("test/"))
          .map(({ specifier }) => `${path} -> ${specifier}`),
      );
    expect(outside).toEqual([]);
  });

  test.each([
    ["envs/textcraft/env.ts", `import { Gym } from "../../server/episodes/gym.js";`],
    ["envs/textcraft/env.ts", `import { maze } from "../babyai/maze.js";`],
    ["envs/textcraft/env.ts", `import spec from "../babyai/index.js";`],
    ["envs/textcraft/env.ts", `import { Registry } from "../registry.js";`],
    ["envs/textcraft/env.ts", `const table = new URL("../babyai/data/maps.json", import.meta.url);`],
    ["envs/textcraft/env.ts", `const table = \`../babyai/data/\${name}.json\`;`],
    ["envs/miniwob/env.ts", `import { open } from "../../sandboxes/sandbox.js";`],
    ["envs/miniwob/env.ts", `import type { Docker } from "../../sandboxes/docker/docker.js";`],
    ["envs/miniwob/env.ts", `import { BrowserProvider } from "../../sandboxes/browser/browser-provider.js";`],
    ["envs/miniwob/env.ts", `import { findBrowser } from "../../sandboxes/browser/executable.js";`],
    ["envs/shared/browser/requirement.ts", `import { tasks } from "../../webarena/task-files.js";`],
    ["envs/shared/web-tasks/env.ts", `import { labSites } from "../../webarena-lab/sites/index.js";`],
    ["envs/webarena-lab/index.ts", `import { settings } from "../webarena/settings.js";`],
    ["envs/shared/rng/pcg64.ts", `import type { Environment } from "../../env.js";`],
    ["envs/registry.ts", `const builtIn = ["./textcraft/env.js"];`],
    ["server/app/routes/v1.ts", `import { recipes } from "../../envs/textcraft/recipes.js";`],
    ["server/app/routes/v1.ts", `export * from "../../trainer/train.js";`],
    ["server/program/serve.ts", `const program = "../trainer/train.js";`],
    ["server/app/app.ts", `const { train } = await import("../../trainer/train.js");`],
    ["server/program/cli.ts", `import { Engine } from "../../native/api/index.js";`],
    ["server/formats/training/rows.ts", `import { GymError } from "../../errors.js";`],
    ["server/operations/episodes.ts", `import { FleetRouter } from "../fleet/router.js";`],
    ["server/tokens/token-file.ts", `import { isLoopback } from "../app/plugins/auth.js";`],
    ["trainer/train.ts", `import { createGym } from "../server/program/library.js";`],
    ["server/app/routes/v1.ts", `import { openDatabase } from "../../native/sqlite/index.js";`],
    ["server/log/sqlite/store.ts", `import type { Slot } from "../../hosts/slot.js";`],
    ["server/log/sqlite/store.ts", `import type { Episode } from "../../episodes/episode/episode.js";`],
    ["server/hosts/host.ts", `import type { Episode } from "../episodes/episode.js";`],
    ["server/episodes/gym.ts", `import Fastify from "fastify";`],
    ["server/episodes/gym.ts", `import type { FastifyInstance } from "fastify";`],
    ["server/episodes/gym.ts", `import websocket from "@fastify/websocket";`],
    ["server/episodes/gym.ts", `export { buildApp } from "../app.js";`],
    ["server/episodes/gym.ts", `type Route = import("../routes/v1.js").Route;`],
    ["server/episodes/gym.ts", `import app = require("../app.js");`],
    ["trainer/train.ts", `import { spec } from "#palestra/envs/textcraft/index.js";`],
    ["trainer/train.ts", `import { kernel } from "../native/kernels.js";`],
    ["trainer/train.ts", `import { Engine } from "../native/api/engine.js";`],
    ["native/format/gguf.ts", `import type { Model } from "../api/model.js";`],
    ["native/addon/addon.ts", `import { check } from "../format/options.js";`],
    ["native/addon/addon.ts", `import type { Engine } from "../api/index.js";`],
    ["trainer/settings/fields.ts", `import { createEngine } from "../start/engine.js";`],
    ["trainer/gym/gym.ts", `import type { Trajectory } from "../rollout/trajectory.js";`],
    ["trainer/policy/policy.ts", `import type { Player } from "../run/player.js";`],
    ["trainer/run/player.ts", `import { train } from "../train.js";`],
    ["trainer/start/engine.ts", `import { onStopping } from "../commands/train.js";`],
    ["trainer/abort.ts", `import { GymError } from "./gym/gym.js";`],
    ["trainer/elsewhere/file.ts", ""],
    ["sandboxes/pool.ts", `const errors = require("../server/errors.js");`],
    ["sandboxes/pool.ts", `new Worker(new URL("../server/worker.js", import.meta.url));`],
    ["trainer/report/metrics.ts", `const page = new URL("../../server/ui/report.html", import.meta.url);`],
    ["trainer/report/report-page.ts", `import { reportPage } from "../../server/operations/exports/report-page.js";`],
    ["elsewhere/file.ts", ""],
  ])("%s is refused: %s", (file, text) => {
    expect(breaches({ [file]: text })).toHaveLength(1);
  });

  test.each([
    ["envs/textcraft/env.ts", `import { Pcg64 } from "../shared/rng/pcg64.js"; import { tasks } from "./tasks.js";`],
    ["envs/textcraft/env.ts", `const table = new URL("./data/recipes.json", import.meta.url);`],
    ["envs/miniwob/env.ts", `import type { Sandbox } from "../../sandboxes/sandbox.js";`],
    ["envs/miniwob/env.ts", `import { type Sandbox } from "../../sandboxes/sandbox.js";`],
    ["envs/miniwob/env.ts", `import type { BrowserSession } from "../../sandboxes/browser.js";`],
    ["envs/webarena/index.ts", `import { browser } from "../shared/browser/requirement.js";`],
    ["envs/shared/browser/requirement.ts", `import { findBrowser } from "../../../sandboxes/browser/executable.js";`],
    ["server/program/handlers/setup.ts", `import { browser } from "../../../envs/shared/browser/requirement.js";`],
    ["envs/registry.ts", `const builtIn = ["./textcraft/index.js", "./sciworld/jvm/index.js"];`],
    ["server/hosts/host.ts", `new Worker(new URL("./host-thread.js", import.meta.url));`],
    ["server/episodes/gym.ts", `import { errors } from "../errors.js"; import { z } from "zod";`],
    ["server/app/app.ts", `import Fastify from "fastify"; import { Gym } from "../episodes/gym.js";`],
    ["server/program/serve.ts", `const { train } = await import("../../trainer/train.js");`],
    ["trainer/train.ts", `import { counted } from "../server/formats/counted.js";`],
    ["trainer/train.ts", `import { Engine } from "../native/api/index.js";`],
    ["native/api/model.ts", `import { misformed } from "../addon/errors.js"; import "../format/gguf.js";`],
    ["trainer/gym/gym-client.ts", `import type { paths } from "../../openapi/gym.js";`],
    ["trainer/report/report-page.ts", `const page = new URL("../../server/ui/report.html", import.meta.url);`],
    ["trainer/run/player.ts", `import type { Group } from "../rollout/trajectory.js";`],
    [
      "trainer/train.ts",
      `import { ignoreAbort } from "./abort.js"; import { RunCheckpoints } from "./run/checkpoints.js";`,
    ],
  ])("%s is allowed: %s", (file, text) => {
    expect(breaches({ [file]: text })).toEqual([]);
  });
});
