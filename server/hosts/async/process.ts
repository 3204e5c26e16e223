/**
 * Program of the process that runs async environments and their sandboxes. The process is separate, so an environment
 * that throws, loops or exits does not end episodes in other hosts. A watchdog thread ends the process when its main
 * thread hangs.
 */
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Registry } from "../../../envs/registry.js";
import type { GymError } from "../../errors.js";
import type { FromHost } from "../../log/records/protocol.js";
import { Frames } from "../process/frames.js";
import {
  announceAbort,
  type FromProcess,
  type LastWords,
  messageDescriptor,
  type PermitNews,
  type ProcessSetup,
  pulseDescriptor,
  reportFrame,
  type ToProcess,
  writeLife,
} from "../process/process-protocol.js";
import { WrittenPulse } from "../process/process-pulse.js";
import { describe } from "../reply-text.js";
import type { SandboxKind } from "../sandbox-kinds.js";
import { type OpenedSandboxes, openSandboxes } from "../sandboxes.js";
import type { MainThreadData } from "./hang-watch.js";
import { AsyncLoop } from "./loop.js";
import { RemotePermits } from "./remote-permits.js";
import { RunningSlot } from "./running-slot.js";

/** Interval in milliseconds at which the main thread increases its heartbeat counter. */
const heartbeatMs = 50;

/** Interval in milliseconds at which the process tells that requests wait for sandboxes. */
const tellWaitingMs = 250;

const pulse = new WrittenPulse(pulseDescriptor);
const running = new RunningSlot((slot) => pulse.mark(slot));
const heartbeats = new Int32Array(new SharedArrayBuffer(4));

/**
 * Signals such as SIGINT from Ctrl-C reach both processes. This process ignores them, because the gym's process ends
 * it.
 */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

/** Resolves when all messages so far have been sent. */
let told: Promise<void> = Promise.resolve();
/** Number of messages of commands that were performed. */
let performed = 0;
/** Receives the messages after the setup. */
let receive: (message: ToProcess) => void;

let isStopping = false;
process.once("exit", (code) => {
  if (isStopping) return;
  const detail = `the process of async environments exited with ${code}`;
  const words: LastWords = { slot: running.current, code: "ENVIRONMENT_THREW", detail };
  writeLife(words);
});

const early: ToProcess[] = [];
receive = (first) => {
  if (first.type !== "setup") throw new Error(`expected the setup first, but received ${first.type}`);
  receive = (message) => early.push(message);
  void serve(first.setup);
};
const socket = new Socket({ fd: messageDescriptor });
const frames = new Frames<FromProcess, ToProcess>(socket, Number.POSITIVE_INFINITY, {
  onFrame: (message) => receive(message),
  onBroken() {},
});

async function serve(setup: ProcessSetup): Promise<void> {
  const { environmentModules, group } = setup;
  const registry = await Registry.load(environmentModules, group === null ? "added" : { group });
  const permits = new RemotePermits(setup.sandboxes, tell);
  const sandboxes = openSandboxes(setup, (kind) => permits.of(kind));
  const loop = new AsyncLoop({
    registry,
    context: { now: Date.now, sandboxes },
    running,
    stepDeadlineMs: setup.stepDeadlineMs,
    times: setup.times,
    maxReplyLength: setup.limits.maxReplyLength,
    send: report,
    onLost: (environment, { code, expected, received }: GymError) =>
      tell({ type: "instance-lost", environment, code, expected, received }),
  });
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await loop.stop();
    await Promise.race([sandboxes.close(), sleep(setup.times.closingMs)]);
    await told;
    process.exit(0);
  };
  process.on("uncaughtException", (error) => {
    if (!loop.blame(error)) tell({ type: "stray", detail: describe(error) });
  });
  socket.once("close", stop);
  receive = (message) => {
    if (message.type === "commands") {
      performed += 1;
      loop.perform(message.message);
    } else if (message.type === "taken") loop.taken(message.characters);
    else if (message.type === "drain") loop.drain();
    else if (message.type === "stop") void stop();
    else permits.onNews(message as PermitNews);
  };
  announceAbort(() => running.current);
  watchMainThread();
  tellWaiting(sandboxes);
  tell({ type: "ready" });
  for (const message of early) receive(message);
}

/** Tells again and again how many requests wait for sandboxes, so that the gym can close episodes without a client. */
function tellWaiting(sandboxes: OpenedSandboxes): void {
  let before: Partial<Record<SandboxKind, number>> = {};
  setInterval(() => {
    const counts = sandboxes.waitingCounts();
    for (const [kind, requests] of Object.entries(counts) as [SandboxKind, number][])
      if (requests > 0 || before[kind]) tell({ type: "waiting", kind, requests });
    before = counts;
  }, tellWaitingMs).unref();
}

function watchMainThread(): void {
  setInterval(() => Atomics.add(heartbeats, 0, 1), heartbeatMs).unref();
  const workerData: MainThreadData = {
    heartbeats: heartbeats.buffer as SharedArrayBuffer,
    runningSlot: running.buffer,
  };
  new Worker(new URL("./hang-watch.js", import.meta.url), { workerData }).unref();
}

function report(report: FromHost): void {
  const { message, text } = reportFrame(report, performed);
  tell(message, text);
}

function tell(message: FromProcess, text = ""): void {
  // The socket's `close` event handles the case that the gym's process has exited.
  told = frames.send(message, text);
}
