/**
 * Makes the base image of sandboxes: Debian 12 with a shell's usual programs, Python and what small tasks need. Where this
 * machine has mmdebstrap the root file system is made by it, without a registry; elsewhere the engine builds the image
 * on top of `debian:bookworm-slim`.
 */
import { spawn } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { SandboxError } from "../sandbox.js";
import type { Engine } from "./engine.js";
import { baseImage, baseName, Images } from "./images.js";

const suite = "bookworm";
const packages = [
  ...["bash", "coreutils", "findutils", "grep", "sed", "gawk", "diffutils", "patch", "less", "file", "procps"],
  ...["ca-certificates", "curl", "git", "jq", "xz-utils", "zip", "unzip", "bsdextrautils", "iproute2"],
  ...["python3", "sqlite3", "make", "gcc", "libc6-dev", "poppler-utils"],
];
const userLine = "sandbox:x:1000:1000::/work:/bin/bash";
const groupLine = "sandbox:x:1000:";
const mostMakingMs = 1_800_000;
const mostErrorText = 2_000;

/** @param fraction of the whole, from 0 to 1 @param doing what is done now, in a few words */
export type OnProgress = (fraction: number, doing: string) => void;

/** What mmdebstrap says on its way, and how much of the whole is done by then. */
const stages: readonly [pattern: RegExp, fraction: number, doing: string][] = [
  [/running apt-get update/, 0.02, "package lists"],
  [/downloading packages/, 0.1, "packages"],
  [/extracting archives/, 0.25, "first packages"],
  [/installing essential/, 0.3, "essential packages"],
  [/installing remaining/, 0.45, "other packages"],
  [/cleaning package lists/, 0.75, "cleaning"],
  [/creating tarball/, 0.8, "archive"],
];

/**
 * @param from an archive (tar) of a root file system to take in its place
 * @returns what was done, in one line
 * @throws {SandboxError} MISSING, START, TIMEOUT, REFUSED
 */
export async function makeBaseImage(engine: Engine, onProgress: OnProgress, from?: string): Promise<string> {
  await engine.facts();
  if (from === undefined && (await new Images(engine, false).has(baseImage)))
    return `${baseImage} is at ${engine.address} already; remove it there to make it again`;
  if (from !== undefined) {
    await importRoot(engine, from, onProgress);
    return `${from} is now ${baseImage} at ${engine.address}`;
  }
  if (has("mmdebstrap")) {
    await bootstrap(engine, onProgress);
    return `${baseImage} at ${engine.address} is Debian 12, made by mmdebstrap`;
  }
  await buildOnPublished(engine, onProgress);
  return `${baseImage} at ${engine.address} is built on debian:${suite}-slim`;
}

async function bootstrap(engine: Engine, onProgress: OnProgress): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "palestra-base-"));
  try {
    const archive = join(folder, "root.tar");
    await runMmdebstrap(archive, onProgress);
    await importRoot(engine, archive, onProgress);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws {SandboxError} START, TIMEOUT */
function runMmdebstrap(archive: string, onProgress: OnProgress): Promise<void> {
  const without = ["man", "doc", "locale", "info", "lintian"].map((name) => `path-exclude=/usr/share/${name}/*`);
  const args = [
    "--variant=apt",
    `--include=${packages.join(",")}`,
    ...without.map((line) => `--dpkgopt=${line}`),
    `--customize-hook=echo '${userLine}' >> "$1/etc/passwd"; echo '${groupLine}' >> "$1/etc/group"`,
    '--customize-hook=mkdir -p "$1/work" && chown 1000:1000 "$1/work"',
    ...[suite, archive],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn("mmdebstrap", args, { stdio: ["ignore", "ignore", "pipe"], timeout: mostMakingMs });
    let said = "";
    child.stderr.on("data", (bytes: Buffer) => {
      said = (said + bytes).slice(-mostErrorText);
      const reached = stages.findLast(([pattern]) => pattern.test(said));
      if (reached) onProgress(reached[1], reached[2]);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = said.trim().split("\n").slice(-5).join("; ");
      if (code === 0) resolve();
      else reject(new SandboxError("START", "mmdebstrap to make a root file system", lines || `exit code ${code}`));
    });
  });
}

async function importRoot(engine: Engine, archive: string, onProgress: OnProgress): Promise<void> {
  onProgress(0.85, "import");
  const file = createReadStream(archive);
  await engine.call(
    "to import an archive",
    async () => {
      const stream = await engine.docker.importImage(file as never, baseName as never);
      await ended(stream as unknown as NodeJS.ReadableStream);
    },
    mostMakingMs,
  );
  onProgress(1, "done");
}

/** @throws {Error} the engine's own, where the stream tells one */
async function ended(stream: NodeJS.ReadableStream): Promise<void> {
  let said = "";
  for await (const bytes of stream) said = (said + bytes).slice(-mostErrorText);
  const error = /"error":"([^"]*)"/.exec(said)?.[1];
  if (error) throw new SandboxError("START", "the engine to take the archive", error);
}

async function buildOnPublished(engine: Engine, onProgress: OnProgress): Promise<void> {
  onProgress(0.1, `debian:${suite}-slim and packages`);
  const folder = await mkdtemp(join(tmpdir(), "palestra-base-"));
  try {
    await writeFile(join(folder, "Dockerfile"), dockerfile);
    const { id } = await new Images(engine, true).find({ folder, timeoutMs: mostMakingMs });
    await engine.call("to name an image", () => engine.docker.getImage(id).tag(baseName));
  } catch (error) {
    if ((error as SandboxError).code !== "REFUSED") throw error;
    const advice =
      "Install mmdebstrap (`apt-get install mmdebstrap`), or name an archive of a root file system: `palestra setup images root.tar`";
    throw new SandboxError("REFUSED", `debian:${suite}-slim from a registry`, (error as SandboxError).received, advice);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const dockerfile = `FROM debian:${suite}-slim
RUN apt-get update && apt-get install -y --no-install-recommends ${packages.join(" ")} && rm -rf /var/lib/apt/lists/*
RUN echo '${userLine}' >> /etc/passwd && echo '${groupLine}' >> /etc/group && mkdir -p /work && chown 1000:1000 /work
`;

function has(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, program)));
}
