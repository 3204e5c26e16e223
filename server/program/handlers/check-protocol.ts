/** Messages between `palestra check` and the thread that runs the checks. */
import type { CheckResult } from "../../../envs/check-env.js";
import type { Config } from "../../config/config.js";

export interface CheckThreadData {
  config: Pick<Config, "environments" | "sandboxes" | "limits">;
  /** Names of the environments to check, as given on the command line. Empty: every environment. */
  names: string[];
  /** Index in `names` of the first environment to check. */
  first: number;
  /** Number of tasks played in each split. */
  episodes: number;
  /** Buffer of a `CallMark`. */
  mark: SharedArrayBuffer;
}

export type CheckNotice =
  /** The thread checks nothing, because an environment's name or module is wrong. */
  | { type: "refused"; message: string }
  | { type: "environment"; environment: string; isAsync: boolean; callMs: number }
  | { type: "check"; check: string }
  | { type: "result"; result: CheckResult }
  /** All checks of the environment are done. */
  | { type: "checked" }
  | { type: "done" };

const longestCall = 1_000;
const headBytes = 16;

/**
 * Shared memory with the call that an environment is performing. The main thread can read it even while the call blocks
 * the checking thread.
 */
export class CallMark {
  private readonly head: Int32Array;
  private readonly text: Uint8Array;

  constructor(readonly buffer = new SharedArrayBuffer(headBytes + longestCall)) {
    this.head = new Int32Array(buffer, 0, 4);
    this.text = new Uint8Array(buffer, headBytes);
  }

  /** @param place position of the task that the call begins; the position stays if it is undefined */
  note(call: string, place?: { at: number; of: number }): void {
    const { written } = new TextEncoder().encodeInto(call, this.text);
    Atomics.store(this.head, 1, written);
    if (place) {
      Atomics.store(this.head, 2, place.at);
      Atomics.store(this.head, 3, place.of);
    }
    Atomics.add(this.head, 0, 1);
  }

  /** Number of calls recorded so far, modulo 2^32. */
  get count(): number {
    return Atomics.load(this.head, 0);
  }

  /** Position of the current task among the tasks of a check, or null before the first task. */
  get place(): { at: number; of: number } | null {
    const at = Atomics.load(this.head, 2);
    return at === 0 ? null : { at, of: Atomics.load(this.head, 3) };
  }

  get call(): string {
    // The text is copied, since the decoder does not accept shared memory.
    return new TextDecoder().decode(this.text.slice(0, Atomics.load(this.head, 1)));
  }
}
