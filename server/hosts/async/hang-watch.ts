/**
 * Program of a watchdog thread in the process of async environments. The watchdog sends the heartbeats, and kills the
 * process when the main thread hangs. A hang is a loop that takes processor time, or a system call that does not return.
 */
import { readFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { type LastWords, signOfLifeMs, writeLife } from "../process/process-protocol.js";
import { readRunningSlot } from "./running-slot.js";

export interface MainThreadData {
  /** Counter that the main thread increases as long as its event loop runs. */
  beats: SharedArrayBuffer;
  runningSlot: SharedArrayBuffer;
}

/** Interval in milliseconds at which the watchdog checks the counter. */
const lookMs = 100;

/** Limit in milliseconds on the processor time of one turn of the event loop. Waiting for a processor does not count. */
const mostBusyMs = 1_000;

/** Limit in milliseconds on the wall-clock time of one turn of the event loop. */
const mostSilentMs = 10_000;

/** Unit of processor times in Linux's /proc: USER_HZ is 100 on every architecture that Node runs on. */
const tickMs = 10;

const { beats: beatsBuffer, runningSlot } = workerData as MainThreadData;
const beats = new Int32Array(beatsBuffer);

let lastBeat = -1;
/**
 * Milliseconds without a beat. They are counted in checks of the watchdog, so a suspended machine does not look like a
 * hang.
 */
let silentMs = 0;
let busyBeforeMs = 0;
let sinceSignMs = signOfLifeMs;

setInterval(look, lookMs);

function look(): void {
  sinceSignMs += lookMs;
  if (sinceSignMs >= signOfLifeMs) {
    writeLife(".");
    sinceSignMs = 0;
  }
  const beat = Atomics.load(beats, 0);
  if (beat !== lastBeat) {
    lastBeat = beat;
    silentMs = 0;
    busyBeforeMs = processorTimeMs();
    return;
  }
  silentMs += lookMs;
  const busyMs = processorTimeMs() - busyBeforeMs;
  if (busyMs >= mostBusyMs) end(`it kept the main thread busy for ${busyMs} ms`);
  else if (silentMs >= mostSilentMs) end(`it blocked the main thread for ${silentMs} ms`);
}

function end(detail: string): void {
  const words: LastWords = { slot: readRunningSlot(runningSlot), code: "ENVIRONMENT_HUNG", detail };
  writeLife(words);
  process.kill(process.pid, "SIGKILL");
}

/**
 * Returns the processor time that the main thread has used, in milliseconds. On systems without /proc, it returns the
 * wall-clock time.
 */
function processorTimeMs(): number {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, "utf8");
    // The name, in parentheses, may contain spaces. The fields utime and stime are the 12th and 13th after the name.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return performance.now();
  }
}
