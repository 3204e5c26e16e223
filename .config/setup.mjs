/**
 * Makes a clone ready to run: installs packages, then builds dist/. What is up to date is left alone. With arguments
 * it goes on as the `palestra` program: `node .config/setup.mjs serve --port 9000`.
 *
 * This file and what it imports need no package, and parse on an old Node in order to say that it is too old.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { install } from "./install.mjs";
import { isProgram, main, root, SetupError } from "./step.mjs";

export async function setUp() {
  checkNode("20");
  await install();
  await build();
}

/** @param oldest `major` or `major.minor` */
export function checkNode(oldest) {
  const [major, minor = 0] = oldest.split(".").map(Number);
  const [ourMajor, ourMinor] = process.versions.node.split(".").map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return;
  throw new SetupError(`expected Node ${oldest} or newer, but received ${process.version}`);
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
