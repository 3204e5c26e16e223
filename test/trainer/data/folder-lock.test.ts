/** The lock on an output folder: against whoever is in the same process, and whoever dies in another. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { withFolder } from "#palestra/trainer/data/folder-lock.js";
import { root } from "../../support/server-process.js";
import { scratch } from "../../support/serving.js";

const never = () => new Promise<never>(() => {});

test("a folder has one run at a time, and is free after it, however it went", async () => {
  const folder = join(scratch(), "made", "for", "it");
  const first = withFolder(folder, async () => {
    await expect(withFolder(folder, never)).rejects.toMatchObject({ code: "FOLDER_IN_USE" });
    // That one was refused takes nothing from whoever has it.
    await expect(withFolder(folder, never)).rejects.toThrow(
      `expected ${folder} to be unlocked, but another run is writing to it`,
    );
    return "done";
  });
  expect(await first).toBe("done");
  await expect(withFolder(folder, () => Promise.reject(new Error("it failed")))).rejects.toThrow("it failed");
  expect(await withFolder(folder, async () => "again")).toBe("again");
});

test("the lock of a process that is killed dies with it", async () => {
  const folder = scratch();
  const lock = pathToFileURL(join(root, "dist/.modules/trainer/data/folder-lock.js")).href;
  const program = `
    const { withFolder } = await import(${JSON.stringify(lock)});
    setInterval(() => {}, 1e6);
    await withFolder(${JSON.stringify(folder)}, () => {
      console.log("held");
      return new Promise(() => {});
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  await expect(withFolder(folder, never)).rejects.toMatchObject({ code: "FOLDER_IN_USE" });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await withFolder(folder, async () => "free")).toBe("free");
});
