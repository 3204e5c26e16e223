/**
 * Tests that need a Docker engine. They use the engine of DOCKER_HOST or that of the machine. If neither answers and this
 * process is root, an engine without a network is started for the tests, and ended after the last one.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "vitest";
import { makeBaseImage } from "#palestra/sandboxes/docker/debian-image.js";
import { engineAddresses } from "#palestra/sandboxes/docker/endpoint.js";
import { Engine } from "#palestra/sandboxes/docker/engine.js";
import { folder, pidFile, users } from "./docker-folder.js";
import { eventually, scratchDir } from "./gym.js";

const ownAddress = `unix://${join(folder, "docker.sock")}`;

const mostStartingMs = 60_000;

/** Declares a test that needs an engine with the base image. It is skipped with a reason if there is none. */
export function testDocker(
  title: string,
  run: (address: string, context: TestContext) => Promise<void>,
  timeoutMs = 300_000,
): void {
  test(
    title,
    async (context) => {
      const address = await findEngine();
      if (typeof address !== "string") return context.skip(address.reason);
      process.env.DOCKER_HOST = address;
      await run(address, context);
    },
    timeoutMs,
  );
}

let found: Promise<string | { reason: string }> | undefined;

/** Returns the address of an engine, or the reason why there is none. */
export function findEngine(): Promise<string | { reason: string }> {
  found ??= find();
  return found;
}

async function find(): Promise<string | { reason: string }> {
  const [named] = engineAddresses();
  if (await answers(named as string)) return withImage(named as string);
  if (!existsSync("/usr/sbin/dockerd") || process.getuid?.() !== 0)
    return { reason: `expected a Docker engine at ${named}, or root and dockerd to start one, but found neither` };
  try {
    await startEngine();
  } catch (error) {
    return { reason: `expected dockerd to start, but received ${(error as Error).message}` };
  }
  return withImage(ownAddress);
}

function answers(address: string): Promise<boolean> {
  return new Engine(address).facts().then(
    () => true,
    () => false,
  );
}

async function withImage(address: string): Promise<string> {
  await makeBaseImage(new Engine(address), () => {});
  return address;
}

/** Returns whether the engine belongs to the tests, so that a test may stop it. */
export function isOwnEngine(address: string): boolean {
  return address === ownAddress;
}

/** Starts the tests' own engine, as a process that outlives the test process. */
export async function startEngine(): Promise<string> {
  mkdirSync(users, { recursive: true });
  writeFileSync(join(users, `${process.ppid}`), "");
  if (await answers(ownAddress)) return ownAddress;
  const log = openSync(join(folder, "log"), "w");
  const paths = ["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec"), "--pidfile", pidFile];
  // Without a bridge, the machine's network does not change.
  const network = ["--bridge", "none", "--iptables=false", "--ip-masq=false", "--ip-forward=false"];
  rmSync(pidFile, { force: true });
  spawn("/usr/sbin/dockerd", ["-H", ownAddress, ...paths, ...network], {
    detached: true,
    stdio: ["ignore", log, log],
  }).unref();
  await eventually(() => answers(ownAddress), mostStartingMs).catch(() => {
    throw new Error(readFileSync(join(folder, "log"), "utf8").slice(-1_000));
  });
  return ownAddress;
}

/** Returns the names of all Palestra containers at the engine, running or not. */
export function containersAt(address: string): string[] {
  return listed(address, "{{.Names}}");
}

/** Returns the owner labels of the containers of one process, one entry per container. */
export function containersOf(address: string, pid = process.pid): string[] {
  return listed(address, '{{.Label "palestra.owner"}}').filter((owner) => owner.split("/")[1] === `${pid}`);
}

function listed(address: string, format: string): string[] {
  const args = ["-H", address, "ps", "-a", "--filter", "label=palestra.sandbox", "--format", format];
  return execFileSync("docker", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}

/** Makes a folder with a Dockerfile that extends the base image. */
export function imageFolder(dockerfile: string, files: Record<string, string> = {}): string {
  const folder = scratchDir();
  writeFileSync(join(folder, "Dockerfile"), `FROM palestra-base:1\n${dockerfile}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
