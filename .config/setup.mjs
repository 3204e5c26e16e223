/**
 * Makes a clone ready to run: installs packages and builds dist/. What is up to date is left alone. With arguments it
 * goes on as the `palestra` program: `node .config/setup.mjs serve --port 9000`. The engine is built by the command that
 * needs it, such as `palestra train`; `node .config/setup.mjs --engine` builds it, too.
 *
 * This file and what it imports need no package, and parse on an old Node in order to say that it is too old.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { buildNative } from "./build-native.mjs";
import { install, prepareNativeModule } from "./install.mjs";
import { isProgram, main, root, SetupError } from "./step.mjs";

/**
 * @param engine whether to build the engine, where there is a C++ compiler
 * @param checkTypes whether the types have to be checked; see build.mjs
 * @returns what became of the engine: `built`, `missing` or `failed`; undefined where it was not asked for
 */
export async function setUp({ engine = false, checkTypes = true } = {}) {
  checkNode();
  await install();
  // At once: SQLite, where it has to be compiled, is one file and keeps one core busy.
  const parts = await Promise.allSettled([prepareNativeModule(), buildAll({ engine, checkTypes })]);
  const failure = parts.find(({ status }) => status === "rejected");
  if (failure) throw failure.reason;
  return parts[1].value;
}

async function buildAll({ engine, checkTypes }) {
  await build({ checkTypes });
  return engine ? buildNative() : undefined;
}

/**
 * What package.json's `engines` says. Palestra runs on any Node 20; what is installed to build and test it does not.
 *
 * @param version of Node, as `process.version` gives it
 */
export function checkNode(version = process.version) {
  const [major, minor] = version.slice(1).split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new SetupError(`expected Node 20.19 or newer (22.12 or newer of Node 22), but received ${version}`);
}

// In this process, not in a child: the server itself then gets the signals that npm passes on, and drains.
async function becomePalestra(args) {
  const cli = join(root, "dist/server/cli.js");
  process.argv = [process.execPath, cli, ...args];
  await import(pathToFileURL(cli).href);
}

if (isProgram(import.meta.url)) {
  const args = process.argv.slice(2);
  main(async () => {
    if (args.length === 0) return void (await setUp());
    if (args[0] === "--engine") return void (await setUp({ engine: true }));
    await setUp({ checkTypes: false });
    await becomePalestra(args);
  });
}
