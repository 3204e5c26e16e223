/**
 * Program of the thread that runs the checks of `palestra check`. The main thread can end this thread if a call of an
 * environment never returns.
 */
import { parentPort, workerData } from "node:worker_threads";
import { callDeadlineMs, checkEnvironment } from "../../../envs/check-env.js";
import type { AnyEnvironmentSpec } from "../../../envs/env.js";
import { UnknownEnvironment, UnusableModule } from "../../../envs/errors.js";
import { Registry, versionedId } from "../../../envs/registry.js";
import { didYouMean } from "../../formats/did-you-mean.js";
import { openSandboxes } from "../../hosts/sandboxes.js";
import { CallMark, type CheckNotice, type CheckThreadData } from "./check-protocol.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;
const { config, names, first, episodes, mark: markBuffer } = workerData as CheckThreadData;
const mark = new CallMark(markBuffer);
const sandboxes = openSandboxes(config);

// Any message ends the thread. The thread can still close its sandboxes if an async environment hangs.
port.once("message", () => void sandboxes.close().finally(() => process.exit()));

function tell(notice: CheckNotice): void {
  port.postMessage(notice);
}

async function specs(): Promise<AnyEnvironmentSpec[]> {
  // The URL of a mount may hold a password.
  const shown = config.environments.map((entry) => (entry.startsWith('{"mount":') ? "a mount" : entry));
  mark.note(`the import of ${shown.join(", ") || "the environments"}`);
  const registry = await Registry.load(config.environments);
  return names.length > 0 ? names.map((name) => registry.get(name)) : registry.list();
}

async function checkOne(spec: AnyEnvironmentSpec): Promise<void> {
  const environment = versionedId(spec);
  tell({ type: "environment", environment, isAsync: spec.isAsync === true, callMs: callDeadlineMs(spec) });
  await checkEnvironment(spec, {
    sandboxes,
    episodes,
    maxReplyLength: config.limits.maxReplyLength,
    onCheck(check) {
      mark.note("the check itself", { at: 0, of: 0 });
      tell({ type: "check", check });
    },
    onResult: (result) => tell({ type: "result", result }),
    onCall: (call, place) => mark.note(call, place),
  });
  tell({ type: "checked" });
}

try {
  for (const spec of (await specs()).slice(first)) await checkOne(spec);
  tell({ type: "done" });
} catch (error) {
  if (!(error instanceof UnknownEnvironment || error instanceof UnusableModule)) throw error;
  const remedy = error instanceof UnknownEnvironment ? didYouMean(error.received, error.known) : "";
  tell({ type: "refused", message: `${error.message}${remedy}` });
} finally {
  await sandboxes.close();
}
