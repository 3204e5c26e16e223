/** Values of GGUF's metadata as bytes, each with the number of its type. */

export interface GgufValue {
  readonly type: number;
  readonly bytes: Buffer;
}

export const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
export const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
/** A text with its length before it. */
export const string = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

export const numberOf = (value: number): GgufValue => ({ type: 4, bytes: u32(value) });
export const realOf = (value: number): GgufValue => ({ type: 6, bytes: Buffer.from(Float32Array.of(value).buffer) });
export const trueOf = (): GgufValue => ({ type: 7, bytes: Buffer.of(1) });
export const textOf = (value: string): GgufValue => ({ type: 8, bytes: string(value) });

/** A list of values of one type. An empty list is a list of texts. */
export function listOf(values: readonly GgufValue[]): GgufValue {
  const head = [u32(values[0]?.type ?? 8), u64(values.length)];
  return { type: 9, bytes: Buffer.concat([...head, ...values.map(({ bytes }) => bytes)]) };
}
