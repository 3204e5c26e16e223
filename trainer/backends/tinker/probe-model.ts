/** The model of a probe: one row, one of whose tokens has an advantage. */
import { z } from "zod";
import type { Loss, Pack } from "../../../native/api/index.js";
import type { Datum } from "./protobuf.js";
import { rowOf } from "./rows.js";
import { misformed, type TinkerServer } from "./server.js";
import type { ModelOptions, TinkerSession } from "./session.js";
import { tokenLosses } from "./token-loss.js";

/** A training step of the probe. */
export interface ProbeStep {
  /** Size of the step, in units of the gradient. */
  readonly step: number;
  /** Length of a second row without advantages, relative to the first row. Default: no second row. */
  readonly beside?: number;
  /** Length of the row relative to its usual length. Default 1. */
  readonly longer?: number;
  /** Limit of the gradient's norm. Default: none. */
  readonly clip?: number;
}

const output = z.object({
  loss_fn_outputs: z.array(
    z.object({
      logprobs: z.object({ data: z.array(z.number()) }),
      elementwise_loss: z.object({ data: z.array(z.number()) }).optional(),
    }),
  ),
});

/** Positions of the row. The last one has the advantage. */
const positions = 4;
const hugeEpsilon = 1e6;
/** Ratios at which a clipped loss is looked at, relative to its thresholds. */
const [inside, outside] = [0.98, 1.02];

export class ProbeModel {
  private requests = 0;

  private constructor(
    private readonly server: TinkerServer,
    private readonly id: string,
    private readonly tokens: Int32Array,
    /** Log-probability of the token with the advantage before the first step, and after the last one. */
    readonly first: number,
    public current: number,
  ) {}

  static async create({
    server,
    session,
    model,
    tokens,
  }: {
    readonly server: TinkerServer;
    readonly session: TinkerSession;
    readonly model: ModelOptions;
    readonly tokens: Int32Array;
  }): Promise<ProbeModel> {
    const made = new ProbeModel(server, await session.createModel(model), tokens, 0, 0);
    const logprob = await made.logprob();
    return Object.assign(new ProbeModel(server, made.id, tokens, logprob, logprob), { requests: made.requests });
  }

  async saveForSampling(): Promise<string> {
    const body = { model_id: this.id, path: "probe", seq_id: this.next(), type: "save_weights_for_sampler" };
    const received = await this.server.result("save_weights_for_sampler", body);
    const { success, data } = z.object({ path: z.string() }).safeParse(received);
    if (!success) throw misformed("save_weights_for_sampler", "a path", received);
    return data.path;
  }

  async logprob(): Promise<number> {
    const [{ logprobs }] = await this.pass([this.row(1, {})], { loss_fn: "cross_entropy" }, true);
    return logprobs.data[positions - 1] as number;
  }

  /** Takes a step and a step back, so that the weights hardly drift. @returns the mean change of the log-probability */
  async swing(step: ProbeStep): Promise<number> {
    return ((await this.change(step)) - (await this.change(step, -1))) / 2;
  }

  /** Takes a step. @returns the change of the log-probability */
  async change({ step, beside = 0, longer = 1, clip = 0 }: ProbeStep, advantage = 1): Promise<number> {
    const before = this.current;
    const rows = [this.row(longer, { advantage, logprob: before })];
    if (beside > 0) rows.push(this.row(beside, {}));
    await this.pass(rows, { loss_fn: "importance_sampling" }, false);
    const adam = { learning_rate: step * hugeEpsilon, beta1: 0, beta2: 0, eps: hugeEpsilon, weight_decay: 0 };
    const body = {
      model_id: this.id,
      adam_params: { ...adam, grad_clip_norm: clip },
      seq_id: this.next(),
      type: "optim_step",
    };
    await this.server.result("optim_step", body);
    this.current = await this.logprob();
    return this.current - before;
  }

  /**
   * Returns whether the server's loss agrees with the engine's on both sides of both thresholds. A server that tells no loss
   * for each token is taken at the API's word.
   */
  async computes(loss: Loss): Promise<boolean> {
    const { clipLow = 0.2, clipHigh = 0.2 } = loss;
    const ratios = [(1 - clipLow) * inside, (1 - clipLow) * outside, (1 + clipHigh) * inside, (1 + clipHigh) * outside];
    const cases = ratios.flatMap((ratio) => [1, -1].map((advantage) => ({ ratio: Math.max(ratio, 1e-3), advantage })));
    const config = { clip_low_threshold: 1 - clipLow, clip_high_threshold: 1 + clipHigh };
    const rows = cases.map(({ ratio, advantage }) =>
      this.row(1, { advantage, logprob: this.current - Math.log(ratio) }),
    );
    const outputs = await this.pass(rows, { loss_fn: loss.policy, loss_fn_config: config }, true);
    return cases.every(({ ratio, advantage }, at) => {
      const told = outputs[at]?.elementwise_loss?.data[positions - 1];
      if (told === undefined) return true;
      const { policy } = loss;
      const columns = { advantage: [advantage], proximal: [this.current - Math.log(ratio)] };
      const logprobs = Float32Array.of(this.current);
      const { statistics } = tokenLosses({ policy, clipLow, clipHigh }, columns, logprobs, Uint8Array.of(1), [0, 1]);
      return Math.abs(told - statistics.loss) < 1e-3 * (1 + Math.abs(statistics.loss));
    });
  }

  async unload(): Promise<void> {
    await this.server.result("unload_model", { model_id: this.id, type: "unload_model" });
  }

  /** Makes a row. @param length relative to the usual length @param trained the advantage of its token, if it has one */
  private row(length: number, { advantage = 0, logprob = 0 }: { advantage?: number; logprob?: number }): Datum {
    const count = positions * length + 1;
    const tokens = Int32Array.from({ length: count }, (_, at) => this.tokens[at % this.tokens.length] as number);
    const [advantages, logprobs] = [new Float32Array(count), new Float32Array(count)];
    advantages[positions] = advantage;
    logprobs[positions] = logprob;
    const pack: Pack = { tokens };
    return rowOf(pack, { first: 0, end: count }, { logprobs, advantages });
  }

  private async pass(
    data: readonly Datum[],
    loss: { loss_fn: string; loss_fn_config?: Record<string, number> },
    forwardOnly: boolean,
  ) {
    const request = { model_id: this.id, seq_id: this.next(), forwardOnly, input: { data, ...loss } };
    const received = await this.server.pass(request, { repeatable: forwardOnly });
    const result = output.safeParse(received);
    const outputs = result.data?.loss_fn_outputs;
    if (outputs?.length !== data.length) throw misformed("forward_backward", "log-probabilities of each row", received);
    return outputs as [(typeof outputs)[number], ...typeof outputs];
  }

  private next(): number {
    this.requests += 1;
    return this.requests;
  }
}
