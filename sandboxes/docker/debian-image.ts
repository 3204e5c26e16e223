/**
 * Makes images of Debian 12 with additional packages. If this machine has mmdebstrap, mmdebstrap makes the root file
 * system without a registry. Otherwise the engine builds the image on `debian:bookworm-slim`.
 */
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../programs.js";
import { SandboxError } from "../sandbox.js";
import type { Engine } from "./engine.js";
import { base, desktop, Images, type MadeImage, nameOf } from "./images.js";

/** Name and contents of an image. */
interface DebianImage extends MadeImage {
  /** Packages to install, without their recommended packages. */
  packages: readonly string[];
  /** Shell patterns of files to leave out of the packages. */
  without?: readonly string[];
}

/** Debian 12 with common shell programs, Python and tools for small tasks. */
const baseImage: DebianImage = {
  ...base,
  packages: [
    ...["bash", "coreutils", "findutils", "grep", "sed", "gawk", "diffutils", "patch", "less", "file", "procps"],
    ...[
      "ca-certificates",
      "netbase",
      "tzdata",
      "curl",
      "git",
      "jq",
      "xz-utils",
      "zip",
      "unzip",
      "bsdextrautils",
      "iproute2",
    ],
    ...["python3", "sqlite3", "make", "gcc", "libc6-dev", "poppler-utils"],
  ],
};

/**
 * Debian 12 with an X server that draws into memory, a window manager, a file manager with a text editor (xfe), a calculator
 * and a terminal. The download is about 136 MB, and the image 345 MB.
 */
const desktopImage: DebianImage = {
  ...desktop,
  packages: [
    ...["bash", "coreutils", "procps", "python3-minimal", "libpython3-stdlib"],
    ...["xvfb", "x11-xkb-utils", "xkb-data", "openbox", "xdotool", "libx11-6"],
    ...["xfe", "x11-apps", "xterm", "fonts-dejavu-core"],
  ],
  // Graphics drivers and printer fonts, which are two thirds of the size that the packages would have.
  without: ["/usr/lib/*/libLLVM*", "/usr/lib/*/dri/*", "/usr/lib/*/libz3*", "/usr/share/fonts/*/urw-base35/*"],
};

const suite = "bookworm";
const withoutAlways = ["man", "doc", "locale", "info", "lintian"].map((name) => `/usr/share/${name}/*`);
const userLine = "sandbox:x:1000:1000::/work:/bin/bash";
const groupLine = "sandbox:x:1000:";
const mostMakingMs = 1_800_000;
const mostErrorText = 2_000;

/** Receives the progress of a task. @param fraction finished part, from 0 to 1 @param doing the current step, in a few words */
export type OnProgress = (fraction: number, doing: string) => void;

/**
 * Steps of mmdebstrap. Steps of mmdebstrap. Each step has the pattern of the line that announces it, and the fraction
 * done at that point.
 */
const stages: readonly [pattern: RegExp, fraction: number, doing: string][] = [
  [/running apt-get update/, 0.02, "package lists"],
  [/downloading packages/, 0.1, "packages"],
  [/extracting archives/, 0.25, "first packages"],
  [/installing essential/, 0.3, "essential packages"],
  [/installing remaining/, 0.45, "other packages"],
  [/cleaning package lists/, 0.75, "cleaning"],
  [/creating tarball/, 0.8, "archive"],
];

/** Makes the base image of sandboxes, as `makeDebianImage` does. */
export function makeBaseImage(engine: Engine, onProgress: OnProgress, from?: string): Promise<string> {
  return makeDebianImage(baseImage, engine, onProgress, from);
}

/** Makes the image of a desktop, as `makeDebianImage` does. */
export function makeDesktopImage(engine: Engine, onProgress: OnProgress, from?: string): Promise<string> {
  return makeDebianImage(desktopImage, engine, onProgress, from);
}

/**
 * Makes an image, unless the engine has it.
 *
 * @param from path of an archive (tar) of a root file system to import instead
 * @returns a line for the user that describes the result
 * @throws {SandboxError} MISSING, START, TIMEOUT, REFUSED
 */
async function makeDebianImage(
  image: DebianImage,
  engine: Engine,
  onProgress: OnProgress,
  from?: string,
): Promise<string> {
  const name = nameOf(image);
  await engine.facts();
  if (from === undefined && (await new Images(engine, false).has(name)))
    return `${name} is at ${engine.address} already; remove it there to make it again`;
  if (from !== undefined) {
    await importRoot(image, engine, from, onProgress);
    return `${from} is now ${name} at ${engine.address}`;
  }
  if ((await findProgram("mmdebstrap", process.env.PATH ?? "")) !== undefined) {
    await bootstrap(image, engine, onProgress);
    return `${name} at ${engine.address} is Debian 12, made by mmdebstrap`;
  }
  await buildOnPublished(image, engine, onProgress);
  return `${name} at ${engine.address} is built on debian:${suite}-slim`;
}

async function bootstrap(image: DebianImage, engine: Engine, onProgress: OnProgress): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "palestra-image-"));
  try {
    const archive = join(folder, "root.tar");
    await runMmdebstrap(image, archive, onProgress);
    await importRoot(image, engine, archive, onProgress);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws {SandboxError} START, TIMEOUT */
function runMmdebstrap(image: DebianImage, archive: string, onProgress: OnProgress): Promise<void> {
  const without = [...withoutAlways, ...(image.without ?? [])];
  const args = [
    "--variant=apt",
    `--include=${image.packages.join(",")}`,
    ...without.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
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
      else reject(new SandboxError("START", "mmdebstrap to create a root file system", lines || `exit code ${code}`));
    });
  });
}

async function importRoot(image: MadeImage, engine: Engine, archive: string, onProgress: OnProgress): Promise<void> {
  onProgress(0.85, "import");
  const file = createReadStream(archive);
  const { repo, tag } = image;
  const send = async () => {
    const stream = await engine.docker.importImage(file as never, { repo, tag } as never);
    await ended(stream as unknown as NodeJS.ReadableStream);
  };
  try {
    await engine.call("to import an archive", send, mostMakingMs);
  } finally {
    // An engine that refuses the archive does not read the rest of the file.
    file.destroy();
  }
  onProgress(1, "done");
}

/** Waits until the engine has imported the archive. @throws {SandboxError} START with the engine's error */
async function ended(stream: NodeJS.ReadableStream): Promise<void> {
  let said = "";
  for await (const bytes of stream) said = (said + bytes).slice(-mostErrorText);
  const error = /"error":"([^"]*)"/.exec(said)?.[1];
  if (error) throw new SandboxError("START", "the engine to import the archive", error);
}

async function buildOnPublished(image: DebianImage, engine: Engine, onProgress: OnProgress): Promise<void> {
  onProgress(0.1, `debian:${suite}-slim and packages`);
  const folder = await mkdtemp(join(tmpdir(), "palestra-image-"));
  const { repo, tag, setUp } = image;
  try {
    await writeFile(join(folder, "Dockerfile"), dockerfileOf(image));
    const { id } = await new Images(engine, true).find({ folder, timeoutMs: mostMakingMs });
    await engine.call("to name an image", () => engine.docker.getImage(id).tag({ repo, tag }));
  } catch (error) {
    if ((error as SandboxError).code !== "REFUSED") throw error;
    const advice = `Install mmdebstrap (\`apt-get install mmdebstrap\`), or name an archive of a root file system: \`${setUp} root.tar\``;
    throw new SandboxError("REFUSED", `debian:${suite}-slim from a registry`, (error as SandboxError).received, advice);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function dockerfileOf({ packages, without = [] }: DebianImage): string {
  const options = without.map((pattern) => `-o Dpkg::Options::=--path-exclude='${pattern}'`).join(" ");
  return `FROM debian:${suite}-slim
RUN apt-get update && apt-get install -y --no-install-recommends ${options} ${packages.join(" ")} && rm -rf /var/lib/apt/lists/*
RUN echo '${userLine}' >> /etc/passwd && echo '${groupLine}' >> /etc/group && mkdir -p /work && chown 1000:1000 /work
`;
}
