/**
 * Makes a clone ready to run: installs packages, builds dist/, and the engine where there is a C++ compiler. What is up
 * to date is left alone. With arguments it goes on as the `palestra` program: `node .config/setup.mjs serve --port 9000`.
 *
 * This file and what it imports need no package, and parse on an old Node in order to say that it is too old.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { buildNative } from "./build-native.mjs";
import { install } from "./install.mjs";
import { isProgram, main, root, SetupError } from "./step.mjs";

/** @returns what became of the engine, without which the gym runs as well: `built`, `missing` or `failed` */
export async function setUp() {
  checkNode();
  await install();
  await build();
  return buildNative();
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
    await setUp();
    if (args.length > 0) await becomePalestra(args);
  });
}
