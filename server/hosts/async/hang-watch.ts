/**
 * A thread beside the main thread of the process of async environments. It gives the signs of life, and kills the process
 * once the main thread hangs: by a loop, which takes processor time, or by a call of the system that does not return.
 */
import { readFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { type LastWords, signOfLifeMs, writeLife } from "./process-protocol.js";
import { readRunningSlot } from "./running-slot.js";

export interface MainThreadData {
  /** Counts up while the main thread's event loop turns. */
  beats: SharedArrayBuffer;
  runningSlot: SharedArrayBuffer;
}

const lookMs = 100;

/** Processor time that the main thread may take in one turn of its loop. Waiting for a processor is no hang. */
const mostBusyMs = 1_000;

/** Time that one turn may take in all. */
const mostSilentMs = 10_000;

/** Unit of the times in /proc on Linux: USER_HZ is 100 on every architecture that Node runs on. */
const tickMs = 10;

const { beats: beatsBuffer, runningSlot } = workerData as MainThreadData;
const beats = new Int32Array(beatsBuffer);

let lastBeat = -1;
/** Counted in looks, so that a machine that slept is not taken for a hang. */
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

/** Processor time of the main thread so far. Where the system does not tell, time itself stands for it. */
function processorTimeMs(): number {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, "utf8");
    // The name, in parentheses, may hold spaces. After it, utime and stime are the 12th and 13th field.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return performance.now();
  }
}
