/** The working folder of one process, which is removed after the process ends. */
import { constants, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { SandboxError } from "../sandbox.js";

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
const overwriteNoLink = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

export class WorkingFolder {
  private constructor(readonly path: string) {}

  static async make(name: string): Promise<WorkingFolder> {
    return new WorkingFolder(await realpath(await mkdtemp(join(tmpdir(), `palestra-${name}-`))));
  }

  /** @throws {SandboxError} REFUSED, NO_FILE, TOO_LARGE */
  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    const inside = this.within(path);
    try {
      // The program can make links, and a read follows links.
      this.within(await realpath(inside));
      const { size } = await stat(inside);
      if (size > maxBytes)
        throw new SandboxError("TOO_LARGE", `a file of at most ${maxBytes} bytes at ${path}`, `${size} bytes`);
      return await readFile(inside);
    } catch (error) {
      if (error instanceof SandboxError) throw error;
      throw new SandboxError("NO_FILE", `a file at ${path}`, (error as Error).message, undefined, { cause: error });
    }
  }

  /** Writes a file and creates missing parent folders. @throws {SandboxError} REFUSED */
  async write(path: string, data: Uint8Array): Promise<void> {
    const inside = this.within(path);
    try {
      await this.expectWithin(dirname(inside));
      await mkdir(dirname(inside), { recursive: true });
      await writeFile(inside, data, { flag: overwriteNoLink });
    } catch (error) {
      if (error instanceof SandboxError) throw error;
      throw new SandboxError("REFUSED", `a writable file at ${path}`, (error as Error).message);
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }

  /** Checks that the nearest existing parent is inside the folder. The program may have replaced a parent by a link. */
  private async expectWithin(folder: string): Promise<void> {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined) return this.expectWithin(dirname(folder));
    this.within(real);
  }

  private within(path: string): string {
    const full = resolve(this.path, path);
    if (full === this.path || full.startsWith(this.path + sep)) return full;
    throw new SandboxError("REFUSED", "a path in the folder of the sandbox", path);
  }
}
