/** A teacher in this process: a second model of the engine, which only scores. */
import type { Engine, Model, Tokenizer, Trainer } from "../../../native/api/index.js";
import { packed, RowPack } from "../../data/packing.js";
import { TrainerError } from "../../errors.js";
import { expectSameTokens, parseTeacher, type SampledRow, type Teacher } from "../../policy/teacher.js";
import type { TrainSettings } from "../../settings/settings.js";
import { openServerTeacher } from "../open-teacher.js";
import { frozenScorer } from "./reference.js";

export interface TeacherRequest {
  readonly engine: Engine;
  /** Tokenizer of the policy. */
  readonly tokenizer: Tokenizer | undefined;
  readonly settings: TrainSettings;
  readonly signal: AbortSignal;
}

/** Opens the teacher of a run. @throws {NativeError} the model cannot be loaded @throws errors of `TrainedPolicy.teacher` */
export async function openTeacher({ engine, tokenizer, settings, signal }: TeacherRequest): Promise<Teacher> {
  const name = parseTeacher(settings.teacher ?? "");
  if (name.kind === "openai") return openServerTeacher(settings, tokenizer, signal);
  const model = await engine.loadModel(name.path);
  try {
    expectTeaching(model, name.path, tokenizer, settings.context_length);
    return new NativeTeacher(model, await frozenScorer(model, settings.max_tokens_per_mb), settings);
  } catch (error) {
    model.close();
    throw error;
  }
}

function expectTeaching({ config, tokenizer }: Model, path: string, own: Tokenizer | undefined, context: number): void {
  if (config.maxPositions < context) {
    const received = `one with ${config.maxPositions}. Lower context_length.`;
    const message = `expected a teacher with at least context_length ${context} positions, but received ${received}`;
    throw new TrainerError("TEACHER_UNUSABLE", message);
  }
  if (!own || !tokenizer)
    throw new TrainerError(
      "TEACHER_UNUSABLE",
      `expected a teacher with a tokenizer.json at ${path}, but received none`,
    );
  expectSameTokens(own, tokenizer);
}

class NativeTeacher implements Teacher {
  constructor(
    private readonly model: Model,
    private readonly scorer: Trainer,
    private readonly settings: Pick<TrainSettings, "max_tokens_per_mb" | "temperature">,
  ) {}

  async logprobs(rows: readonly SampledRow[]): Promise<Float32Array[]> {
    const { max_tokens_per_mb, temperature } = this.settings;
    const logprobs = new Map<SampledRow, Float32Array>();
    for (const sequences of packed(rows, max_tokens_per_mb, true)) {
      const rowPack = RowPack.of(sequences, true);
      const { logprob } = await this.scorer.score(rowPack.pack, { temperature });
      for (const [at, one] of rowPack.parted(logprob).entries()) logprobs.set(sequences[at] as SampledRow, one);
    }
    return rows.map((row) => logprobs.get(row) as Float32Array);
  }

  close(): void {
    this.model.close();
  }
}
