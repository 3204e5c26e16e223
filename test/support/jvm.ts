/** Java and the original ScienceWorld, on machines that have them. */
import { readdirSync, readFileSync } from "node:fs";
import { type TestContext, test } from "vitest";
import jvmSciworld from "#palestra/envs/sciworld/jvm/index.js";
import { jarPath } from "#palestra/envs/sciworld/jvm/jar.js";
import type { JvmRequest, Service } from "#palestra/sandboxes/sandbox.js";
import { eventually, scratchDir } from "./gym.js";

/** Temporary folder of this test file and of its processes, which identifies files that they leave behind. */
const temporary = scratchDir();
process.env.TMPDIR = temporary;

const states = await Promise.all(
  jvmSciworld.requirements.map(async ({ name, probe }) => ({ name, ...(await probe()) })),
);
const missing = states.filter(({ available }) => !available).map(({ name, detail }) => `no ${name}: ${detail}`);

/** Declares a test that runs Java processes, and skips it if a requirement is missing. */
export function testJvm(title: string, run: (context: TestContext) => void | Promise<void>, timeoutMs = 60_000): void {
  test(title, { timeout: timeoutMs }, (context) => {
    if (missing.length > 0) context.skip(`expected Java and the jar, but received ${missing.join("; ")}`);
    return run(context);
  });
}

/** Request for py4j's gateway, a Java program in the original's jar that listens on a port. */
export const gatewayRequest: JvmRequest = {
  classPath: [jarPath()],
  mainClass: "py4j.GatewayServer",
  args: ["0"],
  heapMb: 64,
  ready: /^([0-9]+)$/,
  isReusable: true,
};

export function pidOf({ id }: Pick<Service, "id">): number {
  return Number(/^jvm-([0-9]+)$/.exec(id)?.[1]);
}

/** Returns the Java processes of this test file and of the processes that it started. */
export function javaProcesses(): number[] {
  return ownProcesses().filter((pid) => !readProc(`${pid}/cmdline`).startsWith("/bin/sh"));
}

/** Waits until no process, shell or folder of this test file's sandboxes is left. */
export function nothingLeft(): Promise<void> {
  return eventually(() => ownProcesses().length === 0 && sandboxFolders().length === 0);
}

function ownProcesses(): number[] {
  const ofOurs = `-Djava.io.tmpdir=${temporary}/`;
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && readProc(`${name}/cmdline`).includes(ofOurs))
    .map(Number)
    .filter(isRunning);
}

export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(readProc(`${pid}/status`));
}

/** Returns the folders of the sandboxes of this test file's processes. */
export function sandboxFolders(): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith("palestra-jvm-"));
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}
