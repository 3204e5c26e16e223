/**
 * `npm run pack`: makes the files of a release in native/build-packages/: `palestra`, the wheel of the Python package, and a
 * package with the engine for this platform if it is built. `npm pack` runs this program with `--prepare`, which makes dist/ complete.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { build } from "./build.mjs";
import { buildSqlite } from "./build-sqlite.mjs";
import { isProgram, main, root, run, runPackage, SetupError, say, step } from "./step.mjs";

const output = join(root, "native/build-packages");
const engine = join(root, "native/build");
const platform = `${process.platform}-${process.arch}`;
/** Declarations that users of the package import. */
const declared = ["dist/server/program/library.d.ts", "dist/envs/env.d.ts"];

/** Makes dist/ complete: compiled sources, the studio, SQLite for Node 20 and the declarations of the library. */
async function prepare() {
  await build();
  await buildSqlite();
  await step("Writing declarations", writeDeclarations);
}

async function writeDeclarations() {
  const folder = mkdtempSync(join(tmpdir(), "palestra-types-"));
  try {
    const options = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--noCheck", "--outDir", folder];
    const args = ["-p", "tsconfig.json", ...options];
    const { code, output: said } = await runPackage("typescript/bin/tsc", args);
    if (code !== 0) throw new SetupError(`The declarations cannot be written. tsc reports:\n${said}`);
    const types = (file) => join(folder, relative("dist", file));
    // The declarations of everything else would only make the package larger.
    for (const file of reachable(declared, types)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      copyFileSync(types(file), join(root, file));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the declarations that the given ones import, and these. Paths are relative to the root. */
function reachable(files, types) {
  const found = new Set();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(types(file), "utf8");
    for (const [, path] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g)) {
      const target = join(dirname(file), `${path}.d.ts`);
      // A declaration that is written by hand is not emitted again.
      if (!existsSync(types(target))) {
        mkdirSync(dirname(types(target)), { recursive: true });
        copyFileSync(join(root, relative("dist", target)), types(target));
      }
      waiting.push(target);
    }
  }
  return found;
}

async function packAll() {
  await prepare();
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  await pack(root);
  await packWheel();
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (!existsSync(join(engine, "palestra.node"))) {
    return say("The engine is not built, so it gets no package. To build it: npm run build:native");
  }
  const [os, cpu] = platform.split("-");
  const common = { version, license, os: [os], cpu: [cpu], ...(os === "linux" && { libc: ["glibc"] }) };
  await packFolder(`engine-${platform}`, common, "The engine of Palestra", (folder) => {
    for (const name of ["palestra.node", libraryName()]) copyFileSync(join(engine, name), join(folder, name));
  });
  if (!existsSync(join(engine, "kernels/cuda-version"))) {
    return say("The kernels for CUDA are not built, so they get no package. To build them, install nvcc");
  }
  await packFolder(`engine-${platform}-cuda`, common, "CUDA kernels of Palestra's engine", (folder) => {
    cpSync(join(engine, "kernels"), join(folder, "kernels"), {
      recursive: true,
      filter: (path) => !/\.ptxas$/.test(path),
    });
  });
}

async function packWheel() {
  const args = [
    "-m",
    "pip",
    "wheel",
    "--quiet",
    "--retries=1",
    "--no-deps",
    "--wheel-dir",
    output,
    join(root, "openapi/python"),
  ];
  const { code, output: said } = await run("python3", args);
  if (code !== 0) return say(`The wheel of the Python package is not built, which needs Python 3 with pip:\n${said}`);
  say(
    join(
      relative(root, output),
      readdirSync(output).find((name) => name.endsWith(".whl")),
    ),
  );
}

function libraryName() {
  return process.platform === "darwin" ? "libpalestra.dylib" : "libpalestra.so";
}

async function packFolder(name, common, description, fill) {
  const folder = mkdtempSync(join(tmpdir(), "palestra-pack-"));
  try {
    const about = { name: `@palestra/${name}`, description: `${description}, for ${platform}`, ...common };
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(about, null, 2)}\n`);
    copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
    fill(folder);
    await pack(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pack(folder) {
  const args = ["pack", folder, "--ignore-scripts", "--pack-destination", output, "--loglevel=error"];
  const { code, output: said } = await run("npm", args, { shell: process.platform === "win32" });
  if (code !== 0) throw new SetupError(`npm could not pack ${folder}:\n${said}`);
  say(join(relative(root, output), said.trim().split("\n").at(-1)));
}

if (isProgram(import.meta.url)) main(process.argv[2] === "--prepare" ? prepare : packAll);
