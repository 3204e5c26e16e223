/** The thread that `palestra check` plays in, since it has to be ended where a call of an environment never returns. */
import { parentPort, workerData } from "node:worker_threads";
import { callDeadlineMs, checkEnvironment } from "../../envs/check-env.js";
import type { AnyEnvironmentSpec } from "../../envs/env.js";
import { UnknownEnvironment, UnusableModule } from "../../envs/errors.js";
import { Registry, versionedId } from "../../envs/registry.js";
import { didYouMean } from "../did-you-mean.js";
import { openSandboxes } from "../sandboxes.js";
import { CallMark, type CheckNotice, type CheckThreadData } from "./check-protocol.js";

if (!parentPort) throw new Error("expected to run as a worker thread, but received the main thread");
const port = parentPort;
const { config, names, first, episodes, mark: markBuffer } = workerData as CheckThreadData;
const mark = new CallMark(markBuffer);
const sandboxes = openSandboxes(config);

// Any message asks for the end. An async environment that hangs leaves the thread free to give its sandboxes back.
port.once("message", () => void sandboxes.close().finally(() => process.exit()));

function tell(notice: CheckNotice): void {
  port.postMessage(notice);
}

async function specs(): Promise<AnyEnvironmentSpec[]> {
  mark.note(`the import of ${config.environments.join(", ") || "the environments"}`);
  const registry = await Registry.load(config.environments);
  return names.length > 0 ? names.map((name) => registry.get(name)) : registry.list();
}

async function checkOne(spec: AnyEnvironmentSpec): Promise<void> {
  const environment = versionedId(spec);
  tell({ kind: "environment", environment, isAsync: spec.isAsync === true, callMs: callDeadlineMs(spec) });
  await checkEnvironment(spec, {
    sandboxes,
    episodes,
    onCheck(check) {
      mark.note("the check itself");
      tell({ kind: "check", check });
    },
    onResult: (result) => tell({ kind: "result", result }),
    onCall: (call) => mark.note(call),
  });
  tell({ kind: "checked" });
}

try {
  for (const spec of (await specs()).slice(first)) await checkOne(spec);
  tell({ kind: "done" });
} catch (error) {
  if (!(error instanceof UnknownEnvironment || error instanceof UnusableModule)) throw error;
  const remedy = error instanceof UnknownEnvironment ? didYouMean(error.received, error.known) : "";
  tell({ kind: "refused", message: `${error.message}${remedy}` });
} finally {
  await sandboxes.close();
}
