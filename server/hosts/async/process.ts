/**
 * Program of the process that runs async environments and their sandboxes. The process is separate, so an environment
 * that throws, loops or exits does not end episodes in other hosts. A watchdog thread ends the process when its main
 * thread hangs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Registry } from "../../../envs/registry.js";
import type { GymError } from "../../errors.js";
import { openSandboxes } from "../../sandboxes.js";
import { describe } from "../reply-text.js";
import type { MainThreadData } from "./hang-watch.js";
import { AsyncLoop } from "./loop.js";
import {
  type AsyncProcessSetup,
  type FromAsyncProcess,
  type LastWords,
  type ToAsyncProcess,
  writeLife,
} from "./process-protocol.js";
import { RunningSlot } from "./running-slot.js";

/** Time limit in milliseconds for sandboxes to close when the process ends. */
const mostClosingMs = 3_000;

/** Interval in milliseconds at which the main thread increases its heartbeat counter. */
const beatMs = 50;

const running = new RunningSlot();
const beats = new Int32Array(new SharedArrayBuffer(4));

/**
 * Signals such as SIGINT from Ctrl-C reach both processes. This process ignores them, because the gym's process ends
 * it.
 */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

/**
 * Sends a message to the gym's process. `send` is removed from `process`, so that environments cannot forge messages of the
 * host.
 */
const send = (process.send as NonNullable<typeof process.send>).bind(process);
Reflect.deleteProperty(process, "send");
/** Resolves when all messages so far have been sent. */
let told: Promise<void> = Promise.resolve();

let isStopping = false;
process.once("exit", (code) => {
  if (isStopping) return;
  const detail = `the process of async environments exited with ${code}`;
  const words: LastWords = { slot: running.current, code: "ENVIRONMENT_THREW", detail };
  writeLife(words);
});

process.once("message", (first: ToAsyncProcess) => {
  if (first.type !== "setup") throw new Error(`expected \`setup\` as the first message, but received ${first.type}`);
  serve(first.setup);
});

async function serve(setup: AsyncProcessSetup): Promise<void> {
  const early: ToAsyncProcess[] = [];
  const keep = (message: ToAsyncProcess) => early.push(message);
  process.on("message", keep);
  const registry = await Registry.load(setup.environmentModules, "async");
  const sandboxes = openSandboxes(setup);
  const loop = new AsyncLoop({
    registry,
    context: { now: Date.now, sandboxes },
    running,
    stepDeadlineMs: setup.stepDeadlineMs,
    maxReplyLength: setup.limits.maxReplyLength,
    send: (results) => tell({ type: "results", results }),
    onLost: (environment, { code, expected, received }: GymError) =>
      tell({ type: "instance-lost", environment, code, expected, received }),
  });
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await loop.stop();
    await Promise.race([sandboxes.close(), sleep(mostClosingMs)]);
    await told;
    process.exit(0);
  };
  const receive = (message: ToAsyncProcess) => {
    if (message.type === "commands") loop.perform(message.message);
    else if (message.type === "taken") loop.taken(message.characters);
    else if (message.type === "drain") loop.drain();
    else void stop();
  };
  process.on("uncaughtException", (error) => {
    if (!loop.blame(error)) tell({ type: "stray", detail: describe(error) });
  });
  process.on("disconnect", stop);
  process.off("message", keep);
  process.on("message", receive);
  watchMainThread();
  tell({ type: "ready" });
  for (const message of early) receive(message);
}

function watchMainThread(): void {
  setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
  const workerData: MainThreadData = { beats: beats.buffer as SharedArrayBuffer, runningSlot: running.buffer };
  new Worker(new URL("./hang-watch.js", import.meta.url), { workerData }).unref();
}

function tell(message: FromAsyncProcess): void {
  // The `disconnect` event handles the case that the gym's process has exited.
  told = new Promise((resolve) => send(message, () => resolve()));
}
