import { readFileSync } from "node:fs";
import type { Log } from "../../log/log.js";
import { CallWatch } from "../call-watch.js";
import { outOfMemoryExit } from "../protocol.js";
import { type CallLimits, callLimits, excessOf, statOf, ThreadClock } from "../thread-clock.js";
import type { Launch } from "./launch.js";
import { type Exit, ProcessHost, type ProcessHostListener } from "./process-host.js";
import { type LastWords, outOfMemorySignals, type ProcessSetup } from "./process-protocol.js";

/** MiB that Node itself takes in a process, beyond what environments take. */
const nodeMb = 128;

const pageBytes = 4_096;

/**
 * Represents, in the gym's process, a process that runs synchronous environments. The gym watches the pulse and the memory
 * of the process.
 */
export class SyncProcessHost extends ProcessHost {
  private readonly callWatch: CallWatch;
  private readonly callLimits: CallLimits;

  constructor(
    launch: Omit<Launch, "program" | "hasSandboxes">,
    setup: ProcessSetup,
    log: Log,
    listener: ProcessHostListener,
  ) {
    super(
      { ...launch, program: new URL("./sync-process.js", import.meta.url), hasSandboxes: false },
      setup,
      log,
      listener,
    );
    const clock = new ThreadClock(() => (this.pid === undefined ? null : statOf(this.pid, this.pid)));
    this.callLimits = callLimits(setup.stepDeadlineMs, setup.times);
    this.callWatch = new CallWatch(this.pulse, clock, () => 0);
  }

  protected watchRunning(elapsedMs: number): void {
    this.pulse.refresh();
    if (residentBytes(this.pid) / 2 ** 20 > this.setup.limits.memoryMb + nodeMb) return this.kill(this.outOfMemory());
    const excess = excessOf(this.callWatch.look(elapsedMs, this.outbox.posted), this.callLimits);
    if (excess === null) return;
    const { slot, uncertain } = this.suspect;
    const detail = `the call ${excess.detail} and was ended`;
    this.kill({ slot, code: "ENVIRONMENT_HUNG", detail, uncertain: uncertain || excess.uncertain });
  }

  protected blame(cause: string, { code, signal }: Exit): LastWords {
    const { suspect } = this;
    if (code === outOfMemoryExit) return this.outOfMemory();
    if (suspect.slot === 0) return { ...suspect, code: "HOST_FAILED", detail: cause };
    if (signal !== null && outOfMemorySignals.has(signal))
      return { ...this.outOfMemory(), detail: `it aborted for want of memory or another reason: ${cause}` };
    // Something outside may have killed the process, such as the system for want of memory.
    const uncertain = suspect.uncertain || signal === "SIGKILL";
    return { slot: suspect.slot, code: "ENVIRONMENT_THREW", detail: cause, uncertain };
  }

  /** The slot whose code runs, or ran last: in a call, a timer or a promise. */
  private get suspect(): { slot: number; uncertain: boolean } {
    const { running, slot } = this.pulse;
    return { slot: this.stopped ? 0 : slot, uncertain: !running };
  }

  /** If most of the memory was in use before the call, the blame is uncertain. */
  private outOfMemory(): LastWords {
    const { memoryMb } = this.setup.limits;
    const { slot, uncertain } = this.suspect;
    return {
      slot,
      code: "ENVIRONMENT_OUT_OF_MEMORY",
      detail: `the call brought its host over ${memoryMb} MiB`,
      uncertain: uncertain || this.pulse.usedMb > memoryMb / 2,
    };
  }
}

/** Memory that a process holds. 0 on systems without /proc, where V8's own limit alone ends the process. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
}
