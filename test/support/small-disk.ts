/** A small disk that a test can fill, if this process may mount one. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { scratch } from "./serving.js";

export class SmallDisk {
  private constructor(readonly path: string) {}

  /** Mounts a disk until the end of the test. Skips the test if mounting is not permitted. */
  static mount(context: TestContext, mebibytes: number): SmallDisk {
    const path = scratch();
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path], { stdio: "pipe" });
    } catch (error) {
      context.skip(`expected to mount a tmpfs, which needs root on Linux, but received: ${(error as Error).message}`);
    }
    onTestFinished(() => void execFileSync("umount", ["--lazy", path]));
    return new SmallDisk(path);
  }

  /** Fills the disk to the last byte. */
  fill(): void {
    const file = openSync(join(this.path, "filler"), "w");
    const block = Buffer.alloc(65_536);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.path, "filler"));
  }

  enlarge(mebibytes: number): void {
    execFileSync("mount", ["-o", `remount,size=${mebibytes}m`, this.path]);
  }
}
