/** How the set-up speaks: what it does, how long that took, what went wrong. To stderr, since stdout is the program's. */
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Something that the person at the terminal can mend: shown as its message alone. */
export class SetupError extends Error {}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs `work` under a line that says what it is and, at the end, how long it took. */
export async function step(what, work) {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
  const stop = tick(what, seconds);
  try {
    const result = await work();
    stop(`${what}: ${seconds()} s`);
    return result;
  } catch (error) {
    stop(`${what}: failed after ${seconds()} s`);
    throw error;
  }
}

function tick(what, seconds) {
  if (!process.stderr.isTTY) {
    say(`${what} ...`);
    return say;
  }
  const draw = () => process.stderr.write(`\r${what} ... ${seconds()} s`);
  draw();
  const timer = setInterval(draw, 500);
  return (line) => {
    clearInterval(timer);
    process.stderr.write(`\r\x1b[K${line}\n`);
  };
}

/** Runs a command to its end, quietly. A failure is a result: `{ code, output }`. */
export function run(command, args, { env = {}, shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell,
      detached: hasGroups,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    const release = passSignalsTo(child);
    const end = (code, more = "") => {
      release();
      resolve({ code, output: Buffer.concat(output).toString() + more });
    };
    child.once("error", (error) => end(1, error.message));
    child.once("close", (code) => end(code === null ? 1 : code));
  });
}

// A group of its own, since npm leaves the compilers that it started behind when it is ended.
const hasGroups = process.platform !== "win32";

function passSignalsTo(child) {
  const end = (signal, number) => {
    process.kill(hasGroups ? -child.pid : child.pid, signal);
    process.exit(128 + number);
  };
  const signals = ["SIGHUP", "SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** Runs a Node program of an installed package. */
export function runPackage(script, args) {
  return run(process.execPath, [`node_modules/${script}`, ...args]);
}

export function firstLines(text, count) {
  return text.trimEnd().split("\n").slice(0, count).join("\n");
}

export function lastLines(text, count) {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}

/** Whether this module was started as a program, and not imported. */
export function isProgram(moduleUrl) {
  return Boolean(process.argv[1]) && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
}

/** Runs a whole script: what the person can mend is said in one message, anything else with its stack. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof SetupError ? `\nerror: ${error.message}` : `\n${error.stack}`);
    process.exitCode = 1;
  }
}
