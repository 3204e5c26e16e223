/**
 * The sequences of a pack as rows of the Tinker API, and back. The API shifts targets: position t of a row has `tokens[t]` as
 * its input and `tokens[t + 1]` as its target, so a sequence of n tokens gives a row of n - 1 positions.
 */
import type { Pack } from "../../../native/api/index.js";
import type { Datum, TensorData } from "./protobuf.js";

/** A sequence in a pack: its first token and the one after its last. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** Returns the sequences that have a target: two tokens or more. */
export function spansOf({ tokens, starts = [0, tokens.length] }: Pack): Span[] {
  return Array.from({ length: starts.length - 1 }, (_, at) => ({
    first: starts[at] as number,
    end: starts[at + 1] as number,
  })).filter(({ first, end }) => end - first > 1);
}

/** Returns which tokens have a prediction that is scored or trained: [tokens]. */
export function targetsOf({ tokens, mask, ...pack }: Pack, weights?: ArrayLike<number>): Uint8Array {
  const targets = new Uint8Array(tokens.length);
  for (const { first, end } of spansOf({ tokens, ...pack }))
    for (let token = first + 1; token < end; token++)
      targets[token] = Number((mask === undefined || Number(mask[token]) !== 0) && weights?.[token] !== 0);
  return targets;
}

/** Makes a row. @param columns inputs of the loss: [tokens] of the pack */
export function rowOf({ tokens }: Pack, { first, end }: Span, columns: Readonly<Record<string, Float32Array>>): Datum {
  const part = (values: ArrayLike<number>, from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => values[from + at] as number);
  const tensor = (data: number[], dtype: TensorData["dtype"]): TensorData => ({ data, dtype, shape: [data.length] });
  const inputs = Object.entries(columns).map(([name, values]) => [
    name,
    tensor(part(values, first + 1, end), "float32"),
  ]);
  return {
    model_input: { chunks: [{ type: "encoded_text", tokens: part(tokens, first, end - 1) }] },
    loss_fn_inputs: { target_tokens: tensor(part(tokens, first + 1, end), "int64"), ...Object.fromEntries(inputs) },
  };
}

/** Most rows and positions in a request, so that no body of a request becomes too long. */
const [mostRows, mostPositions] = [256, 1 << 17];

/** Divides spans among requests. */
export function requestsOf(spans: readonly Span[]): Span[][] {
  const requests: Span[][] = [];
  let room = 0;
  for (const span of spans) {
    const length = span.end - span.first - 1;
    const last = requests.at(-1);
    if (last && last.length < mostRows && length <= room) last.push(span);
    else {
      requests.push([span]);
      room = mostPositions;
    }
    room -= length;
  }
  return requests;
}
