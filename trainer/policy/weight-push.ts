/**
 * Pushes new weights to a server that samples: the weights are written as safetensors to a shared folder, and the
 * server loads them on request. The server is paused while it loads; replies in flight continue with the new weights.
 *
 * - vLLM (started with VLLM_SERVER_DEV_MODE=1): `/pause`, `/collective_rpc` with `reload_weights`, `/reset_prefix_cache`,
 *   `/resume`
 * - SGLang: `/pause_generation`, `/update_weights_from_disk`, `/continue_generation`
 */
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type BackOff, backOffMs, sleep } from "../gym/back-off.js";
import { PolicyError } from "./policy.js";

export const weightServers = ["vllm", "sglang"] as const;
export type WeightServer = (typeof weightServers)[number];

export interface WeightPushOptions {
  /** URL of the server's API, up to and including `/v1`. */
  readonly base: string;
  /** Software of the server. Default: the owner of its models according to `/v1/models`. */
  readonly server?: WeightServer | undefined;
  /** Folder in which each version gets a folder; the newest two are kept. */
  readonly folder: string;
  /** Treatment of the keys and values of replies in flight. SGLang always recomputes them. */
  readonly kv: "keep" | "recompute";
  /** Timeout for loading weights, in milliseconds. Default 10 minutes, which large models need. */
  readonly timeoutMs?: number;
  /** Maximum number of retries. Default 8, which takes minutes, since a server may be restarting. */
  readonly retries?: number;
  readonly backOff?: BackOff;
}

/** Timeout of every other request, in milliseconds. */
const controlMs = 60_000;

interface Call {
  readonly path: string;
  readonly body?: object;
}

/** Requests that replace the weights of a server. `resume` is sent after a failed `load` too. */
interface Reload {
  readonly pause: Call;
  readonly load: readonly Call[];
  readonly resume: Call;
}

const reloads: Readonly<Record<WeightServer, (folder: string, kv: WeightPushOptions["kv"]) => Reload>> = {
  vllm: (folder, kv) => ({
    pause: { path: `/pause?mode=${kv === "keep" ? "keep" : "abort"}` },
    load: [
      { path: "/collective_rpc", body: { method: "reload_weights", kwargs: { weights_path: folder } } },
      // New conversations must not start from cached keys and values of old weights.
      { path: "/reset_prefix_cache" },
    ],
    resume: { path: "/resume" },
  }),
  sglang: (folder) => ({
    pause: { path: "/pause_generation", body: { mode: "retract" } },
    load: [{ path: "/update_weights_from_disk", body: { model_path: folder, flush_cache: true } }],
    resume: { path: "/continue_generation", body: {} },
  }),
};

export class WeightPush {
  private server: WeightServer | undefined;
  private pushed: string[] = [];

  constructor(private readonly options: WeightPushOptions) {
    this.server = options.server;
  }

  /**
   * Pushes new weights. Resolves once the server samples with them.
   *
   * @param version policy version, which is the name of the folder
   * @param save writes the weights into a folder
   * @throws {PolicyError} WEIGHTS_NOT_PUSHED: no attempt is left; errors of `save`; the signal's reason
   */
  async push(version: number, save: (folder: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    const folder = resolve(join(this.options.folder, String(version)));
    await save(folder);
    await this.persist(() => this.load(folder, signal), signal);
    this.pushed = [...this.pushed.filter((each) => each !== folder), folder];
    for (const old of this.pushed.splice(0, this.pushed.length - 2)) await rm(old, { recursive: true, force: true });
  }

  private async persist(attempt: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { retries = 8, backOff = { baseMs: 1_000, maxMs: 30_000 } } = this.options;
    for (let failures = 0; ; failures++) {
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof PolicyError)) throw error;
        if (failures >= retries || !error.retryable) throw error;
        await sleep(backOffMs(backOff, failures), signal);
      }
    }
  }

  private async load(folder: string, signal: AbortSignal): Promise<void> {
    this.server ??= await this.find(signal);
    const { pause, load, resume } = reloads[this.server](folder, this.options.kv);
    await this.call(pause, signal, controlMs);
    try {
      for (const step of load) await this.call(step, signal, this.options.timeoutMs ?? 600_000);
    } finally {
      // A paused server replies to no client, so it is resumed even after a failed load or at the end of the run.
      await this.call(resume, new AbortController().signal, controlMs);
    }
  }

  private async find(signal: AbortSignal): Promise<WeightServer> {
    const url = `${this.options.base}/models`;
    const models = (await this.request("GET", url, undefined, signal, controlMs)) as { data?: unknown } | undefined;
    const [first] = Array.isArray(models?.data) ? (models.data as { owned_by?: unknown }[]) : [];
    const owner = weightServers.find((name) => name === first?.owned_by);
    if (owner) return owner;
    const received = JSON.stringify(first?.owned_by) ?? "nothing";
    throw notPushed(`models of vllm or sglang (policy_server says which it is)`, `owned_by ${received}`, false);
  }

  private async call({ path, body }: Call, signal: AbortSignal, timeoutMs: number): Promise<void> {
    const reply = await this.request(
      "POST",
      `${this.options.base.replace(/\/v1$/, "")}${path}`,
      body,
      signal,
      timeoutMs,
    );
    // SGLang reports failures with status 200.
    const { success, message } = (reply ?? {}) as { success?: unknown; message?: unknown };
    if (success === false) throw notPushed(`${path} to succeed`, String(message), true);
  }

  /** Sends a request. @returns the JSON of the reply, or undefined if the reply is not JSON */
  private async request(
    method: string,
    url: string,
    body: object | undefined,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<unknown> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const key = process.env.OPENAI_API_KEY;
    const headers = {
      ...(body && { "content-type": "application/json" }),
      ...(key && { authorization: `Bearer ${key}` }),
    };
    try {
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const signals = AbortSignal.any([signal, timeout]);
      const response = await fetch(url, { ...sent, signal: signals, redirect: "manual" });
      const text = await response.text();
      if (response.ok) return parsed(text);
      // vLLM has these routes only in its development mode.
      const isThere = response.status !== 404 && response.status !== 405 && response.status !== 401;
      throw notPushed(`status 200 of ${url}`, `${response.status}: ${text.slice(0, 500)}`, isThere);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PolicyError) throw error;
      const { cause, message } = error as Error & { cause?: Error };
      throw notPushed(
        `a reply of ${url}`,
        timeout.aborted ? `none within ${timeoutMs} ms` : cause?.message || message,
        true,
      );
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notPushed(expected: string, received: string, retryable: boolean): PolicyError {
  return new PolicyError("WEIGHTS_NOT_PUSHED", `expected ${expected}, but received ${received}`, retryable);
}
