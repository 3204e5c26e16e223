/** Builds of dist/ in a project with a program, a thread that it starts, and a part that it loads on demand. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/server-process.js";
import { scratch } from "./support/serving.js";

const sources = {
  "server/program/cli.ts": `import { Worker } from "node:worker_threads";
import { fail } from "../log/fail.js";
if (process.argv[2] === "thread") new Worker(new URL("../log/thread.js", import.meta.url));
else if (process.argv[2] === "completion") console.log("{}");
else if (process.argv[2] === "late") console.log((await import("../late.js")).late);
else fail();
`,
  "server/log/fail.ts": `
export function fail(): never {
  throw new Error("on purpose");
}
`,
  "server/log/thread.ts": `import { readFileSync } from "node:fs";
const facts: string = readFileSync(new URL("../../envs/maze/data/facts.txt", import.meta.url), "utf8");
console.log(facts);
`,
  "server/late.ts": 'export const late = "loaded late";\n',
  "envs/maze/data/facts.txt": "a fact",
};

function project(): { folder: string; write(files: Record<string, string>): void; build(): string } {
  const folder = scratch();
  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  write(sources);
  mkdirSync(join(folder, ".config"));
  for (const name of ["step", "build", "bundle", "stack-traces"])
    copyFileSync(join(root, `.config/${name}.mjs`), join(folder, `.config/${name}.mjs`));
  for (const name of ["package.json", "package-lock.json", "tsconfig.json"])
    copyFileSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const program = `import { build } from "./.config/build.mjs"; console.log(await build({ modules: true }));`;
  const build = () =>
    execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  return { folder, write, build };
}

function run(folder: string, ...args: string[]) {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, "dist/server/program/cli.js"), ...args], {
    encoding: "utf8",
  });
  return { stdout, stderr };
}

test("programs, threads and modules loaded on demand run from dist/ and find their data there", () => {
  const { folder, build } = project();
  expect(build()).toBe("true");
  expect(run(folder, "thread").stdout).toBe("a fact\n");
  expect(run(folder, "late").stdout).toBe("loaded late\n");
});

test("stack traces name the source", () => {
  const { folder, build } = project();
  build();
  expect(run(folder).stderr).toContain(`Error: on purpose\n    at fail (${join(folder, "server/log/fail.ts")}:3)`);
  rmSync(join(folder, "dist/server/program/cli.js.map"));
  expect(run(folder).stderr).toMatch(
    /Error: on purpose\n {4}at fail \(file:.*\/dist\/server\/program\/cli\.js:\d+:\d+\)/,
  );
});

test("tests import each source as a module, and a module starts the programs of dist/", () => {
  const { folder, build } = project();
  build();
  const script = `console.log((await import("./dist/.modules/server/late.js")).late);
await import("./dist/.modules/server/log/thread.js");`;
  const args = ["--input-type=module", "-e", script];
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" })).toBe("loaded late\na fact\n");
});

test("dist/ is built again if a source, a data file or an output changes, and only then", () => {
  const { folder, write, build } = project();
  build();
  expect(build()).toBe("false");
  write({ "server/late.ts": 'export const late = "changed";\n' });
  expect(build()).toBe("true");
  expect(run(folder, "late").stdout).toBe("changed\n");
  write({ "envs/maze/data/facts.txt": "another fact" });
  expect(build()).toBe("true");
  expect(run(folder, "thread").stdout).toBe("another fact\n");
  utimesSync(join(folder, "tsconfig.json"), 0, 0);
  expect(build()).toBe("true");
  rmSync(join(folder, "dist/server/log/thread.js"));
  expect(build()).toBe("true");
  expect(build()).toBe("false");
});

test("outputs of removed sources and of an earlier form of dist/ are removed", () => {
  const { folder, write, build } = project();
  write({ "dist/trainer/gone.js": "", "server/gone.ts": "export const gone = 1;\n" });
  build();
  expect(existsSync(join(folder, "dist/.modules/server/gone.js"))).toBe(true);
  rmSync(join(folder, "server/gone.ts"));
  write({ "server/late.ts": 'export const late = "another chunk";\n' });
  build();
  const files = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => /gone|trainer\/gone/.test(name))).toEqual([]);
  expect(files.filter((name) => /chunks\/late-.*\.js$/.test(name))).toHaveLength(1);
});

test("the build names a source that cannot be parsed, and dist/ is out of date until the source is corrected", () => {
  const { write, build } = project();
  build();
  write({ "server/late.ts": "export const late = ;\n" });
  expect(build).toThrow(/The sources cannot be (bundled|compiled)[\s\S]*late\.ts/);
  expect(build).toThrow();
  write({ "server/late.ts": 'export const late = "mended";\n' });
  expect(build()).toBe("true");
});
