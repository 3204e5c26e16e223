/** Runs test/peers/native-speed.py as a process that answers line by line, so that measurements take turns. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../peers/native-speed.py", import.meta.url));
const library = fileURLToPath(new URL("../../native/build/libpalestra.so", import.meta.url));

/** A matrix product y [rows, out] = x [rows, in] w^T. */
export interface Shape {
  rows: number;
  out: number;
  in: number;
}

export const weightTypes = ["f32", "bf16"] as const;
export type WeightType = (typeof weightTypes)[number];

export class NativePeer {
  /** Names and versions of the peers, or null if this Python lacks them. */
  readonly blas: string | null;
  readonly torch: string | null;
  readonly llama: string | null;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  private constructor(process: ChildProcessWithoutNullStreams, lines: AsyncIterator<string>, told: Told) {
    this.#process = process;
    this.#lines = lines;
    this.blas = told.blas;
    this.torch = told.torch;
    this.llama = told.llama;
  }

  static async start(python: string, threads: number): Promise<NativePeer> {
    const process = spawn(python, [script, `${threads}`]);
    process.stderr.on("data", (text) => globalThis.process.stderr.write(text));
    await once(process, "spawn");
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    return new NativePeer(process, lines, await ask(process, lines, { op: "describe" }));
  }

  /** Returns the FLOP/s of OpenBLAS. */
  async gemm(shape: Shape): Promise<number> {
    const { seconds } = await this.#ask<{ seconds: number }>({ op: "gemm", ...shape, rounds: rounds(shape) });
    return flops(shape) / seconds;
  }

  /** Returns the FLOP/s of PyTorch, whose products are oneDNN's. */
  async torchLinear(shape: Shape, dtype: WeightType): Promise<number> {
    const request = { op: "torch_linear", ...shape, rounds: rounds(shape), dtype };
    return flops(shape) / (await this.#ask<{ seconds: number }>(request)).seconds;
  }

  /**
   * Returns the seconds of a training step in PyTorch: forward, backward and AdamW.
   *
   * @param config fields of Hugging Face's config.json @param sequences number of sequences of equal length
   */
  async torchTrainingStep(config: object, dtype: WeightType, tokens: number, sequences: number): Promise<number> {
    const request = { op: "torch_train", config, dtype, tokens, sequences };
    return (await this.#ask<{ seconds: number }>(request)).seconds;
  }

  /** Returns the FLOP/s of the engine. @param packed type of packed w, or undefined for row-major w as in training */
  async linear(shape: Shape, packed: WeightType | undefined, dtype: WeightType = "f32"): Promise<number> {
    const how = {
      library,
      packed: packed === undefined ? 0 : 1 + weightTypes.indexOf(packed),
      dtype: 1 + weightTypes.indexOf(dtype),
    };
    const request = { op: "linear", ...shape, rounds: rounds(shape), ...how };
    const { seconds } = await this.#ask<{ seconds: number }>(request);
    return flops(shape) / seconds;
  }

  async convert(folder: string, target: string, type: WeightType): Promise<void> {
    await this.#ask({ op: "convert", source: folder, target, type: type.toUpperCase() });
  }

  /** Loads a model in llama.cpp, in place of the previous one. */
  async load(model: string, sequences: number, context: number, flash: boolean): Promise<void> {
    await this.#ask({ op: "load", model, sequences, context, flash: +flash });
  }

  /** Returns the time in seconds at which each step's tokens were ready: greedy, one token per sequence and step. */
  async decode(prompts: number[][], tokens: number): Promise<number[]> {
    const { times } = await this.#ask<{ times: number[] }>({ op: "decode", prompts, tokens });
    return times;
  }

  async stop(): Promise<void> {
    this.#process.stdin.end();
    await once(this.#process, "close");
  }

  #ask<T>(request: object): Promise<T> {
    return ask(this.#process, this.#lines, request);
  }
}

interface Told {
  blas: string | null;
  torch: string | null;
  llama: string | null;
}

async function ask<T>(
  process: ChildProcessWithoutNullStreams,
  lines: AsyncIterator<string>,
  request: object,
): Promise<T> {
  process.stdin.write(`${JSON.stringify(request)}\n`);
  const { value, done } = await lines.next();
  if (done) throw new Error(`expected an answer to ${JSON.stringify(request)}, but received none`);
  return JSON.parse(value) as T;
}

export const flops = (shape: Shape) => 2 * shape.rows * shape.out * shape.in;

/** FLOP of one measurement: about 20 ms of a core, so that turns are shorter than disturbances. */
const rounds = (shape: Shape) => Math.max(1, Math.round(2e9 / flops(shape)));
