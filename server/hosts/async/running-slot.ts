import { AsyncLocalStorage, createHook } from "node:async_hooks";

/**
 * Tracks the slot whose code the main thread is running, also in timers and promises. The slot number is in shared
 * memory, so that the watchdog thread can read it while the main thread hangs.
 */
export class RunningSlot {
  private readonly storage = new AsyncLocalStorage<number>();
  private readonly cell: Int32Array;

  /** @param onChange called with the slot whenever other code begins to run */
  constructor(
    private readonly onChange: (slot: number) => void = () => {},
    readonly buffer = new SharedArrayBuffer(4),
  ) {
    this.cell = new Int32Array(buffer);
    createHook({ before: () => this.write(this.current), after: () => this.write(0) }).enable();
  }

  /** Slot that the calling code belongs to, or 0 for no slot. */
  get current(): number {
    return this.storage.getStore() ?? 0;
  }

  /** Runs `call` and attributes it to the slot. Timers and promises that `call` creates belong to the slot too. */
  run<T>(slot: number, call: () => T): T {
    const outer = this.current;
    return this.storage.run(slot, () => {
      this.write(slot);
      try {
        return call();
      } finally {
        this.write(outer);
      }
    });
  }

  private write(slot: number): void {
    Atomics.store(this.cell, 0, slot);
    this.onChange(slot);
  }
}

/** Reads the slot of a `RunningSlot` from another thread. */
export function readRunningSlot(buffer: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(buffer), 0);
}
