/**
 * The image of .config/docker, built from the files of the checkout, with the restrictions of the compose file. The containers have
 * no network, so that the calls of the gym are made inside of them.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { isOwnEngine, testDocker } from "../support/docker.js";
import { makeNodeImage, noNode } from "../support/docker-node.js";
import { eventually } from "../support/gym.js";
import { root } from "../support/server-process.js";

interface Service {
  init: boolean;
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
  pids_limit: number;
  ports: string[];
  volumes: string[];
  environment: Record<string, string>;
}

const text = readFileSync(join(root, ".config/docker/compose.yaml"), "utf8");
const service = (parse(text) as { services: { gym: Service } }).services.gym;

test("the compose file publishes the gym to this machine only, and keeps its data in a volume", () => {
  expect(service.ports).toEqual(["127.0.0.1:8700:8700"]);
  expect(service.volumes).toEqual(["data:/data"]);
  expect([service.init, service.read_only]).toEqual([true, true]);
});

/** Options of `docker run` with the restrictions of the compose file. */
function restrictions(): string[] {
  return [
    ...["--init", "--read-only", "--pids-limit", `${service.pids_limit}`],
    ...service.tmpfs.flatMap((mount) => ["--tmpfs", mount]),
    ...service.cap_drop.flatMap((name) => ["--cap-drop", name]),
    ...service.security_opt.flatMap((option) => ["--security-opt", option]),
    ...Object.entries(service.environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
  ];
}

/** A container of the image, with its volume. */
class Container {
  readonly name = `palestra-image-${randomUUID().slice(0, 8)}`;

  constructor(
    private readonly address: string,
    private readonly image: string,
  ) {
    this.run(["--detach", "--name", this.name]);
  }

  /** Runs a command of the image with the volume, by default the gym. */
  run(options: string[], ...command: string[]): string {
    const volume = ["--volume", `${this.name}:/data`, "--network", "none"];
    return this.docker("run", ...options, ...restrictions(), ...volume, this.image, ...command);
  }

  docker(...args: string[]): string {
    return execFileSync("docker", ["-H", this.address, ...args], { encoding: "utf8" }).trim();
  }

  inspect(format: string): string {
    return this.docker("inspect", "--format", format, this.name);
  }

  async exec(...command: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("docker", ["-H", this.address, "exec", this.name, ...command]);
    return stdout.trim();
  }

  /** Calls the gym inside of the container. @returns status and body */
  async call(method: string, path: string, body?: object, token?: string): Promise<{ status: number; body: Reply }> {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), "content-type": "application/json" };
    const given = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const program = `fetch("http://127.0.0.1:8700${path}", ${JSON.stringify(given)}).then(async (reply) =>
      console.log(JSON.stringify({ status: reply.status, body: await reply.json() })))`;
    return JSON.parse(await this.exec("node", "-e", program)) as { status: number; body: Reply };
  }

  async healthy(): Promise<void> {
    await eventually(() => this.inspect("{{.State.Health.Status}}") === "healthy");
  }

  remove(): void {
    this.docker("rm", "--force", "--volumes", this.name);
    this.docker("volume", "rm", "--force", this.name);
  }
}

interface Reply {
  episodeId: string;
  observation: string;
  index: number;
  error?: { code: string };
}

/** The SQLite addon for Node 20, which the build of the checkout compiles. */
const sqlite = "native/build-sqlite";

/** Builds the image from the files in Git, so that the image does not contain the checkout's build. */
async function build(address: string): Promise<string> {
  removeOldLayers(address);
  const tag = `palestra-image-test:${createHash("sha256").update(root).digest("hex").slice(0, 12)}`;
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
  const files = listed.split("\0").filter((path) => path !== "" && !path.startsWith("test/"));
  // On Node 20, the image reuses the compiled SQLite.
  if (existsSync(join(root, sqlite))) files.push(sqlite);
  const tar = spawn("tar", ["-c", "--null", "-T", "-"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  tar.stdin.end(files.join("\0"));
  const options = ["--network", "host", "--target", "gym", "--build-arg", `NODE_IMAGE=${makeNodeImage(address)}`];
  const args = ["-H", address, "build", "--file", ".config/docker/Dockerfile", ...options, "--tag", tag, "-"];
  const docker = spawn("docker", args, { stdio: [tar.stdout, "pipe", "pipe"] });
  let output = "";
  for (const stream of [docker.stdout, docker.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => docker.once("close", resolve));
  if (code !== 0) throw new Error(`expected the image to be built, but received ${output.slice(-3_000)}`);
  return tag;
}

/**
 * Removes images and containers of earlier runs from the tests' own engine. Layers of the last day stay, for a faster
 * build.
 */
function removeOldLayers(address: string): void {
  const args = ["-H", address, "image", "prune", "--force", "--filter", "until=24h"];
  if (isOwnEngine(address)) execFileSync("docker", args, { stdio: "ignore" });
}

let started: Promise<Container> | undefined;

/** Returns the gym of all tests, with a token. */
async function gym(address: string): Promise<Container> {
  started ??= build(address).then((image) => new Container(address, image));
  const container = await started;
  await container.healthy();
  return container;
}

afterAll(async () => {
  const container = await started?.catch(() => undefined);
  container?.remove();
});

const action = "inventory";
const opening = { environment: "textcraft", task: { split: "train", index: 7 } };
const limitMs = 600_000;

/** Declares a test of the image at an engine. */
function testImage(title: string, run: (container: Container) => Promise<void>): void {
  testDocker(
    title,
    async (address, context) => {
      if (noNode) return context.skip(noNode);
      if (!existsSync(join(root, ".git"))) return context.skip("expected a checkout of Git, whose files the image has");
      await run(await gym(address));
    },
    limitMs,
  );
}

testImage("the gym becomes healthy, and runs as a user without rights on a read-only root", async (container) => {
  expect(await container.exec("id", "-un")).toBe("palestra");
  expect(await container.exec("sh", "-c", "stat -c %U /proc/[0-9]* | sort -u")).toBe("palestra");
  await expect(container.exec("touch", "/app/file")).rejects.toThrow("Read-only file system");
  expect(await container.exec("sh", "-c", "stat -c %a /data")).toBe("700");
  expect(await container.exec("grep", "CapEff", "/proc/self/status")).toMatch(/\b0{16}$/);
});

testImage(
  "callers need a token; an episode survives a restart, and SIGTERM ends the gym without an error",
  async (container) => {
    expect(await container.call("POST", "/v1/episodes", opening)).toMatchObject({ status: 401 });
    const token = await container.exec("palestra", "token", "create", "--name", "ada");
    await eventually(async () => (await container.call("GET", "/v1/usage", undefined, token)).status === 200);
    const { body: opened } = await container.call("POST", "/v1/episodes", opening, token);
    const step = (index: number) =>
      container.call("POST", `/v1/episodes/${opened.episodeId}/step`, { index, action }, token);
    const first = await step(0);
    expect(first).toMatchObject({ status: 200, body: { observation: expect.stringContaining("Inventory") } });

    container.docker("stop", "--time", "30", container.name);
    expect(container.inspect("{{.State.ExitCode}} {{.State.OOMKilled}}")).toBe("0 false");
    expect(container.run(["--rm"], "log", "verify")).toContain("The log is intact");
    container.docker("start", container.name);
    await container.healthy();
    expect(await step(0)).toEqual(first);
    expect(await step(1)).toMatchObject({ status: 200 });
  },
);
