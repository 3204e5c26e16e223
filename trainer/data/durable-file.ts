/** Files whose content survives the death of the process and of the machine. */
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a file atomically. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeDurably(`${path}.new`, text);
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

/** Writes a file and waits until its content is on the disk. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the names of a folder's files are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
