/** The backend in this process: the engine has the weights, trains them and samples. */
import type { Engine } from "../../../native/api/index.js";
import type { TrainSettings } from "../../settings/settings.js";
import { createEngine, describeEngine, factsOfEngine } from "../../start/engine.js";
import { startingModel, trainerOptions } from "../../start/starting-model.js";
import type { Backend, BackendFacts, BackendRequest, TrainedPolicy } from "../backend.js";
import { openCritic } from "./critic.js";
import { openFrozenPolicy } from "./frozen-policy.js";
import { openGeneration } from "./generation.js";
import { openReference } from "./reference.js";
import { openTeacher } from "./teacher.js";

export class EngineBackend implements Backend {
  readonly facts: BackendFacts;

  private constructor(
    private readonly engine: Engine,
    private readonly settings: TrainSettings,
    why: string | undefined,
  ) {
    const info = engine.info();
    this.facts = { line: describeEngine(info, settings.device, why), facts: factsOfEngine(info, settings.device) };
  }

  static async create(settings: TrainSettings): Promise<EngineBackend> {
    const { engine, why } = await createEngine(settings);
    return new EngineBackend(engine, settings, why);
  }

  /** Makes the starting model, if necessary, and loads it. */
  async open({ algorithm, ...request }: BackendRequest): Promise<TrainedPolicy> {
    const { engine, settings } = this;
    const folder = await startingModel({ ...request, engine, settings });
    const model = await engine.loadModel(folder, { valueHead: algorithm.needs.values });
    const trainer = await model.trainer(trainerOptions(settings));
    const critic = algorithm.criticLoss && (await openCritic({ engine, folder, settings }));
    const { signal } = request;
    return {
      model,
      trainer,
      critic,
      reference: () => openReference({ engine, model, folder, settings }),
      teacher: () => openTeacher({ engine, tokenizer: model.tokenizer, settings, signal }),
      generation: () => openGeneration({ settings, model, trainer, signal }),
      save: (target) => model.save(target, settings.lora_rank > 0 ? { adapters: trainer } : {}),
      frozen: (source, name) => openFrozenPolicy({ engine, folder: source, name, settings }),
    };
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
