import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../../../sandboxes/sandbox.js";
import type { Healthcheck } from "../harbor/schema.js";

/** Whether the command succeeds in time, as Docker's HEALTHCHECK counts: failures of the start period are free. */
export async function waitUntilHealthy(
  sandbox: Sandbox,
  folder: string,
  check: Healthcheck,
  signal: AbortSignal,
): Promise<boolean> {
  const start = performance.now();
  for (let failures = 0; failures < check.retries; ) {
    const timeoutMs = check.timeout_sec * 1_000;
    const { exitCode } = await sandbox.exec(check.command, { timeoutMs, folder, maxOutputBytes: 1_024, signal });
    if (exitCode === 0) return true;
    const isStarting = performance.now() - start < check.start_period_sec * 1_000;
    if (!isStarting) failures += 1;
    const seconds = isStarting ? check.start_interval_sec : check.interval_sec;
    if (failures < check.retries) await sleep(seconds * 1_000, undefined, { signal });
  }
  return false;
}
