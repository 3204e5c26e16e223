/**
 * Installs the packages of package-lock.json, and prepares the only native module. better-sqlite3 is downloaded as a binary
 * if there is one for this machine, and is compiled otherwise.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compilers, howToGet, missingTools } from "./build-tools.mjs";
import { firstLines, lastLines, root, run, SetupError, step } from "./step.mjs";

const require = createRequire(import.meta.url);

/** Installs the packages, without the native module. */
export async function install() {
  if (!isInstalled()) await installPackages();
}

export async function prepareNativeModule() {
  if (!nativeModuleWorks()) await buildNativeModule();
}

function isInstalled() {
  const present = lockedPackages("node_modules/.package-lock.json");
  return Object.entries(lockedPackages("package-lock.json")).every(
    ([path, { version, optional }]) => path === "" || optional || (present[path] && present[path].version === version),
  );
}

function lockedPackages(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}

async function installPackages() {
  // buildNativeModule runs the install script, so that a failed download and a failed compilation can be told apart.
  const { code, output } = await step("Installing packages", () => npm(["ci", "--include=dev", "--ignore-scripts"]));
  if (code !== 0) throw new SetupError(`npm could not install the packages:\n${firstLines(output, 15)}`);
}

function nativeModuleWorks() {
  try {
    const Database = require("better-sqlite3");
    new Database(":memory:").close();
    return true;
  } catch {
    return false;
  }
}

async function buildNativeModule() {
  const { output } = await step("Preparing better-sqlite3, a minute where it has to be compiled", () =>
    npm(["rebuild", "better-sqlite3", "--ignore-scripts=false", "--foreground-scripts"], {
      JOBS: "max",
      // SQLite is one large file. -O2 compiles in two thirds of the time of better-sqlite3's -O3.
      CFLAGS: `-O2 ${process.env.CFLAGS || ""}`,
      ...localNodeHeaders(),
    }),
  );
  if (!nativeModuleWorks()) throw new SetupError(explainNativeFailure(output));
}

/** Lets node-gyp use the headers of this Node's installation instead of downloading them. */
function localNodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  const header = join(prefix, "include/node/node_version.h");
  if (process.env.npm_config_nodedir || !existsSync(header)) return {};
  const abi = /#define NODE_MODULE_VERSION (\d+)/.exec(readFileSync(header, "utf8"));
  return abi && abi[1] === process.versions.modules ? { npm_config_nodedir: prefix } : {};
}

function explainNativeFailure(output) {
  const absent = missing();
  const found = absent.length === 0 ? "an error" : `no ${absent.join(", no ")}`;
  const advice = absent.length === 0 ? "" : `\nInstall what is missing, for instance: ${howToGetTools()}`;
  return `${lastLines(output, 30)}\n\nexpected to compile better-sqlite3, but found ${found}${advice}`;
}

function missing() {
  if (process.platform === "win32") return [];
  return missingTools({
    python3: [process.env.PYTHON, "python3", "python"],
    make: [process.env.MAKE, "make"],
    "C++ compiler": compilers,
  });
}

function howToGetTools() {
  if (process.platform === "darwin") return "xcode-select --install";
  return howToGet({
    "apt-get": "apt-get install python3 make g++",
    dnf: "dnf install python3 make gcc-c++",
    apk: "apk add python3 make g++",
    pacman: "pacman -S python make gcc",
  });
}

function npm(args, env) {
  const options = [...args, "--loglevel=error", "--no-audit", "--no-fund"];
  const running = process.env.npm_execpath;
  if (running?.endsWith("npm-cli.js")) return run(process.execPath, [running, ...options], { env });
  return run("npm", options, { env, shell: process.platform === "win32" });
}
