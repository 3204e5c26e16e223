/** What `palestra check` and the thread that plays say to each other. */
import type { CheckResult } from "../../envs/check-env.js";
import type { Config } from "../config.js";

export interface CheckThreadData {
  config: Pick<Config, "environments" | "sandboxes">;
  /** Ids as on the command line; none: every environment. */
  names: string[];
  /** Index of the first environment to check, among those. */
  first: number;
  /** Tasks played in each split. */
  episodes: number;
  /** Of a `CallMark`. */
  mark: SharedArrayBuffer;
}

export type CheckNotice =
  /** Nothing is checked: a name or a module is wrong, as the error says. */
  | { kind: "refused"; message: string }
  | { kind: "environment"; environment: string; isAsync: boolean; callMs: number }
  | { kind: "check"; check: string }
  | { kind: "result"; result: CheckResult }
  /** All checks of the environment are done. */
  | { kind: "checked" }
  | { kind: "done" };

const longestCall = 1_000;
const headBytes = 8;

/**
 * The call of the environment that runs, as the playing thread last noted it, in memory that the other thread can read
 * while a call blocks the first.
 */
export class CallMark {
  private readonly head: Int32Array;
  private readonly text: Uint8Array;

  constructor(readonly buffer = new SharedArrayBuffer(headBytes + longestCall)) {
    this.head = new Int32Array(buffer, 0, 2);
    this.text = new Uint8Array(buffer, headBytes);
  }

  note(call: string): void {
    const { written } = new TextEncoder().encodeInto(call, this.text);
    Atomics.store(this.head, 1, written);
    Atomics.add(this.head, 0, 1);
  }

  /** Changes with every call. */
  get count(): number {
    return Atomics.load(this.head, 0);
  }

  get call(): string {
    // A copy, since the decoder takes no shared memory.
    return new TextDecoder().decode(this.text.slice(0, Atomics.load(this.head, 1)));
  }
}
