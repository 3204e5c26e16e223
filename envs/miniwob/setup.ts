/** Command `palestra setup miniwob`, which saves MiniWoB++'s pages from the Python package or from a local folder. */
import { cp, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { SetUpChoices } from "../env.js";
import { fetchPackage } from "../shared/python/fetch-package.js";
import { missingIn, pageFolder } from "./folder.js";

const release = {
  release: "miniwob==1.1.0",
  sha256: "297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9",
};
const otherWay =
  "Install pip, or name a folder with MiniWoB++'s pages (`miniwob/html` of its repository): `palestra setup miniwob FOLDER`";

/**
 * Saves the pages.
 *
 * @param from folder with `core/` and `miniwob/`. Default: the folder of the Python package.
 * @throws {Error} the pages cannot be saved. Existing pages stay unchanged. The message gives the reason.
 */
export async function setUpPages({ from }: SetUpChoices = {}): Promise<string> {
  const target = pageFolder();
  await mkdir(dirname(target), { recursive: true });
  const scratch = await mkdtemp(join(dirname(target), ".getting-miniwob-"));
  try {
    const pages = from === undefined ? await publishedPages(scratch) : await copyOf(resolve(from), scratch);
    const missing = missingIn(pages);
    if (missing !== undefined)
      throw new Error(`expected the pages of MiniWoB++ with ${missing}, but received ${from ?? release.release}`);
    await swap(pages, target, join(scratch, "old"));
    const count = (await readdir(join(target, "miniwob"))).filter((name) => name.endsWith(".html")).length;
    return `${count} pages of ${from ?? release.release} are at ${target}.`;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function publishedPages(scratch: string): Promise<string> {
  return join(await fetchPackage(release, scratch, otherWay), "miniwob", "html");
}

async function copyOf(from: string, scratch: string): Promise<string> {
  const missing = missingIn(from);
  if (missing !== undefined) throw new Error(`expected a folder with ${missing}, but received ${from}`);
  const copy = join(scratch, "html");
  await cp(from, copy, { recursive: true });
  return copy;
}

/**
 * Replaces a folder by another folder with two renames. A concurrent reader never sees an incomplete folder, but may
 * see no folder for an instant.
 */
async function swap(from: string, target: string, old: string): Promise<void> {
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(from, target);
}
