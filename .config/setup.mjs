/**
 * Makes a clone ready to run: installs packages and builds dist/, unless they are up to date. With arguments it continues as the
 * `palestra` program: `node .config/setup.mjs serve --port 9000`. Commands that need the engine, such as `palestra train`, build
 * it themselves; `node .config/setup.mjs --engine` builds it in advance.
 *
 * This file and its imports need no package. They also parse on an old Node, to report that it is too old.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { buildNative } from "./build-native.mjs";
import { buildSqlite, needsBuild } from "./build-sqlite.mjs";
import { install } from "./install.mjs";
import { isProgram, main, root, SetupError } from "./step.mjs";

/**
 * @param engine whether to build the engine if there is a C++ compiler
 * @param modules whether to build what tests and tools import, too; see build.mjs
 * @returns state of the engine: `built`, `missing`, `failed`, or undefined if `engine` is false
 */
export async function setUp({ engine = false, modules = true } = {}) {
  checkNode();
  await install();
  // In parallel: SQLite is a single file, and its compilation keeps one core busy.
  const parts = await Promise.allSettled([needsBuild() && buildSqlite(), buildAll({ engine, modules })]);
  const failure = parts.find(({ status }) => status === "rejected");
  if (failure) throw failure.reason;
  return parts[1].value;
}

async function buildAll({ engine, modules }) {
  await build({ modules });
  return engine ? buildNative() : undefined;
}

/**
 * Checks the version of Node against `engines` in package.json. Palestra runs on any Node 20, but its build and test tools do not.
 *
 * @param version version of Node in the form of `process.version`
 */
export function checkNode(version = process.version) {
  const [major, minor] = version.slice(1).split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new SetupError(`expected Node 20.19 or newer (22.12 or newer of Node 22), but received ${version}`);
}

// Runs in this process, so that the server receives the signals from npm and drains.
async function becomePalestra(args) {
  const cli = join(root, "dist/server/program/cli.js");
  process.argv = [process.execPath, cli, ...args];
  await import(pathToFileURL(cli).href);
}

if (isProgram(import.meta.url)) {
  const args = process.argv.slice(2);
  main(async () => {
    if (args.length === 0) return void (await setUp());
    if (args[0] === "--engine") return void (await setUp({ engine: true }));
    await setUp({ modules: false });
    await becomePalestra(args);
  });
}
