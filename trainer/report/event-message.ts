/**
 * TensorBoard's messages for scalars and histograms (tensorflow/core/util/event.proto, framework/summary.proto) in the
 * wire format of protocol buffers. A field consists of its number and type, followed by a varint, by 8 or 4 bytes, or
 * by a length and that number of bytes.
 */

enum Wire {
  varint = 0,
  fixed64 = 1,
  bytes = 2,
  fixed32 = 5,
}

export interface Event {
  /** Time in seconds since 1970. */
  readonly wallTime: number;
  readonly step?: number;
  readonly fileVersion?: string;
  readonly scalars?: readonly { readonly tag: string; readonly value: number }[];
  readonly histograms?: readonly { readonly tag: string; readonly counts: readonly number[] }[];
  /** Whether a session starts. TensorBoard then discards events of older sessions from this step on. */
  readonly sessionStart?: boolean;
}

export function encodeEvent({
  wallTime,
  step = 0,
  fileVersion,
  scalars = [],
  histograms = [],
  sessionStart,
}: Event): Buffer {
  const values = [
    ...scalars.map(({ tag, value }) => [text(1, tag), fixed32(2, value)]),
    ...histograms.map(({ tag, counts }) => [text(1, tag), message(5, histogramOf(counts))]),
  ];
  return Buffer.concat([
    fixed64(1, wallTime),
    varint(2, step),
    ...(fileVersion === undefined ? [] : [text(3, fileVersion)]),
    ...(values.length === 0
      ? []
      : [
          message(
            5,
            values.map((value) => message(1, value)),
          ),
        ]),
    ...(sessionStart ? [message(7, [varint(1, 1)])] : []),
  ]);
}

/** Encodes a HistogramProto of integers from 0. The bucket of each integer ends halfway to the next integer. */
function histogramOf(counts: readonly number[]): Buffer[] {
  const moment = (power: number) => counts.reduce((sum, count, value) => sum + count * value ** power, 0);
  return [
    fixed64(
      1,
      counts.findIndex((count) => count > 0),
    ),
    fixed64(2, counts.length - 1),
    fixed64(3, moment(0)),
    fixed64(4, moment(1)),
    fixed64(5, moment(2)),
    packed(6, [-0.5, ...counts.map((_, value) => value + 0.5)]),
    packed(7, [0, ...counts]),
  ];
}

function key(field: number, wire: Wire): Buffer {
  return Buffer.of((field << 3) | wire);
}

/** Encodes an integer from 0 to 2^53 as a varint. */
function digits(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function varint(field: number, value: number): Buffer {
  return Buffer.concat([key(field, Wire.varint), digits(value)]);
}

function fixed64(field: number, value: number): Buffer {
  return Buffer.concat([key(field, Wire.fixed64), doubles([value])]);
}

function fixed32(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([key(field, Wire.fixed32), bytes]);
}

function bytesOf(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([key(field, Wire.bytes), digits(bytes.length), bytes]);
}

function text(field: number, value: string): Buffer {
  return bytesOf(field, Buffer.from(value));
}

function message(field: number, fields: readonly Buffer[]): Buffer {
  return bytesOf(field, Buffer.concat(fields));
}

function packed(field: number, values: readonly number[]): Buffer {
  return bytesOf(field, doubles(values));
}

function doubles(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, index * 8);
  return bytes;
}
