/** Finds, pulls and builds images, and reads their configuration. */
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type ImageBuild, SandboxError } from "../sandbox.js";
import type { ImageFacts } from "./container-body.js";
import { type Engine, statusOf } from "./engine.js";

/** Name of an image that is made on this machine and is not in a registry. */
export interface MadeImage {
  repo: string;
  tag: string;
  /** Command that makes the image. */
  setUp: string;
}

export const base: MadeImage = { repo: "palestra-base", tag: "1", setUp: "palestra setup images" };
export const desktop: MadeImage = { repo: "palestra-desktop", tag: "1", setUp: "palestra setup desktop" };
const made = new Map([base, desktop].map((image) => [nameOf(image), image]));

export const baseImage = nameOf(base);

/** Returns `repo:tag`. */
export function nameOf({ repo, tag }: MadeImage): string {
  return `${repo}:${tag}`;
}

const mostPullingMs = 600_000;
const mostBuildingMs = 600_000;
const mostContextBytes = 2 ** 30;
const mostErrorText = 2_000;

export class Images {
  private readonly found = new Map<string, Promise<ImageFacts>>();

  constructor(
    private readonly engine: Engine,
    /** Whether images that are missing in the engine are pulled from their registry. */
    private readonly mayPull: boolean,
  ) {}

  /** Finds an image, and pulls or builds it if needed. @throws {SandboxError} REFUSED if that fails, MISSING, TIMEOUT */
  async find(image: string | ImageBuild = baseImage): Promise<ImageFacts> {
    const name = typeof image === "string" ? image : await tagOf(image.folder);
    const known = this.found.get(name);
    if (known) return known;
    const finding = (typeof image === "string" ? this.named(name) : this.built(name, image)).catch((error) => {
      this.found.delete(name);
      throw error;
    });
    this.found.set(name, finding);
    return finding;
  }

  /** Returns whether the engine has an image of this name. @throws {SandboxError} MISSING, TIMEOUT */
  async has(name: string): Promise<boolean> {
    return (await this.inspect(name)) !== undefined;
  }

  /** Clears the cached image data after a failed start, since images may have been removed. */
  forget(): void {
    this.found.clear();
  }

  private async named(name: string): Promise<ImageFacts> {
    const facts = await this.inspect(name);
    if (facts) return facts;
    if (!this.mayPull || made.has(name)) throw missing(name, "no such image");
    await this.pull(name);
    const pulled = await this.inspect(name);
    if (pulled) return pulled;
    throw missing(name, "none after a pull");
  }

  private async built(tag: string, { folder, timeoutMs = mostBuildingMs }: ImageBuild): Promise<ImageFacts> {
    const facts = await this.inspect(tag);
    if (facts) return facts;
    const { docker } = this.engine;
    const context = { context: folder, src: await readdir(folder) };
    const networkmode = this.mayPull ? "default" : "none";
    const build = async (abortSignal: AbortSignal) =>
      this.follow(await docker.buildImage(context, { t: tag, rm: true, forcerm: true, networkmode, abortSignal }));
    await this.engine.call(`to build an image from ${folder}`, build, timeoutMs);
    const built = await this.inspect(tag);
    if (built) return built;
    throw missing(tag, "none after its build");
  }

  private async inspect(name: string): Promise<ImageFacts | undefined> {
    try {
      const { Id, Config } = await this.engine.call("to inspect an image", () =>
        this.engine.docker.getImage(name).inspect(),
      );
      const variables = (Config.Env ?? []).map((variable): [string, string] => {
        const at = variable.indexOf("=");
        return [variable.slice(0, at), variable.slice(at + 1)];
      });
      const volumes = Object.keys(Config.Volumes ?? {}).filter((path) => path !== "/tmp");
      return { id: Id, folder: Config.WorkingDir || "/", environment: Object.fromEntries(variables), volumes };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  private async pull(name: string): Promise<void> {
    try {
      await this.engine.call(
        `to pull ${name}`,
        async () => this.follow(await this.engine.docker.pull(name)),
        mostPullingMs,
      );
    } catch (error) {
      const { code, received } = error as SandboxError;
      throw code === "MISSING" ? error : missing(name, received);
    }
  }

  /** Waits until a pull or a build has ended. @throws {SandboxError} REFUSED with the engine's error and last output */
  private async follow(stream: NodeJS.ReadableStream): Promise<void> {
    type Progress = { error?: string; stream?: string };
    let said = "";
    const all = await new Promise<Progress[]>((resolve, reject) => {
      this.engine.docker.modem.followProgress(
        stream,
        (error, output) => (error ? reject(error) : resolve(output)),
        (progress: Progress) => {
          said = (said + (progress.stream ?? "")).slice(-mostErrorText);
        },
      );
    });
    const failed = all.find(({ error }) => error)?.error;
    if (failed) throw new SandboxError("REFUSED", "a pulled or built image", `${failed}\n${said}`.trim());
  }
}

/** Returns a name that contains a hash of the folder's content. @throws {SandboxError} REFUSED */
async function tagOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  const add = async (path: string): Promise<void> => {
    const status = await lstat(join(folder, path));
    hash.update(`${path}\0${status.mode}\0${status.size}\0`);
    if (status.isDirectory()) {
      for (const name of (await readdir(join(folder, path))).sort()) await add(join(path, name));
    } else if (status.isSymbolicLink()) hash.update(await readlink(join(folder, path)));
    else if (status.isFile()) {
      bytes += status.size;
      if (bytes > mostContextBytes)
        throw new SandboxError("REFUSED", `at most ${mostContextBytes} bytes in ${folder}`, "more bytes");
      hash.update(await readFile(join(folder, path)));
    } else throw new SandboxError("REFUSED", `only files, folders and links in ${folder}`, path);
  };
  await add(".").catch((error: NodeJS.ErrnoException) => {
    throw error instanceof SandboxError ? error : new SandboxError("REFUSED", `a folder at ${folder}`, error.message);
  });
  return `palestra-built:${hash.digest("hex").slice(0, 32)}`;
}

function missing(name: string, received: string): SandboxError {
  const own = made.get(name);
  const advice = own ? `Make it: \`${own.setUp}\`` : "Pull or load it, or name another image";
  return new SandboxError("REFUSED", `the image ${name} in the engine`, received, advice);
}
