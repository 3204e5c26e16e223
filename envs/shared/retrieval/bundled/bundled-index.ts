/** The index of the bundled pages. It is built on first use and stored in the user's cache folder. */
import { Worker } from "node:worker_threads";
import { cacheFolders } from "../../../../sandboxes/cache-folders.js";

let made: Promise<string> | undefined;

/** Returns the path of the index file. Rejects with an Error if the index cannot be built. */
export function bundledIndex(): Promise<string> {
  made ??= make().catch((error) => {
    // The next call tries again.
    made = undefined;
    throw error;
  });
  return made;
}

function make(): Promise<string> {
  return new Promise((resolve, reject) => {
    const workerData = { folders: cacheFolders("indexes") };
    const worker = new Worker(new URL("./bundled-index-thread.js", import.meta.url), { workerData });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) =>
      reject(new Error(`the exit of the thread that builds the index of the bundled pages, with code ${code}`)),
    );
  });
}
