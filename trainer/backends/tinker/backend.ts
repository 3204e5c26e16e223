/** The backend on a server of the Tinker API: the server has the weights and the GPUs, and this process runs the loop. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "../../../native/api/index.js";
import type { Algorithm } from "../../algorithms/index.js";
import { TrainerError } from "../../errors.js";
import type { TrainSettings } from "../../settings/settings.js";
import type { Backend, BackendFacts, BackendUsage, RunModel, TrainedPolicy } from "../backend.js";
import { openServerTeacher } from "../open-teacher.js";
import type { ServerFacts } from "./facts.js";
import { Gate } from "./gate.js";
import { TinkerGeneration } from "./generation.js";
import { probe } from "./probe.js";
import { refuseUnsupported } from "./refusals.js";
import { Sampler } from "./sampler.js";
import { TinkerServer } from "./server.js";
import { type ModelOptions, type SupportedModel, supportedModels, TinkerSession } from "./session.js";
import { TinkerTrainer } from "./trainer.js";

interface Parts {
  readonly settings: TrainSettings;
  readonly server: TinkerServer;
  readonly session: TinkerSession;
  readonly model: ModelOptions;
  readonly tokenizer: Tokenizer;
  readonly maxPositions: number;
  readonly measured: ServerFacts;
  readonly sampler: Sampler;
  readonly signal: AbortSignal;
  /** Ends all requests. */
  readonly closing: AbortController;
}

/** Text whose tokens the probe reads and trains. */
const probeText = "The quick brown fox jumps over the lazy dog.";
/** Milliseconds for removing the models at the end of a run. */
const unloadMs = 5_000;

export class TinkerBackend implements Backend {
  /** A minibatch is one pack: the server divides it as its memory allows. */
  readonly packTokens = Number.POSITIVE_INFINITY;
  readonly facts: BackendFacts;
  private readonly trainers: TinkerTrainer[] = [];

  private constructor(private readonly parts: Parts) {
    const { server, model, measured } = parts;
    const { reduction, losses, samplesApart, clipsGradients } = measured;
    this.facts = {
      line: `training ${model.base} at ${server.base}, adapters of rank ${model.rank}`,
      facts: {
        server: server.base,
        "base model": model.base,
        "reduction of the loss": reduction,
        "losses of the server": [...losses].join(", ") || "importance sampling",
        "samples while it trains": samplesApart,
        "clips gradients": clipsGradients,
      },
    };
  }

  /**
   * Connects to the server and measures it.
   *
   * @param say receives lines about the server, such as that it is away
   * @throws {TrainerError} SETTINGS_INVALID: a setting that the API cannot honor; BACKEND_UNREACHABLE, BACKEND_REFUSED
   */
  static async open(
    settings: TrainSettings,
    algorithm: Algorithm,
    say: (line: string) => void,
    signal: AbortSignal,
  ): Promise<TinkerBackend> {
    refuseUnsupported(settings, algorithm);
    const folder = settings.model as string;
    const { tokenizer, positions } = await readFacts(folder);
    const closing = new AbortController();
    const server = new TinkerServer({
      url: settings.backend.replace(/^tinker:/, ""),
      apiKey: process.env.TINKER_API_KEY,
      patienceMs: settings.backend_wait_minutes * 60_000,
      signal: closing.signal,
      say,
    });
    // Later, a run that is stopped still saves its checkpoint on the server.
    const stop = () => closing.abort(signal.reason);
    signal.addEventListener("abort", stop);
    let session: TinkerSession | undefined;
    try {
      signal.throwIfAborted();
      const supported = expectModel(settings.backend_model ?? folder, await supportedModels(server));
      session = await TinkerSession.open(server);
      const model = { base: supported.name, rank: settings.lora_rank, seed: settings.seed };
      const sampler = new Sampler(server, undefined);
      const tokens = tokenizer.encode(probeText, { addSpecialTokens: false });
      const loss = "gradients" in algorithm.loss ? undefined : algorithm.loss;
      say(`measuring ${server.base}`);
      const measured = await probe({ server, session, model, sampler, tokens, loss, signal });
      expectClipping(settings, measured);
      if (!measured.samplesApart) sampler.gate = new Gate();
      const maxPositions = Math.min(positions, supported.context ?? positions);
      return new TinkerBackend({
        settings,
        server,
        session,
        model,
        tokenizer,
        maxPositions,
        measured,
        sampler,
        signal,
        closing,
      });
    } catch (error) {
      session?.close();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  usage(): BackendUsage {
    const { sampler, server } = this.parts;
    const sum = (of: (trainer: TinkerTrainer) => number) => this.trainers.reduce((total, one) => total + of(one), 0);
    return {
      trainedTokens: sum(({ trainedTokens }) => trainedTokens),
      scoredTokens: sum(({ scoredTokens }) => scoredTokens),
      promptTokens: sampler.promptTokens,
      sampledTokens: sampler.sampledTokens,
      waitedSeconds: sum(({ waitedSeconds }) => waitedSeconds),
      awaySeconds: server.awaySeconds,
    };
  }

  async open(): Promise<TrainedPolicy> {
    const { tokenizer, maxPositions, settings, sampler, signal } = this.parts;
    const trainer = this.trainer();
    const model: RunModel = {
      tokenizer,
      config: { maxPositions },
      get version() {
        return trainer.version;
      },
      // The weights are on the server, so the folder is no model.
      describe: async () => {},
    };
    return {
      model,
      trainer,
      critic: undefined,
      // Fresh adapters change nothing, so a second model that is never trained scores as the base model does.
      reference: async () => this.trainer(),
      teacher: () => openServerTeacher(settings, tokenizer, signal),
      generation: async () => new TinkerGeneration({ settings, model, trainer, sampler, signal }),
      save: (folder) => this.save(trainer, folder),
    };
  }

  async close(): Promise<void> {
    const { session, closing } = this.parts;
    session.close();
    const removed = Promise.allSettled(this.trainers.map((trainer) => trainer.unload()));
    const timer = setTimeout(() => closing.abort(), unloadMs);
    await removed;
    clearTimeout(timer);
    closing.abort();
  }

  private trainer(): TinkerTrainer {
    const { session, server, model, measured: facts, sampler, signal } = this.parts;
    const trainer = new TinkerTrainer({ session, server, model, facts, gate: sampler.gate, signal });
    this.trainers.push(trainer);
    return trainer;
  }

  /** Saves the trained adapters on the server, and their name there in the folder. */
  private async save(trainer: TinkerTrainer, folder: string): Promise<void> {
    const { server, model } = this.parts;
    await mkdir(folder, { recursive: true });
    const path = await trainer.saveForSampling(`final-${trainer.version}`);
    const content = { server: server.base, "base model": model.base, path };
    await writeFile(join(folder, "tinker.json"), `${JSON.stringify(content, null, 2)}\n`);
  }
}

/** Reads the tokenizer and the number of positions of a model's folder. */
async function readFacts(folder: string): Promise<{ tokenizer: Tokenizer; positions: number }> {
  const tokenizer = await Tokenizer.read(folder);
  if (!tokenizer)
    throw new TrainerError(
      "MODEL_UNUSABLE",
      `expected a tokenizer.json in the model's folder ${folder}, but received none`,
    );
  const config = JSON.parse(await readFile(join(folder, "config.json"), "utf8")) as Record<string, unknown>;
  const { max_position_embeddings: positions } = config;
  if (typeof positions === "number") return { tokenizer, positions };
  throw new TrainerError(
    "MODEL_UNUSABLE",
    `expected max_position_embeddings in ${join(folder, "config.json")}, but received ${JSON.stringify(positions)}`,
  );
}

/** Finds the base model among those of the server. @throws {TrainerError} SETTINGS_INVALID */
function expectModel(name: string, models: readonly SupportedModel[]): SupportedModel {
  const found = models.find((model) => model.name === name);
  if (found) return found;
  throw new TrainerError(
    "SETTINGS_INVALID",
    `expected backend_model to be a model of the server (${models.map((model) => model.name).join(", ") || "which lists none"}), but received ${name}`,
  );
}

function expectClipping({ gradient_clipping }: TrainSettings, { clipsGradients }: ServerFacts): void {
  if (gradient_clipping === "none" || clipsGradients) return;
  throw new TrainerError(
    "SETTINGS_INVALID",
    `expected gradient_clipping none, since this server does not clip gradients, but received ${gradient_clipping}`,
  );
}
