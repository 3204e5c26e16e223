/** The commands `palestra train`, `eval`, `export`, `ask` and `endpoint` run the trainer's program in a separate process. */
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DescribedCommand } from "../command-line.js";
import { onNpxGone } from "../npx.js";

const program = fileURLToPath(new URL("../../trainer/main.js", import.meta.url));
/** Path of the `palestra` program, with which the trainer can start its own gym. */
const gymProgram = fileURLToPath(new URL("../cli.js", import.meta.url));

const signals: readonly NodeJS.Signals[] = ["SIGHUP", "SIGINT", "SIGTERM"];

/**
 * Runs the trainer with the given arguments, forwards signals to it, and returns its exit code.
 *
 * @param dataDir data directory, where a running gym of this user stores its local token
 * @param env further variables of the program and of a gym that it starts
 */
export function runTrainer(args: readonly string[], dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env, GYM_PROGRAM: gymProgram, GYM_DATA_DIR: dataDir },
    // The trainer detects through the IPC channel that this process has exited.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // The trainer gets a process group of its own, so that a Ctrl-C in the terminal reaches it only once, through this
    // process.
    detached: true,
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  const forgetNpx = onNpxGone(() => pass("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      for (const each of signals) process.off(each, pass);
      forgetNpx();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/** Returns the trainer's commands and their options. */
export async function describeTrainer(): Promise<DescribedCommand> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, "describe"], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as DescribedCommand;
}

/**
 * Starts the trainer for the gym itself, with pipes. The trainer detects through the IPC channel that the gym has exited.
 *
 * @param env variables of the program. The gym's own variables are not passed on
 */
export function startTrainer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [program, ...args], { env, stdio: ["pipe", "pipe", "pipe", "ipc"] }) as never;
}
