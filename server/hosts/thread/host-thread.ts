/** Program of a worker thread that runs synchronous environments and reports their results to the log. */
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Registry } from "../../../envs/registry.js";
import type { FromHost } from "../../log/records/protocol.js";
import { type CommandMessage, faultExit, type HostNotice } from "../protocol.js";
import { Pulse } from "../pulse.js";
import { describe } from "../reply-text.js";
import { SyncLoop } from "../sync/sync-loop.js";
import type { HostData } from "./worker-host.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;
const { pulse: pulseBuffer, log, environmentModules, limits, checks } = workerData as HostData;

const pulse = new Pulse(pulseBuffer);
pulse.thread = threadId();
const registry = await Registry.load(environmentModules, "added");
const send = (message: FromHost) => log.postMessage(message);
const loop = new SyncLoop({ registry, limits, pulse, checks, send });
/** Milliseconds between two heartbeats of the pulse while an environment is loaded. */
const heartbeatMs = 100;

/** Messages that wait while an environment is loaded. */
const waiting: CommandMessage[] = [];
let isLoading = false;

port.on("message", (message: CommandMessage) => {
  waiting.push(message);
  if (!isLoading) performWaiting();
});

/** Returns the system's id of this thread, or 0 on systems without /proc. */
function threadId(): number {
  try {
    return Number(basename(readlinkSync("/proc/thread-self")));
  } catch {
    return 0;
  }
}

/**
 * Performs the waiting messages in order. A built-in environment is loaded before its first command, and the messages wait
 * for it. A message that needs no loading is performed without a promise, which would cost as much as a short step.
 */
function performWaiting(): void {
  try {
    for (let message = waiting[0]; message; message = waiting[0]) {
      const name = lackingIn(message);
      if (name !== undefined) return void provide(name).then(performWaiting, fail);
      waiting.shift();
      for (const _ of loop.perform(message)) pulse.awaitTaken();
    }
  } catch (error) {
    fail(error);
  }
}

/** Ends this thread, which cannot be trusted any more: the code that should catch every error has itself thrown one. */
function fail(error: unknown): never {
  notify({ type: "fault", detail: describe(error) });
  loop.blameServed();
  process.exit(faultExit);
}

/** Loads an environment. The pulse beats meanwhile, because the time limit of calls does not hold for the loading. */
async function provide(name: string): Promise<void> {
  isLoading = true;
  const heartbeat = setInterval(() => {
    pulse.enter(0);
    pulse.leave();
  }, heartbeatMs);
  try {
    await registry.provide(name);
  } finally {
    clearInterval(heartbeat);
    isLoading = false;
  }
}

/** Returns an environment that a command needs and that is not loaded yet. */
function lackingIn(message: CommandMessage): string | undefined {
  for (const word of message) {
    if (typeof word !== "object" || (word.type !== "open" && word.type !== "verify")) continue;
    if (registry.lacks(word.request.environment)) return word.request.environment;
  }
  return undefined;
}

// A timer or promise of an environment threw the error outside of any call. No step waits for this error, and its slot is
// unknown, so the thread only reports it. Effects of the error, if any, show in the replies of the environment's own
// episode.
process.on("uncaughtException", (error) => notify({ type: "stray", detail: describe(error) }));
notify({ type: "ready" });

function notify(notice: HostNotice): void {
  port.postMessage(notice);
}
