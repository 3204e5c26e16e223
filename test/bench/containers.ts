/**
 * Compares our containers with the engine's own commands, in turn: starts, commands, files, and concurrent containers.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { engineAddresses } from "#palestra/sandboxes/docker/endpoint.js";
import { Engine } from "#palestra/sandboxes/docker/engine.js";
import { baseImage } from "#palestra/sandboxes/docker/images.js";
import type { Sandbox } from "#palestra/sandboxes/sandbox.js";
import { type BenchResult, median } from "./report.js";

const run = promisify(execFile);
const fileBytes = 2 ** 20;
/** The hardening of our containers, so that the engine does the same work for both. */
const flags = [
  ...["--rm", "--network", "none", "--read-only", "--init", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
  ...["--memory", "1g", "--memory-swap", "1g", "--pids-limit", "256", "--cpus", "1", "--user", "1000:1000"],
  ...["--tmpfs", "/tmp:size=256m", "--tmpfs", "/work:size=256m", "--log-driver", "none"],
];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}

export interface ContainersOptions {
  /** Number of measurements of each start. */
  rounds: number;
  /** Number of containers at once. */
  most: number;
}

export async function containers({ rounds, most }: ContainersOptions): Promise<BenchResult[]> {
  const [address = ""] = engineAddresses();
  const cold = new DockerProvider();
  const warm = new DockerProvider({ warm: 2 });
  try {
    return [
      ...(await starts(address, cold, warm, rounds)),
      ...(await commands(address, cold)),
      ...(await files(cold)),
      await alive(cold, most),
    ];
  } finally {
    await Promise.all([cold.close(), warm.close()]);
  }
}

async function starts(address: string, cold: DockerProvider, warm: DockerProvider, rounds: number) {
  const [ours, theirs, taken]: [number[], number[], number[]] = [[], [], []];
  for (const provider of [cold, warm]) await (await provider.open({})).close();
  const docker = () => run("docker", ["-H", address, "run", ...flags, baseImage, "true"]);
  const open = async (provider: DockerProvider, times: number[]) => {
    let sandbox: Sandbox | undefined;
    times.push(
      await timed(async () => {
        sandbox = await provider.open({});
        await sandbox.exec(["true"]);
      }),
    );
    await sandbox?.close();
  };
  for (let round = 0; round < rounds; round++) {
    await open(cold, ours);
    theirs.push(await timed(docker));
    await open(warm, taken);
    // Time for the next warm container to start. A trainer's episodes are longer than this.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
  const [own, peer, pooled] = [median(ours), median(theirs), median(taken)];
  return [
    { name: "warm pool to first exec, p50", value: pooled, unit: "ms", target: "< 50" },
    { name: "warm pool to first exec, p99", value: percentile(taken, 0.99), unit: "ms" },
    { name: "cold start to first exec, p50, over `docker run`", value: own, unit: "ms", baseline: peer, target: "< 1" },
  ];
}

async function commands(address: string, provider: DockerProvider): Promise<BenchResult[]> {
  const sandbox = await provider.open({});
  const [ours, theirs]: [number[], number[]] = [[], []];
  const engine = new Engine(address);
  for (let round = 0; round < 200; round++) {
    ours.push(await timed(() => sandbox.exec(["true"])));
    if (round % 5 === 0) theirs.push(await timed(() => engineExec(engine, `palestra-${sandbox.id}`)));
  }
  await sandbox.close();
  const [own, peer] = [median(ours), median(theirs)];
  return [
    { name: "exec of true, p50", value: own, unit: "ms", target: "< 10" },
    { name: "exec of true, p99", value: percentile(ours, 0.99), unit: "ms" },
    { name: "exec of true, p50, over the engine's exec", value: own, unit: "ms", baseline: peer, target: "< 0.1" },
  ];
}

/** Runs a command without an agent: creates and starts a container, reads its output and asks for the exit code. */
async function engineExec(engine: Engine, container: string): Promise<void> {
  const exec = await engine.docker
    .getContainer(container)
    .exec({ Cmd: ["true"], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({ hijack: true, stdin: false });
  stream.resume();
  await new Promise((resolve) => stream.once("close", resolve).once("end", resolve));
  const { ExitCode } = await exec.inspect();
  if (ExitCode !== 0) throw new Error(`expected exit code 0, but received ${ExitCode}`);
}

async function files(provider: DockerProvider): Promise<BenchResult[]> {
  const sandbox = await provider.open({});
  const data = Buffer.alloc(fileBytes, "palestra");
  const times: number[] = [];
  for (let round = 0; round < 50; round++) {
    const path = `file-${round % 3}`;
    let back = new Uint8Array(0);
    times.push(
      await timed(async () => {
        await sandbox.writeFile(path, data);
        back = new Uint8Array(await sandbox.readFile(path));
      }),
    );
    if (!data.equals(back)) throw new Error("expected the bytes that were written, but received others");
  }
  await sandbox.close();
  return [{ name: "file of 1 MiB, there and back, p50", value: median(times), unit: "ms" }];
}

/** Opens all containers, and then runs a command in each. */
async function alive(provider: DockerProvider, most: number): Promise<BenchResult> {
  const spec = { limits: { memoryMb: 64, diskMb: 16 } };
  const opened = await Promise.all(Array.from({ length: most }, () => provider.open(spec)));
  const answers = await Promise.all(opened.map((sandbox) => sandbox.exec("echo $$")));
  const value = answers.filter(({ exitCode }) => exitCode === 0).length;
  await Promise.all(opened.map((sandbox) => sandbox.close()));
  return { name: "containers alive and answering at once", value, unit: "containers", target: `>= ${most}` };
}
