import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GymError } from "../../errors.js";
import { faultExit } from "../protocol.js";
import { Pulse } from "../pulse.js";
import { writeLife } from "./process-protocol.js";

/**
 * Pulse of a host process. The process writes the cells to a file at the start of each call, and the gym reads the file. The
 * last cells remain readable when the process dies, whatever it dies of. The end of a call is written with the next call, or
 * at the end of a message.
 */
export class WrittenPulse extends Pulse {
  private readonly bytes = new Uint8Array(this.cells.buffer);
  private readonly write = writeSync;

  /** @param descriptor descriptor of a file that the gym's process reads */
  constructor(private readonly descriptor: number) {
    super();
  }

  override enter(slot: number): void {
    super.enter(slot);
    this.flush();
  }

  /** Notes the slot whose code runs, where calls of several slots overlap. 0 means no slot. */
  mark(slot: number): void {
    if (slot === this.slot) return;
    this.slot = slot;
    this.flush();
  }

  override begin(): void {
    super.begin();
    this.flush();
  }

  override end(): void {
    this.flush();
  }

  private flush(): void {
    try {
      this.write(this.descriptor, this.bytes, 0, this.bytes.length, 0);
    } catch (error) {
      // Without a pulse, a process that hangs or dies would have no guilty slot.
      writeLife({
        slot: this.slot,
        code: "ENVIRONMENT_THREW",
        detail: `it broke its host: ${(error as Error).message}`,
      });
      process.exit(faultExit);
    }
  }
}

/** The gym's view of a `WrittenPulse`, as of the last `refresh`. */
export class ReadPulse extends Pulse {
  private readonly bytes = new Uint8Array(this.cells.buffer);
  /** Descriptor of the file, which the process inherits. */
  readonly descriptor = openUnnamedFile();

  refresh(): void {
    readSync(this.descriptor, this.bytes, 0, this.bytes.length, 0);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Opens a file without a name, in memory on systems that have a folder for that. */
function openUnnamedFile(): number {
  const name = `palestra-pulse-${process.pid}-${Math.random().toString(36).slice(2)}`;
  for (const folder of ["/dev/shm", tmpdir()]) {
    try {
      const path = join(folder, name);
      const descriptor = openSync(path, "wx+", 0o600);
      rmSync(path);
      return descriptor;
    } catch {
      // The folder does not exist or cannot be written.
    }
  }
  throw new GymError("HOST_FAILED", "a folder for temporary files that can be written", tmpdir());
}
