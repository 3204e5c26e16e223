/** Sampling of replies: a call extends the sequence that it continues if that is free, else it begins a new one. */
import { type Generator, NativeError, type Request, type Sequence } from "../../native/api/index.js";
import { type Call, tokensOf } from "./call-tree.js";
import { EndpointError } from "./errors.js";

/** Sequences whose keys and values are kept, by the last call in them. */
export class KeptSequences {
  private readonly sequences = new Map<Call, Sequence>();

  constructor(private readonly generator: Generator) {}

  /** Begins to sample. The caller awaits `result`, and then passes the sequence to `keep` or releases it. */
  begin(call: Call, request: Omit<Request, "tokens">): Sequence {
    const { parent, given } = call;
    const before = parent && this.sequences.get(parent);
    try {
      if (parent && before) {
        // The sequence now belongs to this child; another child begins a new one.
        this.sequences.delete(parent);
        before.extend({ ...request, tokens: given }).catch(() => {});
        return before;
      }
      return this.generator.submit({ ...request, tokens: parent ? joined(tokensOf(parent), given) : given });
    } catch (error) {
      before?.release();
      throw generationFailed(error);
    }
  }

  keep(call: Call, sequence: Sequence): void {
    this.sequences.set(call, sequence);
  }

  release(): void {
    for (const sequence of this.sequences.values()) sequence.release();
    this.sequences.clear();
  }
}

/** Converts an error of the engine to one for the agent; other errors are bugs and stay. */
export function generationFailed(error: unknown): unknown {
  return error instanceof NativeError ? new EndpointError("generation_failed", error.message) : error;
}

function joined(one: Int32Array, other: Int32Array): Int32Array {
  const all = new Int32Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
