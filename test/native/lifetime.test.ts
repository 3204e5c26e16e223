/** Handles can be closed in any order and state, on other threads, and at the end of the process. */
import { spawnSync } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { Engine, NativeError, nativeErrors } from "#palestra/native/api/index.js";
import { code, configs, contextOfSlower, needsEngine, slower } from "./tiny-models.js";

needsEngine();

const tokens = [3, 1, 4, 1, 5];
const source = { config: configs.llama, seed: 1 };
const index = import.meta.resolve("#palestra/native/api/index.js");

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("every handle can be closed twice, and calls after that fail with NATIVE_CLOSED", async () => {
  const engine = await Engine.create({ threads: 1 });
  const model = await engine.loadModel(source);
  const trainer = await model.trainer({ maxTokens: 16 });
  const generator = await model.generator({ kvBytes: 1 << 20 });
  for (const handle of [generator, generator, trainer, trainer, model, model]) handle.close();
  await engine.close();
  await engine.close();
  expect(() => generator.submit({ tokens })).toThrow(code("NATIVE_CLOSED"));
  await expect(trainer.score({ tokens })).rejects.toEqual(code("NATIVE_CLOSED"));
  await expect(model.trainer({ maxTokens: 1 })).rejects.toEqual(code("NATIVE_CLOSED"));
  expect(() => engine.info()).toThrow(code("NATIVE_CLOSED"));
  await expect(engine.loadModel(source)).rejects.toEqual(code("NATIVE_CLOSED"));
});

test("closing a busy engine ends queued work with NATIVE_CLOSED and closes its models, trainers and generators", async () => {
  const engine = await Engine.create({ threads: 1 });
  const model = await engine.loadModel({ config: slower, seed: 1 });
  const trainer = await model.trainer({ maxTokens: 64 });
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const sequences = generator.submitGroup({ tokens }, 8);
  const calls = Array.from({ length: 20 }, () => trainer.score({ tokens: contextOfSlower }));
  const ends = Promise.allSettled([...calls, ...sequences.map(({ result }) => result)]);
  await engine.close();
  const failures = (await ends).filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  expect(failures.length).toBeGreaterThan(sequences.length);
  for (const { reason } of failures) expect(reason).toEqual(code("NATIVE_CLOSED"));
  expect(() => model.version).toThrow(code("NATIVE_CLOSED"));
});

test("closing a busy generator fails its sequences, and its model keeps working", async () => {
  const engine = await Engine.create({ threads: 1 });
  const model = await engine.loadModel(source);
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const sequence = generator.submit({ tokens });
  generator.close();
  await expect(sequence.result).rejects.toEqual(code("NATIVE_CLOSED"));
  const again = await model.generator({ kvBytes: 1 << 20 });
  expect((await again.submit({ tokens, maxNewTokens: 3 }).result).tokens).toHaveLength(3);
  await engine.close();
});

test("two engines do not affect each other", async () => {
  const train = async () => {
    const engine = await Engine.create({ threads: 2 });
    const model = await engine.loadModel(source);
    const trainer = await model.trainer({ maxTokens: 16 });
    const losses: number[] = [];
    for (let step = 0; step < 5; step += 1) {
      losses.push((await trainer.accumulate({ tokens }, { policy: "cross-entropy" })).loss);
      await trainer.step({ lr: 1e-2 });
    }
    await engine.close();
    return losses;
  };
  const [alone] = [await train()];
  expect(await Promise.all([train(), train()])).toEqual([alone, alone]);
});

// Making a GPU context takes part of a second.
test("making and closing an engine a hundred times leaks no memory", { timeout: 300_000 }, async () => {
  const round = async () => {
    const engine = await Engine.create({ threads: 2, memoryBytes: 256 << 20 });
    const model = await engine.loadModel(source);
    const trainer = await model.trainer({ maxTokens: 16 });
    const generator = await model.generator({ kvBytes: 4 << 20 });
    await generator.submit({ tokens, maxNewTokens: 2 }).result;
    await trainer.score({ tokens });
    generator.close();
    trainer.close();
    model.close();
    await engine.close();
  };
  for (let i = 0; i < 30; i += 1) await round();
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 100; i += 1) await round();
  // A hundred leaked engines would take 400 MB or more.
  expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
});

test("closed models return their memory to the engine's budget", async () => {
  const engine = await Engine.create({ threads: 1 });
  const { memoryUsed: own } = engine.info();
  const round = async () => {
    const model = await engine.loadModel(source);
    const generator = await model.generator({ kvBytes: 1 << 20 });
    await generator.submit({ tokens, maxNewTokens: 2 }).result;
    expect(engine.info().memoryUsed - own).toBeGreaterThan(1 << 20);
    generator.close();
    model.close();
    // The last job releases the models on the engine's thread. Only the scratch memory of its kernels remains.
    await expect.poll(() => engine.info().memoryUsed - own).toBeLessThan(1 << 16);
    return engine.info().memoryUsed;
  };
  const first = await round();
  expect([await round(), await round()]).toEqual([first, first]);
  await engine.close();
});

test("released or garbage-collected sequences leave no entry behind", async () => {
  const engine = await Engine.create({ threads: 1 });
  const model = await engine.loadModel(source);
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const made: WeakRef<object>[] = [];
  const round = async () => {
    const sequences = generator.submitGroup({ tokens, maxNewTokens: 2 }, 20);
    await Promise.all(sequences.map(({ result }) => result));
    for (const sequence of sequences.slice(10)) sequence.release();
    made.push(...sequences.map((sequence) => new WeakRef(sequence)));
  };
  await round();
  await expect
    .poll(() => {
      collectGarbage();
      return { alive: made.filter((sequence) => sequence.deref()).length, kept: generator.stats().kept };
    })
    .toEqual({ alive: 0, kept: 0 });
  await engine.close();
});

test("a generator counts the end of a sequence before the result resolves", async () => {
  const engine = await Engine.create({ threads: 1 });
  const model = await engine.loadModel(source);
  const generator = await model.generator({ kvBytes: 1 << 20 });
  for (let i = 1; i <= 50; i += 1) {
    const sequence = generator.submit({ tokens, maxNewTokens: 1, seed: i });
    await sequence.result;
    expect(generator.stats()).toMatchObject({ running: 0, waiting: 0, decodedTokens: i });
  }
  await engine.close();
});

test("iterators fail with NATIVE_CLOSED when the engine is closed", async () => {
  const engine = await Engine.create({ threads: 1 });
  const model = await engine.loadModel({ config: slower, seed: 1 });
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const listen = async (sequence: AsyncIterable<unknown>) => {
    for await (const _ of sequence);
  };
  const ends = Promise.allSettled(generator.submitGroup({ tokens }, 4).map(listen));
  await engine.close();
  for (const end of await ends) expect(end).toEqual({ status: "rejected", reason: code("NATIVE_CLOSED") });
});

const program = (ending: string) => `
  const { Engine } = await import(${JSON.stringify(index)});
  const engine = await Engine.create({ threads: 2 });
  const model = await engine.loadModel(${JSON.stringify(source)});
  const trainer = await model.trainer({ maxTokens: 64 });
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const sequences = generator.submitGroup({ tokens: [1, 2, 3] }, 64);
  const calls = Array.from({ length: 200 }, () => trainer.score({ tokens: [1, 2, 3] }));
  for (const call of calls) call.catch(() => {});
  ${ending}`;

test.each([
  ["by process.exit while work is running", "process.exit(0)", 0],
  ["by an exception while work is running", "setTimeout(() => { throw new Error('on purpose'); })", 1],
  ["by itself when all work is done, although nothing was closed", "await Promise.all(calls); console.log('done')", 0],
  ["by itself after the engine is closed", "await engine.close()", 0],
])("a process ends %s", (_, ending, status) => {
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", program(ending)], {
    timeout: 240_000,
    encoding: "utf8",
  });
  expect({ status: child.status, signal: child.signal, stderr: status === 0 ? child.stderr : "" }).toEqual({
    status,
    signal: null,
    stderr: "",
  });
});

test("a process stays alive while it awaits sequences", () => {
  const ending = "for (const { result } of sequences) console.log((await result).finish);";
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program(ending)], { encoding: "utf8" });
  expect(stdout.trim().split("\n")).toHaveLength(64);
});

test.each([1, 2, 3])(
  "an engine works in a worker thread, which can be terminated while it is busy: run %i",
  async () => {
    const text = `import("node:worker_threads").then(async ({ parentPort }) => { ${program("parentPort.postMessage((await calls[0]).logprob[1]); await new Promise(() => setInterval(() => {}, 1e6));")} })`;
    const worker = new Worker(text, { eval: true });
    const logprob = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    expect(logprob).toBeLessThan(0);
    await worker.terminate();
    const engine = await Engine.create({ threads: 1 });
    await engine.close();
  },
);

test.each([
  ["an unknown key", { thread: 2 }],
  ["an unknown device", { device: "tpu" }],
  ["a device with a number of five digits", { device: "cuda:10000" }],
  ["a fractional number of threads", { threads: 1.5 }],
  ["more than 1024 threads", { threads: 1025 }],
  ["an unknown data type", { dtype: "f16" }],
  ["an unknown instruction set", { instructionSet: "avx" }],
  ["a share of 0", { shares: { train: 0, generate: 1 } }],
  ["a device without a number", { device: "cuda" }],
])("%s is refused with NATIVE_INVALID_ARGUMENT", async (_, options) => {
  await expect(Engine.create(options as never)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a share of %d is refused later, too", async (train) => {
  const engine = await Engine.create({ threads: 1 });
  expect(() => engine.setShares({ train, generate: 1 })).toThrow(code("NATIVE_INVALID_ARGUMENT"));
  await engine.close();
});

test("info reports the device, instruction set, threads and memory in use", async () => {
  const engine = await Engine.create({ device: "cpu", threads: 1, instructionSet: "scalar", memoryBytes: 1e9 });
  expect(engine.info()).toMatchObject({ device: "cpu", instructionSet: "scalar", threads: 1, memoryBudget: 1e9 });
  expect(engine.info().noCuda).not.toBe("");
  await engine.close();
});

test("info reports how long the engine has trained and generated", async () => {
  const engine = await Engine.create({ threads: 1 });
  const model = await engine.loadModel({ config: slower, seed: 1 });
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const trainer = await model.trainer({ maxTokens: 64 });
  const work = {
    train: () => trainer.score({ tokens: contextOfSlower }),
    generate: () => generator.submit({ tokens }).result,
  };
  for (const [lane, run] of Object.entries(work)) {
    const [before, began] = [engine.info(), performance.now()];
    await run();
    const [after, seconds] = [engine.info(), (performance.now() - began) / 1000];
    const spent = {
      train: after.trainSeconds - before.trainSeconds,
      generate: after.generateSeconds - before.generateSeconds,
    };
    expect(spent[lane as keyof typeof spent]).toBeGreaterThan(0);
    expect(spent.train + spent.generate).toBeLessThanOrEqual(seconds);
    expect(Math.min(spent.train, spent.generate)).toBe(0);
  }
  await engine.close();
});

test("a NativeError can be made with every code of the table", () => {
  for (const name of Object.keys(nativeErrors) as (keyof typeof nativeErrors)[]) {
    expect(new NativeError(name, "").code).toBe(name);
  }
});
