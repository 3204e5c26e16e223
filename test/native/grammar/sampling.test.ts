/** Sampling under grammars: valid replies to random schemas, and log-probabilities beside a slow proof. */
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";
import { type Generator, Grammar, type Model, type SequenceResult } from "#palestra/native/api/index.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { engineOfFile, temporaryFolder } from "../tiny-models.js";
import { endToken, writeGrammarModel } from "./grammar-model.js";
import { randomSchema } from "./random-schema.js";
import { SlowGrammar } from "./slow-grammar.js";

const engine = await engineOfFile(2, { deterministic: true });
const folder = temporaryFolder();
let bytes: Uint8Array[];
let model: Model;
let generator: Generator;
beforeAll(async () => {
  if (!engine) return;
  bytes = writeGrammarModel(join(folder, "model"));
  model = await engine.loadModel(join(folder, "model"));
  generator = await model.generator({ kvBytes: 256 << 20, maxSequences: 64 });
});

const prompt = [65, 66, 67];
const textOf = ({ tokens }: SequenceResult) =>
  Buffer.concat([...tokens].map((token) => bytes[token] as Uint8Array)).toString();

/** Patterns and lengths are checked by characters, formats by their own tests. */
const checker = new Ajv2020({ strict: false, validateFormats: false, multipleOfPrecision: 9 });
const validatorOf = (schema: object): ValidateFunction => checker.compile(schema);

test("1,000 random schemas: every reply is valid JSON and valid against its schema", async () => {
  const schemas = Array.from({ length: 1_000 }, (_, index) => randomSchema(keyedRandom(7, index)));
  const replies = await Promise.all(
    schemas.map((schema, seed) => {
      const grammar = new Grammar({ schema });
      return generator.submit({ tokens: prompt, maxNewTokens: 1_500, seed, grammar }).result;
    }),
  );
  let complete = 0;
  for (const [index, reply] of replies.entries()) {
    const schema = schemas[index] as object;
    const text = textOf(reply);
    expect(reply.finish, text).not.toBe("failed");
    if (reply.finish !== "stop-token") continue;
    complete += 1;
    const validate = validatorOf(schema);
    const isValid = validate(JSON.parse(text));
    expect(isValid, `${JSON.stringify(schema)}\n${text}\n${JSON.stringify(validate.errors)}`).toBe(true);
  }
  // A random model rarely ends a string or a number without a limit.
  expect(complete).toBeGreaterThan(950);
});

test("log-probabilities equal those of a slow proof, which tries every token at every place", async () => {
  const schemas = Array.from({ length: 12 }, (_, index) => randomSchema(keyedRandom(11, index)));
  for (const [seed, schema] of schemas.entries()) {
    const grammar = new Grammar({ schema });
    const reply = await generator.submit({ tokens: prompt, maxNewTokens: 25, seed, grammar }).result;
    await expectProved(grammar, reply);
  }
});

/** Expects the log-probability of each token to be the model's, normalized over the tokens that the grammar allows. */
async function expectProved(grammar: Grammar, reply: SequenceResult): Promise<void> {
  const slow = new SlowGrammar(grammar.table);
  const after = (places: ReturnType<typeof slow.next>, token: number) =>
    (bytes[token] as Uint8Array).reduce((at, byte) => (at.length > 0 ? slow.next(at, byte) : at), places);
  let places = slow.start;
  for (const [index, token] of reply.tokens.entries()) {
    const allowed = bytes.flatMap((_, id) => {
      const follows = id === endToken ? slow.isComplete(places) : after(places, id).length > 0;
      return follows ? [id] : [];
    });
    expect(allowed).toContain(token);
    const before = [...prompt, ...reply.tokens.subarray(0, index)];
    const each = await Promise.all(
      allowed.map((id) => generator.submit({ tokens: before, maxNewTokens: 1, allowedTokens: [id] }).result),
    );
    const logprobs = each.map(({ modelLogprobs }) => modelLogprobs[0] as number);
    const total = Math.log(logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0));
    expect(reply.modelLogprobs[index]).toBe(logprobs[allowed.indexOf(token)]);
    expect(reply.logprobs[index]).toBeCloseTo((reply.modelLogprobs[index] as number) - total, 4);
    places = after(places, token);
  }
}

test("a seed gives the same reply whatever was sampled before, and the masks do not depend on other sequences", async () => {
  const grammar = () =>
    new Grammar({ schema: { type: "array", items: { type: "integer" }, minItems: 3, maxItems: 9 } });
  const request = { tokens: prompt, seed: 5, maxNewTokens: 200 };
  const [first] = await Promise.all([1, 2, 3].map(() => generator.submit({ ...request, grammar: grammar() }).result));
  const fresh = await model.generator({ kvBytes: 16 << 20, maxSequences: 2 });
  const again = await fresh.submit({ ...request, grammar: grammar() }).result;
  expect(again).toEqual(first);
  fresh.close();
});

test("a greedy reply takes the most likely of the allowed tokens, and a grammar ends with its request", async () => {
  const sequence = generator.submit({
    tokens: prompt,
    temperature: 0,
    grammar: new Grammar({ choice: ["yes", "no"] }),
  });
  const reply = await sequence.result;
  expect(["yes", "no"]).toContain(textOf(reply));
  expect(reply.finish).toBe("stop-token");
  const free = await sequence.extend({ tokens: [70], maxNewTokens: 30, seed: 1 });
  expect(free.logprobs).toEqual(free.modelLogprobs);
});

test("free text up to a mark, repeated calls and patterns are sampled as the grammar says", async () => {
  const call = { sequence: ['<call>{"x": ', { schema: { type: "integer", minimum: 0, maximum: 9 } }, "}</call>"] };
  const grammar = new Grammar({
    sequence: [{ until: "ab" }, { repeat: call, least: 1, most: 2 }, { pattern: "^[xyz]{3}$" }],
  });
  for (let seed = 0; seed < 20; seed++) {
    const reply = await generator.submit({ tokens: prompt, seed, maxNewTokens: 1_500, grammar }).result;
    expect(reply.finish).toBe("stop-token");
    const text = textOf(reply);
    const marked = text.slice(text.indexOf("ab"));
    expect(marked).toMatch(/^ab(<call>\{"x": \d\}<\/call>){1,2}[xyz]{3}$/);
  }
});

test("text without a mark never has it", async () => {
  const grammar = new Grammar({ without: "aab" });
  for (let seed = 0; seed < 20; seed++) {
    const reply = await generator.submit({ tokens: prompt, seed, maxNewTokens: 300, grammar }).result;
    expect(textOf(reply)).not.toContain("aab");
  }
});

test("a grammar that is too ambiguous for a mask fails its own sequence, and the others continue", async () => {
  const hostile = new Grammar({ pattern: "^([^]*[^a-m][^]{400}|[^]*[^b-n][^]{400})$" });
  const failing = generator.submit({ tokens: prompt, seed: 1, maxNewTokens: 400, grammar: hostile });
  const others = Array.from({ length: 4 }, (_, seed) => generator.submit({ tokens: prompt, seed, maxNewTokens: 400 }));
  expect((await failing.result).finish).toBe("failed");
  expect((await failing.extend({ tokens: [], maxNewTokens: 3 })).tokens).toHaveLength(3);
  for (const { result } of others) expect((await result).finish).not.toBe("failed");
});

test("a grammar is refused beside allowed tokens and without stop tokens or a tokenizer", async () => {
  const grammar = new Grammar("yes");
  expect(() => generator.submit({ tokens: prompt, grammar, allowedTokens: [1] })).toThrow("received both");
  expect(() => generator.submit({ tokens: prompt, grammar, stopTokens: [] })).toThrow("stop tokens beside a grammar");
  expect(() => generator.submit({ tokens: prompt, grammar: {} as Grammar })).toThrow("to be a Grammar");
  const bare = await engine.loadModel({
    config: {
      model_type: "llama",
      hidden_size: 32,
      intermediate_size: 48,
      num_hidden_layers: 1,
      num_attention_heads: 2,
      vocab_size: 61,
      max_position_embeddings: 64,
    },
    seed: 1,
  });
  const without = await bare.generator({ kvBytes: 1 << 20 });
  expect(() => without.submit({ tokens: [1], grammar, stopTokens: [0] })).toThrow("vocabulary");
});
