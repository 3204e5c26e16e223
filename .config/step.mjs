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

/**
 * Runs `work` under a line that says what it is and, at the end, how long it took. `work` receives a function that
 * takes how far it is, such as "12 of 57". A terminal shows that on the one line; elsewhere a line is printed now and
 * then. Several steps may run at once.
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

/** Without a terminal, progress is a line at most every so often. */
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

/** Steps under way, which share the last line of the terminal. */
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

/** Runs a command to its end, quietly; `onOutput` gets its text as it comes. A failure is a result: `{ code, output }`. */
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
