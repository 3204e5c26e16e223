/** Costs of starting the program: CPU time of all its processes, wall time, memory and the modules that it loads. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { root, scratchDir } from "../support/server-process.js";
import { endedChildrenSeconds, treeSeconds } from "./cpu-time.js";
import { type BenchResult, median } from "./report.js";

export interface StartOptions {
  /** Folder of another built checkout, which is measured in alternation with this one. */
  before?: string;
  rounds: number;
}

interface Command {
  name: string;
  args: readonly string[];
  /** Largest CPU time in seconds. */
  target?: number;
  /**
   * Matches the output after which the command counts as started. Default: the command counts as started when it ends.
   */
  startedAt?: RegExp;
}

interface Start {
  cpuSeconds: number;
  wallMs: number;
  /** Resident memory of the command's own process: its peak, or after a second of idling for a server. */
  residentMb: number;
}

const commands: readonly Command[] = [
  { name: "help", args: ["help"], target: 0.15 },
  { name: "completion bash", args: ["completion", "bash"], target: 0.15 },
  {
    name: "serve, until it is ready",
    args: ["serve", "--port", "0", "--log-level", "warn"],
    target: 0.5,
    startedAt: /Palestra listens on/,
  },
  {
    name: "eval of one episode of textcraft",
    args: ["eval", "--gym", "spawn", "--env", "textcraft", "--split", "test", "--limit", "1", "--policy", "expert"],
  },
];

const cli = "dist/server/program/cli.js";
const preload = pathToFileURL(join(root, "test", "bench", "loaded-modules.mjs")).href;
const idleMs = 1_000;
const sampleMs = 10;

export async function start({ before, rounds }: StartOptions): Promise<BenchResult[]> {
  if (before !== undefined && !existsSync(join(before, cli)))
    throw new Error(`expected the folder of a built checkout, but received ${before}, which has no ${cli}`);
  const folders = before === undefined ? [root] : [root, before];
  const results: BenchResult[] = [];
  for (const command of commands) {
    const starts = folders.map((): Start[] => []);
    for (let round = 0; round < rounds; round++)
      for (const [at, folder] of folders.entries()) starts[at]?.push(await startOf(command, folder));
    const modules = [];
    for (const folder of folders) modules.push(await modulesOf(command, folder));
    results.push(...resultsOf(command, starts, modules));
  }
  return results;
}

function resultsOf({ name, target }: Command, starts: Start[][], modules: ModuleCounts[]): BenchResult[] {
  const result = (what: string, unit: string, values: readonly number[]): BenchResult => {
    const [value = Number.NaN, baseline] = values;
    return { name: `${name}: ${what}`, value, unit, ...(baseline !== undefined && { baseline }) };
  };
  const figure = (what: string, unit: string, read: (start: Start) => number) =>
    result(
      what,
      unit,
      starts.map((each) => median(each.map(read))),
    );
  const cpu = figure("CPU time", "s", ({ cpuSeconds }) => cpuSeconds);
  return [
    { ...cpu, ...(target !== undefined && { target: `<= ${target}`, isTargetOfValue: true }) },
    figure("wall time", "ms", ({ wallMs }) => wallMs),
    figure("resident memory", "MiB", ({ residentMb }) => residentMb),
    result(
      "modules of Palestra",
      "files",
      modules.map(({ own }) => own),
    ),
    result(
      "modules of packages",
      "files",
      modules.map(({ packages }) => packages),
    ),
  ];
}

/** Starts a command once, and ends it. */
async function startOf(command: Command, folder: string, env: NodeJS.ProcessEnv = {}): Promise<Start> {
  const data = scratchDir();
  const endedBefore = endedChildrenSeconds();
  const begunAt = performance.now();
  // A new data directory makes each start a first start.
  const child = spawn(process.execPath, [join(folder, cli), "--data-dir", data.path, ...command.args], {
    cwd: data.path,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = child.pid as number;
  const exited = once(child, "exit");
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMb(pid, "VmHWM"));
  }, sampleMs);
  try {
    const hasStarted = command.startedAt && outputWith(child.stdout, command.startedAt);
    if (!hasStarted) child.stdout.resume();
    await Promise.race([exited, ...(hasStarted ? [hasStarted] : [])]);
    const wallMs = performance.now() - begunAt;
    if (!hasStarted) return { cpuSeconds: endedChildrenSeconds() - endedBefore, wallMs, residentMb: peak };
    const cpuSeconds = treeSeconds(pid);
    await sleep(idleMs);
    return { cpuSeconds, wallMs, residentMb: residentMb(pid, "VmRSS") };
  } finally {
    clearInterval(sampling);
    child.kill("SIGTERM");
    const [code] = await exited;
    data.remove();
    if (code !== 0) process.stderr.write(`palestra ${command.args.join(" ")} ended with ${code}\n`);
  }
}

function outputWith(output: NodeJS.ReadableStream, pattern: RegExp): Promise<void> {
  let text = "";
  return new Promise((resolve) => {
    output.on("data", (data: Buffer) => {
      text += data;
      if (pattern.test(text)) resolve();
    });
  });
}

function residentMb(pid: number, field: "VmHWM" | "VmRSS"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

interface ModuleCounts {
  own: number;
  packages: number;
}

/** Counts the module files that the processes of a command load, in a start that is not timed. */
async function modulesOf(command: Command, folder: string): Promise<ModuleCounts> {
  const list = scratchDir();
  try {
    const file = join(list.path, "modules");
    await startOf(command, folder, { NODE_OPTIONS: `--import ${preload}`, BENCH_LOADED_MODULES: file });
    const loaded = [...new Set(readFileSync(file, "utf8").trimEnd().split("\n"))].filter(
      (line) => !line.endsWith("loaded-modules.mjs"),
    );
    const packages = loaded.filter((line) => line.includes("/node_modules/")).length;
    return { own: loaded.length - packages, packages };
  } finally {
    list.remove();
  }
}
