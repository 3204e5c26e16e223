/**
 * Program of a watchdog thread in the process of async environments. The watchdog sends the heartbeats, and kills the
 * process when the main thread hangs. A hang is a loop that takes processor time, or a system call that does not return.
 */
import { workerData } from "node:worker_threads";
import { type LastWords, signOfLifeMs, writeLife } from "../process/process-protocol.js";
import { type Excess, excessOf, statOf, ThreadClock } from "../thread-clock.js";
import { readRunningSlot } from "./running-slot.js";

export interface MainThreadData {
  /** Counter that the main thread increases as long as its event loop runs. */
  heartbeats: SharedArrayBuffer;
  runningSlot: SharedArrayBuffer;
}

/** Interval in milliseconds at which the watchdog checks the counter. */
const lookMs = 100;

/** Limits on one turn of the event loop. */
const most = { busyMs: 2_000, blockedMs: 10_000 };

const { heartbeats: heartbeatsBuffer, runningSlot } = workerData as MainThreadData;
const heartbeats = new Int32Array(heartbeatsBuffer);

/** Time of the main thread, whose id is that of the process. */
const clock = new ThreadClock(() => statOf("self", process.pid));

let lastHeartbeat = -1;
let sinceSignMs = signOfLifeMs;

setInterval(look, lookMs);

function look(): void {
  sinceSignMs += lookMs;
  if (sinceSignMs >= signOfLifeMs) {
    writeLife(".");
    sinceSignMs = 0;
  }
  const heartbeat = Atomics.load(heartbeats, 0);
  if (heartbeat !== lastHeartbeat) {
    lastHeartbeat = heartbeat;
    clock.start();
    return;
  }
  const excess = excessOf(clock.look(lookMs), most);
  if (excess !== null) end(excess);
}

function end(excess: Excess): void {
  const detail = `a turn of the main thread's event loop ${excess.detail}`;
  const { uncertain } = excess;
  const words: LastWords = { slot: readRunningSlot(runningSlot), code: "ENVIRONMENT_HUNG", detail, uncertain };
  writeLife(words);
  process.kill(process.pid, "SIGKILL");
}
