/** Prints the steps of the set-up with their duration and errors. It prints to stderr, since stdout belongs to the program. */
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** An error that the user can fix. It is printed without a stack. */
export class SetupError extends Error {}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs `work` and prints a line with its name and, at the end, its duration. `work` receives a function for its progress, such as
 * "12 of 57". A terminal shows the progress on the same line; a log gets a line now and then. Several steps can run at once.
 */
export async function step(what, work) {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
  const shown = show(what, seconds);
  try {
    const result = await work(shown.progress);
    shown.end(`${what}: ${seconds()} s`);
    return result;
  } catch (error) {
    shown.end(`${what}: failed after ${seconds()} s`);
    throw error;
  }
}

function show(what, seconds) {
  return process.stderr.isTTY ? showOnTerminal(what, seconds) : showInLog(what, seconds);
}

/** Least time between two lines of progress in a log. */
const millisecondsBetweenLines = 20_000;

function showInLog(what, seconds) {
  let said = Date.now();
  say(`${what} ...`);
  const progress = (text) => {
    if (Date.now() - said < millisecondsBetweenLines) return;
    said = Date.now();
    say(`${what}: ${text}, ${seconds()} s`);
  };
  return { progress, end: say };
}

/** Running steps, which share the last line of the terminal. */
const underWay = new Set();
let timer;

function showOnTerminal(what, seconds) {
  let now = "";
  const line = () => `${what} ...${now && ` ${now},`} ${seconds()} s`;
  underWay.add(line);
  if (timer === undefined) timer = setInterval(draw, 500);
  draw();
  const progress = (text) => {
    now = text;
    draw();
  };
  const end = (last) => {
    underWay.delete(line);
    process.stderr.write(`\r\x1b[K${last}\n`);
    if (underWay.size > 0) return draw();
    clearInterval(timer);
    timer = undefined;
  };
  return { progress, end };
}

function draw() {
  const all = [...underWay].map((line) => line()).join("; ");
  process.stderr.write(`\r\x1b[K${all.slice(0, (process.stderr.columns || 80) - 1)}`);
}

/** Runs a command and returns `{ code, output }`, also if it fails. `onOutput` receives the output as it comes. */
export function run(command, args, { env = {}, shell = false, onOutput = () => {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell,
      detached: hasGroups,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = [];
    const take = (chunk) => {
      output.push(chunk);
      onOutput(chunk.toString());
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const release = passSignalsTo(child);
    const end = (code, more = "") => {
      release();
      resolve({ code, output: Buffer.concat(output).toString() + more });
    };
    child.once("error", (error) => end(1, error.message));
    child.once("close", (code) => end(code === null ? 1 : code));
  });
}

// Commands get a process group, since npm does not end its compilers when it is killed.
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

/** Runs a program of an installed package with Node. */
export function runPackage(script, args) {
  return run(process.execPath, [`node_modules/${script}`, ...args]);
}

export function firstLines(text, count) {
  return text.trimEnd().split("\n").slice(0, count).join("\n");
}

export function lastLines(text, count) {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}

/** Returns whether the module was started as a program rather than imported. */
export function isProgram(moduleUrl) {
  return Boolean(process.argv[1]) && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
}

/** Runs a script. Prints a SetupError as its message, and any other error with its stack. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof SetupError ? `\nerror: ${error.message}` : `\n${error.stack}`);
    process.exitCode = 1;
  }
}
