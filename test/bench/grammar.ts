/** The cost of sampling under a grammar, beside sampling without one by the same engine. */
import { Engine, type Generator, Grammar, type Model, type Request } from "#palestra/native/api/index.js";
import type { BenchResult } from "./report.js";

export interface GrammarOptions {
  /** Folder in Hugging Face's layout, or GGUF file, of a model with its tokenizer. */
  model: string;
  rounds: number;
  tokens: number;
}

/** A list of records, so long that no reply ends. `salt` makes schemas that share no masks. */
function records(salt: string): unknown {
  const properties = {
    [`name${salt}`]: { type: "string" },
    kind: { enum: ["plant", "animal", "mineral"] },
    weight: { type: "number", minimum: 0, maximum: 500 },
    tags: { type: "array", items: { type: "string", maxLength: 20 }, maxItems: 4 },
    parent: { anyOf: [{ $ref: "#/$defs/record" }, { type: "null" }] },
  };
  const record = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return { $defs: { record }, type: "array", items: { $ref: "#/$defs/record" }, minItems: 200 };
}

export async function grammarBench(options: GrammarOptions): Promise<BenchResult[]> {
  const engine = await Engine.create();
  try {
    const model = await engine.loadModel(options.model);
    const generator = await model.generator({ maxSequences: 16 });
    const results = [compilation(options)];
    for (const batch of [1, 16]) results.push(...(await decoding(model, generator, batch, options)));
    return results;
  } finally {
    await engine.close();
  }
}

function compilation({ rounds }: GrammarOptions): BenchResult {
  const times = Array.from({ length: rounds + 1 }, (_, round) => {
    const before = performance.now();
    new Grammar({ schema: records(`compiled${round}`) });
    return performance.now() - before;
  });
  // The first compilation includes that of JavaScript.
  return { name: "a grammar from its schema", value: Math.min(...times.slice(1)), unit: "ms" };
}

async function decoding(
  model: Model,
  generator: Generator,
  batch: number,
  options: GrammarOptions,
): Promise<BenchResult[]> {
  const { rounds, tokens: maxNewTokens } = options;
  const tokens = model.tokenizer?.encode("Some things and their weights, as JSON:\n") ?? new Int32Array([1]);
  const rate = async (seed: number, more: Partial<Request>[]) => {
    const before = performance.now();
    const sequences = more.map((each, stream) => generator.submit({ tokens, maxNewTokens, seed, stream, ...each }));
    const sampled = await Promise.all(sequences.map(({ result }) => result));
    for (const sequence of sequences) sequence.release();
    const count = sampled.reduce((sum, result) => sum + result.tokens.length, 0);
    return (1_000 * count) / (performance.now() - before);
  };
  const known = new Grammar({ schema: records("") });
  const free: number[] = [];
  const warm: number[] = [];
  const cold: number[] = [];
  await rate(0, Array(batch).fill({ grammar: known }));
  for (let round = 1; round <= rounds; round++) {
    const fresh = Array.from({ length: batch }, (_, at) => new Grammar({ schema: records(`${batch} ${round} ${at}`) }));
    free.push(await rate(round, Array(batch).fill({})));
    warm.push(await rate(round, Array(batch).fill({ grammar: known })));
    cold.push(
      await rate(
        round,
        fresh.map((grammar) => ({ grammar })),
      ),
    );
  }
  const baseline = Math.max(...free);
  const line = (name: string, rates: number[], target?: string) => ({
    name: `${name}, batch ${batch}`,
    ...{ value: Math.max(...rates), unit: "tokens/s", baseline },
    ...(target && { target }),
  });
  return [line("a grammar seen before", warm, ">= 0.95"), line("a new grammar for each sequence", cold)];
}
