/**
 * Program of a thread that renders the bundled pages, which takes about a second, and builds their index if it does not
 * exist.
 */
import { createHash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { pageLines } from "../../knowledge/pages.js";
import type { CorpusLine } from "../embedded/corpus-file.js";
import { buildIndex, removeDatabase } from "../embedded/index-builder.js";
import { partialPath, schemaVersion } from "../embedded/index-schema.js";

/** Folders in which the index may be stored, in order of preference. */
const { folders } = workerData as { folders: string[] };
const lines = [...pageLines()];
const digest = createHash("sha256").update(`${schemaVersion}\n`).update(lines.join("\n")).digest("hex").slice(0, 16);
const name = `bundled-${digest}.sqlite`;
const folder = folders.find((one) => existsSync(join(one, name))) ?? writableFolder();
const path = join(folder, name);
if (!existsSync(path)) await build();
parentPort?.postMessage(path);

/** Returns the first writable folder. @throws {Error} none of the folders is writable */
function writableFolder(): string {
  const refusals: string[] = [];
  for (const one of folders) {
    try {
      mkdirSync(one, { recursive: true, mode: 0o700 });
      accessSync(one, constants.W_OK);
      return one;
    } catch (error) {
      refusals.push((error as Error).message);
    }
  }
  throw new Error(
    `expected a writable folder for the index of the bundled pages, but received: ${refusals.join("; ")}`,
  );
}

/** Builds the index in a temporary file and renames it, since other processes may build the same index. */
async function build(): Promise<void> {
  const own = join(folder, `.bundled-${randomUUID()}.sqlite`);
  try {
    await buildIndex({ name: "the bundled pages", lines: numbered() }, own);
    renameSync(own, path);
  } catch (error) {
    removeDatabase(partialPath(own));
    throw error;
  }
}

async function* numbered(): AsyncIterable<CorpusLine> {
  for (const [at, text] of lines.entries()) yield { number: at + 1, text, fraction: (at + 1) / lines.length };
}
