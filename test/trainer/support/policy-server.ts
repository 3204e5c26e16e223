/**
 * A server like vLLM or SGLang in a process of its own. It completes token ids with the real engine, and loads new
 * weights from a folder on request. It starts without weights unless a folder is given. `GET /told` returns the requests to
 * control it, and `POST /fail` makes the given number of loads, or of scored prompts, fail.
 *
 *     tsx policy-server.ts vllm|sglang [blind] [FOLDER]     blind: replies have no ids and log-probabilities
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { Engine, type Generator, type Model, type Trainer } from "#palestra/native/api/index.js";

interface Completion {
  prompt: number[];
  prompt_logprobs?: number;
  max_tokens: number;
  temperature: number;
  top_p?: number;
  seed?: number;
  stop_token_ids?: number[];
  return_token_ids?: boolean;
  logprobs?: number;
}

/** A running completion. */
interface Reply {
  readonly tokens: number[];
  readonly logprobs: number[];
  finish: "length" | "stop" | "abort";
  isInterrupted: boolean;
}

const [owner = "vllm", ...rest] = process.argv.slice(2);
const blind = rest.includes("blind");
const folder = rest.find((argument) => argument !== "blind");
/** Milliseconds per token. */
const pace = 3;
const engine = await Engine.create({ device: "cpu", threads: 1 });
const told: string[] = [];
const live = new Set<Reply>();
let loaded: { model: Model; generator: Generator; scorer?: Trainer } | undefined;
let failures = 0;
let scoreFailures = 0;
/** Number of replies that a load interrupted. */
let interrupted = 0;
/** Resolved unless the server is paused. */
let running = Promise.resolve();
let resume = () => {};
/** Effect of a pause on running completions: they continue later, or they are returned unfinished. */
let pausing: "go on" | "abort" = "go on";

async function load(folder: string): Promise<void> {
  if (failures > 0) {
    failures -= 1;
    throw new Error("no such weights");
  }
  const model = await engine.loadModel(folder);
  const generator = await model.generator({ kvBytes: 1 << 24 });
  // A completion between two tokens continues with the new weights. A completion within a token still uses the old ones
  // for that token.
  const old = loaded?.model;
  loaded = { model, generator };
  await setTimeout(20);
  old?.close();
}

function pause(mode: string): void {
  running = new Promise((resolve) => {
    resume = resolve;
  });
  pausing = mode === "abort" ? "abort" : "go on";
  interrupted += live.size;
  for (const reply of live) reply.isInterrupted = true;
}

/** Log-probabilities of a prompt, which has none for its first token. */
async function score(prompt: readonly number[]): Promise<(number | null)[]> {
  if (scoreFailures > 0) {
    scoreFailures -= 1;
    throw new Error("overloaded");
  }
  if (!loaded) throw new Error("no weights");
  loaded.scorer ??= await loaded.model.trainer({ maxTokens: 2048, lora: { rank: 1, targets: ["k_proj"] } });
  const { logprob } = await loaded.scorer.score({ tokens: [...prompt] });
  return Array.from(logprob, (value, at) => (at === 0 ? null : value));
}

async function complete(request: Completion): Promise<object> {
  const reply: Reply = { tokens: [], logprobs: [], finish: "length", isInterrupted: false };
  live.add(reply);
  try {
    while (reply.tokens.length < request.max_tokens && reply.finish === "length") await sample(request, reply);
  } finally {
    live.delete(reply);
  }
  return choiceOf(request, reply, request.prompt_logprobs === undefined ? undefined : await score(request.prompt));
}

/** Samples one token at a time, as slowly as a larger model, so that new weights arrive in the middle of replies. */
async function sample(request: Completion, reply: Reply): Promise<void> {
  await setTimeout(pace);
  await running;
  if (reply.isInterrupted && pausing === "abort") {
    reply.finish = "abort";
    return;
  }
  if (!loaded) throw new Error("no weights");
  const sequence = loaded.generator.submit({
    tokens: [...request.prompt, ...reply.tokens],
    maxNewTokens: 1,
    temperature: request.temperature,
    topP: request.top_p ?? 1,
    seed: request.seed ?? 0,
    ...(request.stop_token_ids && { stopTokens: request.stop_token_ids }),
  });
  const { tokens, logprobs, finish } = await sequence.result;
  sequence.release();
  reply.tokens.push(...tokens);
  reply.logprobs.push(...logprobs);
  if (finish !== "length") reply.finish = "stop";
}

function choiceOf(request: Completion, { tokens, logprobs, finish }: Reply, scored?: (number | null)[]): object {
  const text = loaded?.model.tokenizer?.decode(tokens) ?? "";
  const told = { ...(request.return_token_ids && { token_ids: tokens }), logprobs: { token_logprobs: logprobs } };
  // vLLM has the likeliest token, too, under its own id.
  const likeliest = { "60000": { logprob: -0.001, rank: 1, decoded_token: "" } };
  const prompt_logprobs = scored?.map((logprob, at) =>
    logprob === null ? null : { ...likeliest, [String(request.prompt[at])]: { logprob, rank: 2, decoded_token: "" } },
  );
  return { choices: [{ text, finish_reason: finish, ...(blind ? {} : { ...told, prompt_logprobs }) }] };
}

const tokensOf = (text: string, addSpecialTokens: boolean) => [
  ...(loaded?.model.tokenizer?.encode(text, { addSpecialTokens }) ?? []),
];

const routes: Record<string, (body: Record<string, unknown>, query: URLSearchParams) => Promise<object> | object> = {
  "/v1/models": () => ({ data: [{ id: "policy", owned_by: owner }] }),
  "/v1/completions": (body) => complete(body as unknown as Completion),
  "/told": () => ({ told, interrupted }),
  "/fail": ({ loads = 0, scores = 0 }) => {
    failures = Number(loads);
    scoreFailures = Number(scores);
    return {};
  },
};

const controls: Record<string, typeof routes> = {
  vllm: {
    "/pause": (_, query) => ({ status: pause(query.get("mode") ?? "abort") }),
    "/collective_rpc": async ({ method, kwargs }) => {
      if (method !== "reload_weights") throw new Error(`no method ${method}`);
      await load((kwargs as { weights_path: string }).weights_path);
      return { results: [null] };
    },
    "/reset_prefix_cache": () => ({}),
    "/tokenize": ({ prompt, add_special_tokens: addSpecialTokens }) => ({
      tokens: tokensOf(String(prompt), Boolean(addSpecialTokens)),
    }),
    "/resume": () => ({ status: resume() }),
  },
  sglang: {
    "/pause_generation": ({ mode }) => ({ status: pause(String(mode)) }),
    "/update_weights_from_disk": async ({ model_path }) => {
      const failure = await load(String(model_path)).catch((error: Error) => error);
      return { success: !failure, message: failure?.message ?? "" };
    },
    "/continue_generation": () => ({ status: resume() }),
    "/generate": async ({ text, input_ids }) => {
      const tokens = Array.isArray(input_ids) ? (input_ids as number[]) : tokensOf(String(text), true);
      const logprobs = await score(tokens);
      return { text: "", meta_info: { input_token_logprobs: logprobs.map((one, at) => [one, tokens[at], null]) } };
    },
  },
};

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams, search } = new URL(incoming.url ?? "", "http://localhost");
  let text = "";
  for await (const chunk of incoming) text += chunk;
  const control = controls[owner]?.[pathname];
  if (control) told.push(pathname + search);
  const handle = control ?? routes[pathname];
  response.setHeader("content-type", "application/json");
  if (!handle) return void response.writeHead(404).end("{}");
  try {
    const reply = await handle(text === "" ? {} : JSON.parse(text), searchParams);
    response.end(JSON.stringify(reply));
  } catch (error) {
    response.writeHead(500).end(JSON.stringify({ error: String(error) }));
  }
}

if (folder) await load(folder);
const server = createServer((incoming, response) => void answer(incoming, response)).listen(0, "127.0.0.1");
await once(server, "listening");
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.once("SIGTERM", () => process.exit(0));
