/**
 * The messages of the Tinker API that newer clients and servers exchange as protobuf: the body of `forward_backward`, and the
 * results of passes and of samples. Numbers of the fields are those of the API.
 */
export const protobufType = "application/x-protobuf";

/** Values of a loss's input or output. Token ids are int64, all other values float32. */
export interface TensorData {
  readonly data: readonly number[];
  readonly dtype: "int64" | "float32";
  readonly shape: readonly number[];
}

/** A sequence with the inputs of its loss. */
export interface Datum {
  readonly model_input: { readonly chunks: readonly { readonly type: "encoded_text"; readonly tokens: number[] }[] };
  readonly loss_fn_inputs: Readonly<Record<string, TensorData>>;
}

export interface ForwardBackward {
  readonly model_id: string;
  readonly seq_id: number;
  /** Whether the pass only computes log-probabilities. */
  readonly forwardOnly: boolean;
  readonly input: {
    readonly data: readonly Datum[];
    readonly loss_fn: string;
    readonly loss_fn_config?: Readonly<Record<string, number>>;
  };
}

/** Kinds of a field on the wire. */
const [varint, fixed64, delimited, fixed32] = [0, 1, 2, 5] as const;
const dtypes = { float32: 1, int64: 2, int32: 3, bfloat16: 4 } as const;

export function writeForwardBackward({ model_id, seq_id, forwardOnly, input }: ForwardBackward): Buffer {
  const { data, loss_fn, loss_fn_config = {} } = input;
  const configs = Object.entries(loss_fn_config).map(([name, value]) => {
    const number = Buffer.alloc(8);
    number.writeDoubleLE(value);
    return bytes(5, Buffer.concat([text(1, name), tag(2, fixed64), number]));
  });
  return Buffer.concat([
    text(1, model_id),
    integer(2, seq_id),
    ...data.map((datum) => bytes(3, writeDatum(datum))),
    text(4, loss_fn),
    ...configs,
    ...(forwardOnly ? [integer(6, 1)] : []),
  ]);
}

function writeDatum({ model_input, loss_fn_inputs }: Datum): Buffer {
  const chunks = model_input.chunks.map(({ tokens }) => bytes(1, bytes(1, bytes(1, raw(Int32Array.from(tokens))))));
  const inputs = Object.entries(loss_fn_inputs).map(([name, { data, dtype, shape }]) => {
    const values = dtype === "int64" ? BigInt64Array.from(data, BigInt) : Float32Array.from(data);
    const sizes = bytes(4, Buffer.concat(shape.map(varintOf)));
    const tensor = Buffer.concat([bytes(1, raw(values)), integer(3, dtypes[dtype]), sizes]);
    return bytes(2, Buffer.concat([text(1, name), bytes(2, tensor)]));
  });
  return Buffer.concat([...chunks, ...inputs]);
}

/** Reads the result of a pass, in the form of its JSON. */
export function readOutput(message: Buffer): Readonly<Record<string, unknown>> {
  const outputs: Record<string, TensorData>[] = [];
  const metrics: Record<string, number> = {};
  for (const { field, value } of fieldsOf(message)) {
    if (field === 2) outputs.push(...readRecord(value as Buffer));
    if (field === 3) {
      const entry = entryOf(value as Buffer);
      metrics[entry.key] = (entry.value as Buffer).readDoubleLE();
    }
  }
  return { loss_fn_outputs: outputs, metrics };
}

/** Reads the outputs of the sequences, which are concatenated for each name. */
function readRecord(message: Buffer): Record<string, TensorData>[] {
  const outputs: Record<string, TensorData>[] = [];
  for (const { field, value } of fieldsOf(message)) {
    if (field !== 2) continue;
    const { key, value: tensor } = entryOf(value as Buffer);
    for (const [at, data] of readBatched(tensor as Buffer).entries()) {
      outputs[at] ??= {};
      (outputs[at] as Record<string, TensorData>)[key] = { data, dtype: "float32", shape: [data.length] };
    }
  }
  return outputs;
}

function readBatched(message: Buffer): number[][] {
  let [data, offsets, dtype]: [Buffer, Buffer, number] = [Buffer.alloc(0), Buffer.alloc(0), 0];
  for (const { field, value } of fieldsOf(message)) {
    if (field === 1) data = value as Buffer;
    if (field === 2) offsets = value as Buffer;
    if (field === 3) dtype = value as number;
  }
  const ends = Array.from({ length: offsets.length / 8 }, (_, at) => Number(offsets.readBigInt64LE(8 * at)));
  return ends.slice(1).map((end, at) => numbersOf(data.subarray(ends[at], end), dtype));
}

function numbersOf(data: Buffer, dtype: number): number[] {
  const list = (size: number, read: (at: number) => number) =>
    Array.from({ length: data.length / size }, (_, at) => read(at * size));
  if (dtype === dtypes.float32) return list(4, (at) => data.readFloatLE(at));
  if (dtype === dtypes.int32) return list(4, (at) => data.readInt32LE(at));
  if (dtype === dtypes.int64) return list(8, (at) => Number(data.readBigInt64LE(at)));
  // The upper half of a float32.
  const wide = Buffer.alloc(4);
  return list(2, (at) => {
    wide.writeUInt16LE(data.readUInt16LE(at), 2);
    return wide.readFloatLE();
  });
}

/** Reads the result of a sampling request, in the form of its JSON. */
export function readSamples(message: Buffer): Readonly<Record<string, unknown>> {
  const sequences = fieldsOf(message).flatMap(({ field, value }) => {
    if (field !== 1) return [];
    let [reason, tokens, logprobs]: [number, Buffer, Buffer] = [0, Buffer.alloc(0), Buffer.alloc(0)];
    for (const part of fieldsOf(value as Buffer)) {
      if (part.field === 1) reason = part.value as number;
      if (part.field === 2) tokens = part.value as Buffer;
      if (part.field === 3) logprobs = part.value as Buffer;
    }
    const stop_reason = reason === 1 ? "length" : "stop";
    const values = numbersOf(logprobs, dtypes.float32);
    return [{ stop_reason, tokens: numbersOf(tokens, dtypes.int32), logprobs: values }];
  });
  return { sequences };
}

interface Field {
  readonly field: number;
  /** A number, or the bytes of a message, a text or a fixed number. */
  readonly value: number | Buffer;
}

/** Splits a message into its fields. @throws {RangeError} the message ends within a field */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const number = () => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = message.readUInt8(at);
      at += 1;
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const key = number();
    const [field, kind] = [Math.floor(key / 8), key % 8];
    if (kind === varint) {
      fields.push({ field, value: number() });
      continue;
    }
    const size = kind === delimited ? number() : kind === fixed64 ? 8 : kind === fixed32 ? 4 : Number.NaN;
    if (!(at + size <= message.length)) throw new RangeError(`expected ${size} bytes of field ${field}`);
    fields.push({ field, value: message.subarray(at, at + size) });
    at += size;
  }
  return fields;
}

/** Reads an entry of a map. */
function entryOf(message: Buffer): { key: string; value: number | Buffer } {
  let [key, value]: [string, number | Buffer] = ["", Buffer.alloc(8)];
  for (const part of fieldsOf(message)) {
    if (part.field === 1) key = (part.value as Buffer).toString();
    if (part.field === 2) value = part.value;
  }
  return { key, value };
}

function varintOf(value: number): Buffer {
  const all: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    all.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return Buffer.from(all);
}

function tag(field: number, kind: number): Buffer {
  return varintOf(8 * field + kind);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, varint), varintOf(value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([tag(field, delimited), varintOf(value.length), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function raw({ buffer, byteOffset, byteLength }: Int32Array | BigInt64Array | Float32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
