/**
 * A server of the Tinker API whose models the real engine trains and samples with. Saved weights are files of a folder, so a
 * server that was killed has them when it is started again, and has no model in memory, as SkyRL's.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Engine, Generator, Loss, Model, Trainer } from "#palestra/native/api/index.js";

export interface TinkerServerOptions {
  readonly engine: Engine;
  /** Folder of the base model, which is also its name. */
  readonly base: string;
  /** Folder of the saved weights. */
  readonly folder: string;
  /** Whether the loss is the sum over tokens, or the mean of the rows' means over their positions, as SkyRL's. */
  readonly reduction?: "sum" | "means";
  /** Losses besides importance_sampling and cross_entropy. Default: ppo and cispo. */
  readonly losses?: readonly string[];
  /** Whether grad_clip_norm limits the gradients. Default: true. */
  readonly clips?: boolean;
  /** Whether sampling loads its weights over the trained ones, as SkyRL's JAX backend does. */
  readonly isShared?: boolean;
  readonly port?: number;
  /** Called before each request. */
  readonly onRequest?: (path: string) => void | Promise<void>;
}

interface Datum {
  model_input: { chunks: { tokens: number[] }[] };
  loss_fn_inputs: Record<string, { data: number[] }>;
}

interface Pass {
  data: Datum[];
  loss_fn: string;
  loss_fn_config?: { clip_low_threshold: number; clip_high_threshold: number };
}

interface Served {
  readonly model: Model;
  readonly trainer: Trainer;
  /** Rows since the last optimizer step, whose gradients are applied in that step. */
  readonly rows: { datum: Datum; pass: Pass }[];
}

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The scale of adapters, which the server chooses. */
export const serverAlpha = 32;

export class TinkerTestServer {
  /** Paths of the requests so far. */
  readonly told: string[] = [];
  private readonly served = new Map<string, Served>();
  private readonly samplers = new Map<string, Promise<Generator>>();
  private readonly futures: Promise<object>[] = [];
  /** Requests that touch weights run one after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private readonly http = createServer((request, response) => void this.answer(request, response));

  private constructor(private readonly options: TinkerServerOptions) {}

  static async start(options: TinkerServerOptions): Promise<TinkerTestServer> {
    const server = new TinkerTestServer(options);
    server.http.listen(options.port ?? 0, "127.0.0.1");
    await once(server.http, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** The trained weights of a model. @param at number of the model, in the order in which they were created */
  model(at: number): Served {
    return [...this.served.values()].at(at) as Served;
  }

  close(): void {
    this.http.closeAllConnections();
    this.http.close();
  }

  /** Forgets every model, as a server that was started again. */
  forget(): void {
    this.served.clear();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/^\/api\/v1\//, "");
    let text = "";
    for await (const chunk of request) text += chunk;
    response.setHeader("content-type", "application/json");
    try {
      await this.options.onRequest?.(path);
      this.told.push(path);
      const reply = await this.reply(path, text === "" ? {} : JSON.parse(text));
      response.end(JSON.stringify(reply));
    } catch (error) {
      const status = error instanceof Refused ? error.status : 500;
      response.writeHead(status).end(JSON.stringify({ detail: (error as Error).message }));
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the body of any request
  private async reply(path: string, body: any): Promise<object> {
    if (path === "get_server_capabilities") return { supported_models: [{ model_name: this.options.base }] };
    if (path === "create_session") return { session_id: randomUUID() };
    if (path === "session_heartbeat") return {};
    if (path === "retrieve_future") {
      const future = this.futures[Number(body.request_id)];
      if (!future) throw new Refused(404, "Future not found");
      return future;
    }
    if (path === "create_model") return this.later(() => this.create(body.lora_config));
    if (path === "asample") return this.later(() => this.sample(body));
    const served = this.served.get(body.model_id);
    if (!served) throw new Refused(404, "Model not found");
    if (path === "forward") return this.inOrder(() => this.forward(served, body.forward_input));
    if (path === "forward_backward") return this.inOrder(() => this.accumulate(served, body.forward_backward_input));
    if (path === "optim_step") return this.inOrder(() => this.step(served, body.adam_params));
    if (path === "save_weights") return this.inOrder(() => this.save(served, body));
    if (path === "load_weights") return this.inOrder(() => this.load(served, body.path));
    if (path === "save_weights_for_sampler") return this.inOrder(() => this.publish(served, body));
    if (path === "unload_model") return this.inOrder(async () => this.unload(body.model_id));
    throw new Refused(404, `no route ${path}`);
  }

  private later(work: () => Promise<object>): object {
    const result = work();
    result.catch(() => {});
    return { request_id: String(this.futures.push(result) - 1) };
  }

  private inOrder(work: () => Promise<object>): object {
    const result = this.queue.then(work);
    this.queue = result.catch(() => {});
    return this.later(() => result);
  }

  private async create({ rank, seed }: { rank: number; seed: number }): Promise<object> {
    if (rank < 1) throw new Refused(400, `LoRA rank ${rank} must be at least 1`);
    const model = await this.options.engine.loadModel(this.options.base);
    const trainer = await model.trainer({ maxTokens: 2048, lora: { rank, alpha: serverAlpha, seed } });
    const model_id = randomUUID();
    this.served.set(model_id, { model, trainer, rows: [] });
    return { model_id };
  }

  private async forward({ trainer }: Served, pass: Pass): Promise<object> {
    const known = ["cross_entropy", "importance_sampling", ...(this.options.losses ?? ["ppo", "cispo"])];
    if (!known.includes(pass.loss_fn)) throw new Refused(400, `loss_fn must be one of ${known.join(", ")}`);
    const outputs = [];
    for (const datum of pass.data) {
      const logprobs = [...(await trainer.score({ tokens: tokensOf(datum) })).logprob.subarray(1)];
      outputs.push({ logprobs: { data: logprobs }, elementwise_loss: { data: lossesOf(pass, datum, logprobs) } });
    }
    return { loss_fn_output_type: "scalar", loss_fn_outputs: outputs, metrics: {} };
  }

  private async accumulate(served: Served, pass: Pass): Promise<object> {
    const output = await this.forward(served, pass);
    served.rows.push(...pass.data.map((datum) => ({ datum, pass })));
    return output;
  }

  private async step({ trainer, rows }: Served, adam: Record<string, number>): Promise<object> {
    const all = rows.splice(0);
    for (const { datum, pass } of all) {
      const tokens = tokensOf(datum);
      const positions = tokens.length - 1;
      const scale = this.options.reduction === "means" ? 1 / (positions * all.length) : 1;
      const { logprobs, advantages, weights } = datum.loss_fn_inputs;
      const shifted = (values: readonly number[] | undefined) =>
        Float32Array.of(0, ...(values ?? new Array(positions).fill(0)));
      const weight = shifted(weights?.data ?? new Array(positions).fill(1)).map((one) => one * scale);
      const inputs = { weight, advantage: shifted(advantages?.data), proximal: shifted(logprobs?.data) };
      await trainer.accumulate({ tokens }, engineLoss(pass), inputs);
    }
    const { learning_rate: lr = 0, beta1, beta2, eps: epsilon, weight_decay: weightDecay, grad_clip_norm = 0 } = adam;
    const clipNorm = this.options.clips === false ? 0 : grad_clip_norm;
    const rule = { lr, beta1, beta2, epsilon, weightDecay, ...(clipNorm > 0 && { clipNorm }) };
    const { gradientNorm } = await trainer.step(rule as Parameters<Trainer["step"]>[0]);
    return { metrics: { "server/grad_norm": gradientNorm } };
  }

  private async save({ trainer }: Served, { model_id, path }: { model_id: string; path: string }): Promise<object> {
    mkdirSync(join(this.options.folder, model_id), { recursive: true });
    await trainer.save(join(this.options.folder, model_id, path));
    return { path: `tinker://${model_id}/weights/${path}` };
  }

  private async load({ trainer }: Served, path: string): Promise<object> {
    const [, id = "", name = ""] = /^tinker:\/\/([^/]+)\/weights\/(.+)$/.exec(path) ?? [];
    const file = join(this.options.folder, id, name);
    if (!existsSync(file)) throw new Refused(404, `Checkpoint not found: ${path}`);
    await trainer.load(file);
    return { type: "load_weights" };
  }

  private async publish(served: Served, { model_id, path }: { model_id: string; path: string }): Promise<object> {
    const folder = join(this.options.folder, model_id, `sampler-${path}`);
    await served.model.save(folder, { adapters: served.trainer });
    const loaded = this.options.engine.loadModel(folder);
    const name = `tinker://${model_id}/sampler_weights/${path}`;
    await served.trainer.save(join(folder, "shared.bin"));
    this.samplers.set(
      name,
      loaded.then((model) => model.generator({ kvBytes: 1 << 22 })),
    );
    return { path: name };
  }

  private async sample(body: {
    model_path: string;
    prompt: { chunks: { tokens: number[] }[] };
    sampling_params: { max_tokens: number; seed: number; temperature: number; top_p: number; stop?: number[] };
  }): Promise<object> {
    const generator = await this.samplers.get(body.model_path);
    if (!generator) throw new Refused(404, `Model not found: ${body.model_path}`);
    const [, id = "", version = ""] = /^tinker:\/\/([^/]+)\/sampler_weights\/(.+)$/.exec(body.model_path) ?? [];
    if (this.options.isShared)
      await this.served.get(id)?.trainer.load(join(this.options.folder, id, `sampler-${version}`, "shared.bin"));
    const { max_tokens: maxNewTokens, top_p: topP, stop: stopTokens = [], seed, temperature } = body.sampling_params;
    const tokens = body.prompt.chunks.flatMap((chunk) => chunk.tokens);
    const sequence = generator.submit({ tokens, maxNewTokens, temperature, topP, seed, stopTokens });
    const result = await sequence.result;
    sequence.release();
    const stop_reason = result.finish === "stop-token" ? "stop" : "length";
    return { sequences: [{ stop_reason, tokens: [...result.tokens], logprobs: [...result.logprobs] }] };
  }

  private async unload(id: string): Promise<object> {
    this.served.delete(id);
    return { type: "unload_model" };
  }
}

function tokensOf({ model_input, loss_fn_inputs }: Datum): number[] {
  return [...model_input.chunks.flatMap(({ tokens }) => tokens), loss_fn_inputs.target_tokens?.data.at(-1) as number];
}

function engineLoss({ loss_fn, loss_fn_config }: Pass): Loss {
  if (loss_fn === "cross_entropy") return { policy: "cross-entropy" };
  // A ratio that is never clipped.
  if (loss_fn === "importance_sampling") return { policy: "ppo", clipLow: 1, clipHigh: 1e30 };
  const { clip_low_threshold: low = 0.8, clip_high_threshold: high = 1.2 } = loss_fn_config ?? {};
  return { policy: loss_fn as "ppo" | "cispo", clipLow: 1 - low, clipHigh: high - 1 };
}

/** The losses of a row by position, from the API's formulas. */
function lossesOf({ loss_fn, loss_fn_config }: Pass, { loss_fn_inputs }: Datum, current: readonly number[]): number[] {
  const { clip_low_threshold: low = 0.8, clip_high_threshold: high = 1.2 } = loss_fn_config ?? {};
  return current.map((logprob, at) => {
    if (loss_fn === "cross_entropy") return -logprob * (loss_fn_inputs.weights?.data[at] ?? 1);
    const advantage = loss_fn_inputs.advantages?.data[at] ?? 0;
    const ratio = Math.exp(logprob - (loss_fn_inputs.logprobs?.data[at] ?? 0));
    const held = Math.min(Math.max(ratio, low), high);
    if (loss_fn === "cispo") return -held * logprob * advantage;
    return loss_fn === "ppo" ? -Math.min(ratio * advantage, held * advantage) : -ratio * advantage;
  });
}
