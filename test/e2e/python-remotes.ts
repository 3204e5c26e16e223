/** Python programs that tests mount, if a Python with their packages exists. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { root } from "../support/server-process.js";
import { eventually } from "../support/watching.js";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");
/** Interpreters with Gymnasium and with OpenEnv's servers, which .ci/run installs. */
export const gymnasiumPython = process.env.GYMNASIUM_PYTHON ?? join(cache, "gymnasium-1.4.0/bin/python");
export const openenvPython = process.env.OPENENV_PYTHON ?? join(cache, "openenv-0.10.0/bin/python");
export const hasGymnasium = existsSync(gymnasiumPython);
export const hasOpenenv = existsSync(openenvPython);

/** Serves a guessing game with OpenEnv's own server. */
export function serveGuesses(port: number): ChildProcess {
  return spawn(openenvPython, [join(root, "test/e2e/mounted_server.py"), "guess", `${port}`], { stdio: "ignore" });
}

/** Waits until an OpenEnv server answers. */
export async function listens(port: number): Promise<void> {
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/health`)
        .then((reply) => reply.ok)
        .catch(() => false),
    (isThere) => isThere,
    240_000,
  );
}
