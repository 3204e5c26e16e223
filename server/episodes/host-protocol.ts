/**
 * What the main thread and a host thread say to each other.
 *
 * A message is one flat array of numbers and strings that holds a whole tick's commands or results, one after the
 * other. Flat arrays cross threads several times faster than arrays of objects, and a step's reply crosses as the JSON
 * text that the caller will get: the main thread never parses an observation.
 */

export type Message = (number | string)[];

/** Words from which on a message waits for no more of them: some fifty steps. */
export const fullMessage = 150;

/** Commands, main thread to host. Each starts with its kind and the slot that it concerns. */
export const Command = {
  /** slot, environment, split, index, seed, maxSteps, opening or "", count, then count pairs of action and reply */
  open: 0,
  /** slot, action */
  step: 1,
  /** slot */
  expert: 2,
  /** slot, slot of the copy */
  clone: 3,
  /** slot */
  close: 4,
} as const;

/** Results, host to main thread, in the order of the commands; `close` has none. */
export const Result = {
  /** slot, opening: JSON text of the reset result */
  opened: 0,
  /** slot, how it ended, reply: JSON text of the step result with its index */
  stepped: 1,
  /** slot, the expert's action or "", 1 if there is an action */
  advised: 2,
  /** slot of the copy */
  cloned: 3,
  /** slot, error code, detail. The slot is closed. */
  failed: 4,
  /** 0, detail: an error that no command led to */
  stray: 5,
} as const;

/** How a step left its episode. */
export const Ended = { no: 0, terminated: 1, truncated: 2 } as const;
export type Ended = (typeof Ended)[keyof typeof Ended];

/** A past step, as replay needs it. */
export interface PlayedStep {
  action: string;
  /** The reply as logged; replay must give the same bytes. */
  reply: string;
}

/** Reads a message from front to back. */
export class MessageReader {
  private at = 0;

  constructor(private readonly message: Message) {}

  get done(): boolean {
    return this.at >= this.message.length;
  }

  number(): number {
    return this.message[this.at++] as number;
  }

  string(): string {
    return this.message[this.at++] as string;
  }
}

/**
 * Memory shared by a host and the main thread, through which a host that hangs can still be seen: `beat` is odd while
 * the environment runs and changes with every call of it, `slot` is whose environment runs.
 */
export class Pulse {
  private readonly cells: Int32Array;

  constructor(readonly buffer = new SharedArrayBuffer(8)) {
    this.cells = new Int32Array(buffer);
  }

  enter(slot: number): void {
    Atomics.store(this.cells, 1, slot);
    Atomics.add(this.cells, 0, 1);
  }

  leave(): void {
    Atomics.add(this.cells, 0, 1);
  }

  get beat(): number {
    return Atomics.load(this.cells, 0);
  }

  get running(): boolean {
    return (this.beat & 1) === 1;
  }

  get slot(): number {
    return Atomics.load(this.cells, 1);
  }
}

/** The exit code of a host that found itself over its memory limit. */
export const outOfMemoryExit = 86;

export interface HostData {
  pulse: SharedArrayBuffer;
  environmentModules: readonly string[];
  limits: HostLimits;
}

export interface HostLimits {
  /** JavaScript heap and array buffers of one host, in MiB. */
  memoryMb: number;
  /** JSON text of one reply, in characters. */
  maxReplyLength: number;
}
