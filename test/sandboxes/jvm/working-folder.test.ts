/** Links that a program makes cannot lead reads and writes out of its folder. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WorkingFolder } from "#palestra/sandboxes/jvm/working-folder.js";
import { scratchDir } from "../../support/gym.js";

const data = new Uint8Array([1]);

async function linked(): Promise<{ folder: WorkingFolder; outside: string }> {
  const folder = await WorkingFolder.make("test");
  onTestFinished(() => folder.remove());
  const outside = scratchDir();
  writeFileSync(join(outside, "secret"), "kept");
  symlinkSync(outside, join(folder.path, "way"));
  symlinkSync(join(outside, "secret"), join(folder.path, "link"));
  symlinkSync(join(outside, "nothing"), join(folder.path, "dangling"));
  return { folder, outside };
}

test.each(["link", "dangling", "way/secret", "way/file", "way/deep/file"])(
  "a write through %s is refused",
  async (path) => {
    const { folder, outside } = await linked();
    await expect(folder.write(path, data)).rejects.toMatchObject({ code: "REFUSED" });
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("kept");
    for (const name of ["nothing", "file", "deep"]) expect(existsSync(join(outside, name))).toBe(false);
  },
);

test.each(["link", "way/secret"])("a read through %s is refused", async (path) => {
  const { folder } = await linked();
  await expect(folder.read(path, 1_000)).rejects.toMatchObject({ code: "REFUSED" });
});

test("a file is written and rewritten in folders that did not exist", async () => {
  const { folder } = await linked();
  for (const bytes of [data, new Uint8Array([2, 3]), data]) {
    await folder.write("a/b/file", bytes);
    expect(new Uint8Array(await folder.read("a/b/file", 1_000))).toEqual(bytes);
  }
});
