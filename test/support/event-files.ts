/** A reader for the scalars of TensorBoard event files (event.proto, summary.proto), independent of our writer. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Scalar {
  step: number;
  value: number;
}

type Field = { number: number; value: bigint | Buffer };

/** Returns the scalars of a tag as TensorBoard shows them: a new session replaces the steps that it repeats. */
export function scalarsOf(folder: string, tag: string): Scalar[] {
  let scalars: Scalar[] = [];
  for (const file of readdirSync(folder).sort()) {
    for (const event of recordsOf(readFileSync(join(folder, file)))) {
      const fields = fieldsOf(event);
      const step = Number(fields.find(({ number }) => number === 2)?.value ?? 0);
      if (fields.some(({ number }) => number === 7)) scalars = scalars.filter((scalar) => scalar.step < step);
      for (const { value: summary } of fields.filter(({ number }) => number === 5)) {
        for (const { value } of fieldsOf(summary as Buffer)) {
          const parts = fieldsOf(value as Buffer);
          const scalar = parts.find(({ number }) => number === 2)?.value as Buffer | undefined;
          if (scalar && String(parts[0]?.value) === tag) scalars.push({ step, value: scalar.readFloatLE() });
        }
      }
    }
  }
  return scalars;
}

/** Reads a record: 8 bytes of length, 4 of checksum, the message, 4 of checksum. */
function recordsOf(file: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < file.length; ) {
    const length = Number(file.readBigUInt64LE(at));
    records.push(file.subarray(at + 12, at + 12 + length));
    at += 12 + length + 4;
  }
  return records;
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const key = Number(varint());
    const wire = key & 7;
    if (wire === 0) {
      fields.push({ number: key >> 3, value: varint() });
      continue;
    }
    const length = wire === 2 ? Number(varint()) : wire === 1 ? 8 : 4;
    fields.push({ number: key >> 3, value: message.subarray(at, at + length) });
    at += length;
  }
  return fields;
}
