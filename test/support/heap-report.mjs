/**
 * Preloaded into a gym's process. On SIGUSR2 it collects garbage and writes a report to the file of HEAP_REPORT. The
 * report has the bytes that the main thread still uses, and the number of open timers, sockets and other resources.
 */
import { renameSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const path = process.env.HEAP_REPORT;
if (isMainThread && path !== undefined && /cli\.js$/.test(process.argv[1] ?? "")) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    collect();
    // Weak references and finalizers are cleared in a separate turn of the event loop.
    setTimeout(() => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      const report = { heapUsed, external, resources: process.getActiveResourcesInfo().length };
      writeFileSync(`${path}.draft`, JSON.stringify(report));
      renameSync(`${path}.draft`, path);
    }, 50);
  });
}
