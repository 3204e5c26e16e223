/**
 * Reads the header of the file that `Trainer.save` writes, so that a checkpoint can be used as a model. The class
 * `Checkpoint` of files/checkpoint.h describes the format.
 */
import { open } from "node:fs/promises";
import { misformed, NativeError, unreadable } from "../addon/errors.js";

/** Name of the file in a checkpoint's folder. */
export const trainerFileName = "trainer.bin";

/** Number of bytes that a reader takes at a time. */
const chunk = 1 << 20;
const mostHeadBytes = 1 << 28;
/** Positions of the adapters' options among the words of the header, after the 19 words of the model. */
const loraWord = { rank: 19, alpha: 20, targets: 21 } as const;

export interface StoredTensor {
  /** Position of the tensor in the file, in bytes. */
  readonly offset: number;
  readonly bytes: number;
}

export interface TrainerFile {
  readonly path: string;
  /** Adapters of the trainer; undefined without LoRA. `targets` has a bit for each projection, in the order of the C ABI. */
  readonly lora: { readonly rank: number; readonly alpha: number; readonly targets: number } | undefined;
  /** Weights and adapters as f32, by name. */
  readonly weights: ReadonlyMap<string, StoredTensor>;
}

/** Reads the header. Fails with NATIVE_IO or NATIVE_FORMAT, also when the file does not end where its tensors do. */
export async function readTrainerFile(path: string): Promise<TrainerFile> {
  const file = await open(path).catch((error) => {
    throw unreadable(path, error);
  });
  try {
    const { size } = await file.stat();
    let head = Buffer.alloc(0);
    const need = async (end: number) => {
      if (end > Math.min(size, mostHeadBytes)) throw misformed(`a complete checkpoint at ${path}`, `${size} bytes`);
      if (end <= head.length) return;
      const more = Buffer.alloc(Math.min(size, end + chunk));
      await file.read(more, 0, more.length, 0);
      head = more;
    };
    await need(20);
    const format = head.readUInt32LE(8);
    if (head.toString("latin1", 0, 8) !== "PALESTRA" || format !== 1)
      throw misformed(`a checkpoint of format 1 at ${path}`, "another format");
    const [count, words] = [head.readUInt32LE(12), head.readUInt32LE(16)];
    // The words are followed by two counts of 8 bytes, the version and the number of steps.
    let at = 20 + 4 * words + 16;
    await need(at);
    const word = (index: number) => 20 + 4 * index;
    const rank = head.readUInt32LE(word(loraWord.rank));
    const alpha = head.readFloatLE(word(loraWord.alpha));
    const targets = head.readUInt32LE(word(loraWord.targets));
    const tensors: [string, number][] = [];
    for (let i = 0; i < count; i += 1) {
      await need(at + 4);
      const length = head.readUInt32LE(at);
      await need(at + 12 + length);
      tensors.push([head.toString("utf8", at + 4, at + 4 + length), Number(head.readBigUInt64LE(at + 4 + length))]);
      at += 12 + length;
    }
    let offset = Math.ceil(at / 8) * 8;
    const weights = new Map<string, StoredTensor>();
    for (const [name, bytes] of tensors) {
      const [, weight] = /^weights\/(.*)$/.exec(name) ?? [];
      if (weight !== undefined) weights.set(weight, { offset, bytes });
      offset += bytes;
    }
    // A checksum of 8 bytes follows the tensors.
    if (offset + 8 !== size) throw misformed(`the tensors of ${path} to end at byte ${size - 8}`, offset);
    return { path, lora: rank > 0 ? { rank, alpha, targets } : undefined, weights };
  } catch (error) {
    throw error instanceof NativeError ? error : unreadable(path, error);
  } finally {
    await file.close();
  }
}
