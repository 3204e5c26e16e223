/** A trainer that records the parameter gradient of each optimiser step, and leaves the weights unchanged. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Trainer } from "#palestra/native/api/index.js";

export type Gradient = Float32Array;

export class OptimiserSteps {
  readonly gradients: Gradient[] = [];

  constructor(
    private readonly real: Trainer,
    private readonly folder: string,
  ) {}

  /** Replaces the real optimiser step. */
  get trainer(): Trainer {
    const { real } = this;
    const step: Trainer["step"] = async () => {
      const { gradient, result } = await this.take();
      this.gradients.push(gradient);
      return result;
    };
    return new Proxy(real, {
      get: (_, name) => {
        if (name === "step") return step;
        const value = Reflect.get(real, name, real);
        return typeof value === "function" ? value.bind(real) : value;
      },
    });
  }

  /** Reads and clears the accumulated gradient. With beta1 = 0, Adam's first moment is the gradient. */
  async take(): Promise<{ gradient: Gradient; result: Awaited<ReturnType<Trainer["step"]>> }> {
    const result = await this.real.step({ lr: 0, beta1: 0 });
    const file = join(this.folder, "trainer");
    await this.real.save(file);
    const gradient = tensorsOf(readFileSync(file), "first_moments/");
    rmSync(file);
    return { gradient, result };
  }
}

/** Returns the values of all tensors of a trainer's file with this prefix. The layout is in native/files/checkpoint.h. */
export function tensorsOf(file: Buffer, prefix: "weights/" | "first_moments/"): Float32Array {
  const tensors = file.readUInt32LE(12);
  let at = 20 + 4 * file.readUInt32LE(16) + 16;
  const spans: { name: string; bytes: number }[] = [];
  for (let tensor = 0; tensor < tensors; tensor++) {
    const length = file.readUInt32LE(at);
    const name = file.toString("utf8", at + 4, at + 4 + length);
    spans.push({ name, bytes: Number(file.readBigUInt64LE(at + 4 + length)) });
    at += 4 + length + 8;
  }
  at = Math.ceil(at / 8) * 8;
  const found: number[] = [];
  for (const { name, bytes } of spans) {
    const values = new Float32Array(Uint8Array.prototype.slice.call(file, at, at + bytes).buffer);
    if (name.startsWith(prefix)) found.push(...values);
    at += bytes;
  }
  if (found.length === 0) throw new Error(`expected ${prefix}NAME, but received ${JSON.stringify(spans)}`);
  return Float32Array.from(found);
}

/** |one - other| / |other| */
export function distance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length)
    throw new RangeError(`expected ${other.length} parameters, but received ${one.length}`);
  let [difference, size] = [0, 0];
  for (let at = 0; at < one.length; at++) {
    difference += ((one[at] as number) - (other[at] as number)) ** 2;
    size += (other[at] as number) ** 2;
  }
  return Math.sqrt(difference / size);
}
