/** Limit on the number of characters that a host has reported and the main thread has not taken yet. */
export const mostUntaken = 2 ** 25;

/** Indexes of the cells in the shared memory. */
const cell = { heartbeat: 0, slot: 1, untaken: 2, usedMb: 3, begun: 4, thread: 5 } as const;

/**
 * Memory shared by a host and the main thread, so that the main thread can observe a host that hangs:
 * - `heartbeat` changes at the start and the end of every call of an environment, and is odd during a call.
 * - `slot` is the slot whose environment is running.
 * - `untaken` is the number of reported characters that the main thread has not taken. It limits the memory of large
 *   replies.
 * - `usedMb` is the memory in use after the last call, in MiB.
 * - `begun` is the number of messages that the host has started to perform. It reveals a hang between two calls.
 * - `thread` is the system's id of the host's thread, or 0 where it is not known.
 */
export class Pulse {
  protected readonly cells: Int32Array;

  constructor(readonly buffer = new SharedArrayBuffer(4 * Object.keys(cell).length)) {
    this.cells = new Int32Array(buffer);
  }

  enter(slot: number): void {
    Atomics.store(this.cells, cell.slot, slot);
    Atomics.add(this.cells, cell.heartbeat, 1);
  }

  leave(): void {
    Atomics.add(this.cells, cell.heartbeat, 1);
  }

  get heartbeat(): number {
    return Atomics.load(this.cells, cell.heartbeat);
  }

  get running(): boolean {
    return (this.heartbeat & 1) === 1;
  }

  get slot(): number {
    return Atomics.load(this.cells, cell.slot);
  }

  protected set slot(slot: number) {
    Atomics.store(this.cells, cell.slot, slot);
  }

  get usedMb(): number {
    return Atomics.load(this.cells, cell.usedMb);
  }

  set usedMb(mebibytes: number) {
    Atomics.store(this.cells, cell.usedMb, mebibytes);
  }

  get thread(): number {
    return Atomics.load(this.cells, cell.thread);
  }

  set thread(id: number) {
    Atomics.store(this.cells, cell.thread, id);
  }

  /** Called when the host starts to perform its next message. */
  begin(): void {
    Atomics.add(this.cells, cell.begun, 1);
  }

  /** Called when the host has performed a message. */
  end(): void {}

  get begun(): number {
    return Atomics.load(this.cells, cell.begun);
  }

  reported(characters: number): void {
    Atomics.add(this.cells, cell.untaken, characters);
  }

  taken(characters: number): void {
    Atomics.sub(this.cells, cell.untaken, characters);
    Atomics.notify(this.cells, cell.untaken);
  }

  /** Blocks the calling thread until the main thread has taken enough characters. */
  awaitTaken(): void {
    for (let untaken = this.untaken; untaken > mostUntaken; untaken = this.untaken)
      Atomics.wait(this.cells, cell.untaken, untaken);
  }

  /** Whether the host may be waiting until the main thread takes characters. */
  get backlogged(): boolean {
    return this.untaken > mostUntaken;
  }

  private get untaken(): number {
    return Atomics.load(this.cells, cell.untaken);
  }
}
