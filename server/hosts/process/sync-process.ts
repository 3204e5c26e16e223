/**
 * Program of a process that runs synchronous environments of an added module. Because the process is separate, an
 * environment that exhausts V8 or crashes native code ends no episode of another environment.
 */
import { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { Registry } from "../../../envs/registry.js";
import type { FromHost } from "../../log/records/protocol.js";
import { RunningSlot } from "../async/running-slot.js";
import { type CommandMessage, faultExit } from "../protocol.js";
import { describe } from "../reply-text.js";
import { SyncLoop } from "../sync/sync-loop.js";
import { Frames } from "./frames.js";
import {
  announceAbort,
  type FromProcess,
  messageDescriptor,
  type ProcessSetup,
  pulseDescriptor,
  reportFrame,
  type ToProcess,
  writeLife,
} from "./process-protocol.js";
import { WrittenPulse } from "./process-pulse.js";

/** Signals such as Ctrl-C reach both processes. This process ignores them, since the gym's process ends it. */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

const pulse = new WrittenPulse(pulseDescriptor);
/** Between calls, the pulse names the slot whose timer or promise ran last: it is to blame if the process hangs. */
const running = new RunningSlot((slot) => {
  if (slot !== 0) pulse.mark(slot);
});
const messages: CommandMessage[] = [];
let performed = 0;
let onRoom = () => {};
let onMessage = () => {};
let onPong = () => {};
/** Whether the gym accepts each command's report before the next command begins, so that it knows whom to blame. */
let isCareful = false;

const socket = new Socket({ fd: messageDescriptor });
socket.once("close", () => process.exit(0));
const frames = new Frames<FromProcess, ToProcess>(socket, Number.POSITIVE_INFINITY, {
  onFrame: receive,
  onBroken() {},
});

function receive(message: ToProcess): void {
  switch (message.type) {
    case "setup":
      return void serve(message.setup);
    case "commands":
      messages.push(message.message);
      return onMessage();
    case "taken":
      pulse.taken(message.characters);
      return onRoom();
    case "pong":
      return onPong();
    case "stop":
      return process.exit(0);
  }
}

async function serve({ environmentModules, limits, checks }: ProcessSetup): Promise<void> {
  isCareful = checks === "call";
  const registry = await Registry.load(environmentModules, "added");
  const attribute = <T>(slot: number, call: () => T) => running.run(slot, call);
  const loop = new SyncLoop({ registry, limits, pulse, checks, send, attribute });
  process.on("uncaughtException", (error) => void frames.send({ type: "stray", detail: describe(error) }));
  announceAbort(() => loop.servedSlot);
  watchParent();
  void frames.send({ type: "ready" });
  for (;;) {
    const message = messages.shift();
    if (message) await perform(loop, message);
    else
      await new Promise<void>((resolve) => {
        onMessage = resolve;
      });
  }
}

async function perform(loop: SyncLoop, message: CommandMessage): Promise<void> {
  performed += 1;
  try {
    for (const _ of loop.perform(message)) {
      if (pulse.backlogged) await room();
      if (isCareful) await accepted();
    }
  } catch (error) {
    // The code that should catch every error has itself thrown one. This process cannot be trusted any more, so it ends.
    writeLife({ slot: loop.servedSlot, code: "ENVIRONMENT_THREW", detail: `it broke its host: ${describe(error)}` });
    process.exit(faultExit);
  }
}

function accepted(): Promise<void> {
  void frames.send({ type: "ping" });
  return new Promise<void>((resolve) => {
    onPong = resolve;
  });
}

async function room(): Promise<void> {
  while (pulse.backlogged)
    await new Promise<void>((resolve) => {
      onRoom = resolve;
    });
}

function send(report: FromHost): void {
  const { message, text } = reportFrame(report, performed);
  void frames.send(message, text);
}

/** Ends this process with the gym's process, even while an environment hangs. */
function watchParent(): void {
  new Worker(new URL("./parent-watch.js", import.meta.url)).unref();
}
