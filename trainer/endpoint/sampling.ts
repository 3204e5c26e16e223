/**
 * Samples replies. A call extends the sequence of its parent if that sequence is free, else it starts a new sequence.
 */
import { type Generator, NativeError, type Request, type Sequence } from "../../native/api/index.js";
import { type Call, tokensOf } from "./call-tree.js";
import { EndpointError } from "./protocol/errors.js";

/** Sequences whose keys and values are kept, by the last call in each. */
export class KeptSequences {
  private readonly sequences = new Map<Call, Sequence>();

  constructor(private readonly generator: Generator) {}

  /** Starts sampling. The caller awaits `result`, and then passes the sequence to `keep` or releases it. */
  begin(call: Call, request: Omit<Request, "tokens">): Sequence {
    const { parent, given } = call;
    const before = parent && this.sequences.get(parent);
    try {
      if (parent && before) {
        // The sequence now belongs to this child; another child of the same call starts a new sequence.
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

/**
 * Converts an error of the engine to an EndpointError for the agent. Other errors are bugs and are returned unchanged.
 */
export function generationFailed(error: unknown): unknown {
  return error instanceof NativeError ? new EndpointError("generation_failed", error.message) : error;
}

function joined(one: Int32Array, other: Int32Array): Int32Array {
  const all = new Int32Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
