/**
 * The package as users install it: packed, installed into an empty folder without install scripts, served, played,
 * imported and type-checked. npm takes the packages from its cache if possible.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, scratchDir } from "../support/server-process.js";

const run = promisify(execFile);
const { path: folder, remove } = scratchDir();
afterAll(remove);

const packages = join(root, "native/build-packages");
/** TypeScript examples of the page about the library. */
const examples = [...readFileSync(join(root, "openapi/library.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code = ""]) => code,
);

let offline: string | undefined;

beforeAll(async () => {
  await run(process.execPath, [join(root, ".config/pack.mjs")], { cwd: root });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const [tarball = ""] = readdirSync(packages).filter((name) => /^palestra-\d.*\.tgz$/.test(name));
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=1"];
  try {
    await run("npm", ["install", ...flags, join(packages, tarball)], { cwd: folder });
  } catch (error) {
    const { stderr } = error as { stderr: string };
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(stderr)) throw error;
    offline = "the package registry cannot be reached, and npm's cache lacks a package";
  }
}, 600_000);

function palestra(args: readonly string[]): ChildProcess {
  const program = join(folder, "node_modules/.bin/palestra");
  return spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
}

async function call<T>(url: string, body?: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(url, body && { method: "POST", headers, body: JSON.stringify(body) });
  expect(reply.status, url).toBe(200);
  return (await reply.json()) as T;
}

test("the tarballs have the files of the program, and no tests or build files", async ({ skip }) => {
  skip(offline !== undefined, offline);
  const installed = join(folder, "node_modules/palestra");
  const files = readdirSync(installed, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
  for (const needed of [
    "LICENSE",
    "README.md",
    "dist/server/program/library.d.ts",
    "dist/server/ui/index.html",
    "openapi/errors.md",
  ])
    expect(files).toContain(needed);
  for (const name of readdirSync(join(root, "envs/starter/data")))
    expect(files).toContain(`dist/envs/starter/data/${name}`);
  expect(files.filter((name) => /tsbuildinfo|(^|\/)dist\/\.|\.test\.|(^|\/)\.env/.test(name))).toEqual([]);
  expect(files.filter((name) => /^(test|native\/(build\/|core)|\.config|server\/[^d])/.test(name))).toEqual([]);
});

test("the installed program serves, an episode is played, and the studio opens", async ({ skip }) => {
  skip(offline !== undefined, offline);
  const gym = palestra(["--data-dir", join(folder, "data"), "serve", "--port", "0", "--hosts", "1"]);
  try {
    let url = "";
    for await (const line of createInterface({ input: gym.stdout as NodeJS.ReadableStream })) {
      url = /Palestra listens on (\S+)/.exec(line)?.[1] ?? "";
      if (url !== "") break;
    }
    const request = { environment: "textcraft", task: { index: 0 } };
    const { episodeId } = await call<{ episodeId: string }>(`${url}/v1/episodes`, request);
    const step = { index: 0, action: "get 1 acacia logs" };
    const { observation } = await call<{ observation: string }>(`${url}/v1/episodes/${episodeId}/step`, step);
    expect(observation).toContain("Got 1 acacia logs");
    expect(await (await fetch(`${url}/ui/`)).text()).toContain("<html");
    const flags = ["--gym", url, "--env", "babyai,sciworld,math,searchqa,sql", "--limit", "1", "--policy", "expert"];
    const evaluation = palestra(["--data-dir", join(folder, "data"), "eval", ...flags, "--out", "evaluated", "--json"]);
    evaluation.stdout?.resume();
    expect(await once(evaluation, "exit")).toEqual([0, null]);
  } finally {
    const ended = once(gym, "exit");
    gym.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  }
});

test("the examples of the library's page pass a strict type check and run", async ({ skip }) => {
  skip(offline !== undefined, offline);
  expect(examples.length).toBe(3);
  mkdirSync(join(folder, "examples"));
  const names = examples.map((code, at) => {
    const name = join(folder, `examples/example-${at}`);
    writeFileSync(`${name}.ts`, code);
    return name;
  });
  writeFileSync(
    join(folder, "examples/types.ts"),
    'import type { EnvironmentSpec } from "palestra/env";\nimport type { paths } from "palestra/gym";\n' +
      "export type Types = [EnvironmentSpec, paths];\n",
  );
  const compilerOptions = {
    ...{ strict: true, module: "nodenext", moduleResolution: "nodenext", target: "es2022", noEmit: true },
    ...{ types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  };
  writeFileSync(join(folder, "examples/tsconfig.json"), JSON.stringify({ compilerOptions }));
  const check = run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "examples"], {
    cwd: folder,
  });
  await check.catch((error: { stdout: string }) => expect(error.stdout).toBe(""));

  const outputs: string[] = [];
  for (const [at, name] of names.entries()) {
    const { outputText } = ts.transpileModule(examples[at] as string, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(`${name}.mjs`, outputText);
    outputs.push((await run(process.execPath, [`${name}.mjs`], { cwd: folder })).stdout);
  }
  expect(outputs[0]).toContain("score 1");
  expect(outputs[1]).toMatch(/the studio is at http:\/\/127\.0\.0\.1:\d+\/ui\//);
  expect(outputs[2]).toMatch(/^1 true\n1 true\n[\d.]+ \.palestra\/evaluations\/textcraft/);
});
