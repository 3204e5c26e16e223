import { AsyncLocalStorage, createHook } from "node:async_hooks";

/**
 * The slot whose code the main thread is running, however many timers and promises that code came through. The number is
 * in shared memory, so that a thread beside a hanging one can read it.
 */
export class RunningSlot {
  private readonly storage = new AsyncLocalStorage<number>();
  private readonly cell: Int32Array;

  constructor(readonly buffer = new SharedArrayBuffer(4)) {
    this.cell = new Int32Array(buffer);
    createHook({ before: () => this.write(this.current), after: () => this.write(0) }).enable();
  }

  /** The slot that the calling code belongs to; 0: none. */
  get current(): number {
    return this.storage.getStore() ?? 0;
  }

  /** Runs `call`, and all that it leads to, as code of the slot. */
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
  }
}

/** Reads the slot of a `RunningSlot` from another thread. */
export function readRunningSlot(buffer: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(buffer), 0);
}
