/** Builds the engine in a clone of the repository, before the first command that needs it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onStopping } from "./abort.js";
import { TrainerError } from "./errors.js";

/** Program that builds the engine. An installed package has neither the program nor the sources. */
const builder = join(packageRoot(dirname(fileURLToPath(import.meta.url))), ".config/build-native.mjs");

function packageRoot(folder: string): string {
  const isRoot = existsSync(join(folder, "package.json")) || dirname(folder) === folder;
  return isRoot ? folder : packageRoot(dirname(folder));
}

/**
 * Builds the engine if it is missing or its sources have changed, with progress on stderr. A failed build prints its
 * reason; `Engine.create` then fails too, unless an older engine is present.
 *
 * @throws {TrainerError} BUILD_STOPPED
 */
export async function buildEngine(): Promise<void> {
  if (!existsSync(builder)) return;
  const child = spawn(process.execPath, [builder, "--needed"], { stdio: ["ignore", 2, 2] });
  let isStopped = false;
  const close = onStopping(() => {
    isStopped = true;
    // The builder forwards SIGTERM to the compilers.
    child.kill();
  });
  try {
    await once(child, "exit");
  } finally {
    close();
  }
  if (isStopped) throw new TrainerError("BUILD_STOPPED", "the build of the engine was stopped");
}
