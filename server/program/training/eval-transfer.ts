/**
 * `palestra eval --transfer RUNS`: evaluates the model of each training run on the held-out tasks of all of these runs. An
 * interrupted command continues where it stopped.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { onStopping, openAbort } from "../../../trainer/abort.js";
import { TrainerError } from "../../../trainer/errors.js";
import { type EvaluationPlan, evaluate } from "../../../trainer/evaluation/evaluate.js";
import {
  type SetResult,
  type TransferMatrix,
  type TransferModel,
  transferCell,
  transferTests,
} from "../../../trainer/evaluation/transfer.js";
import type { GymClient } from "../../../trainer/gym/gym.js";
import { type GymPlace, openGym } from "../../../trainer/gym/open-gym.js";
import type { BoundedTaskSet } from "../../../trainer/gym/task-set.js";
import { openNativeModel } from "../../../trainer/policy/native-model.js";
import type { Policy } from "../../../trainer/policy/policy.js";
import { EvaluationProgress } from "../../../trainer/report/evaluation/evaluation-progress.js";
import { transferLines, transferPaper } from "../../../trainer/report/evaluation/transfer-paper.js";
import { writePaper } from "../../../trainer/report/paper/paper-files.js";
import { readRuns, type StoredRun } from "../../../trainer/report/study/stored-run.js";
import { defaultBackOff, type RolloutSettings } from "../../../trainer/rollout/episode-rollout.js";
import { heldOutTasks } from "../../../trainer/run/held-out.js";
import { checkSettings, type TrainSettings } from "../../../trainer/settings/settings.js";
import { promptExamplesFile, readPromptExamples } from "../../../trainer/start/prompt-examples.js";
import { boundTaskSets } from "../../../trainer/start/task-sets.js";
import { FormatError } from "../../formats/actions/action-format.js";
import { actionFormat } from "../../formats/actions/action-formats.js";
import type { EvalFlags } from "./eval-plan.js";
import type { StoredRequest } from "./eval-rounds.js";
import { folderName, toldTo } from "./eval-run.js";

const stoppedCode = 130;

export interface TransferRequest extends StoredRequest {
  readonly checkpoint: "final" | "best";
  readonly flags: Omit<EvalFlags, "policy">;
  readonly place: GymPlace;
}

/** A run with its checked settings and its model. */
interface Tested extends TransferModel {
  readonly run: StoredRun;
  readonly settings: TrainSettings;
}

/**
 * Plays and prints the matrix, and writes the report after each model.
 *
 * @param names names or folders of training runs, or of folders with runs
 * @throws {TrainerError} ARGUMENT_INVALID: there is no such run, or it has no model
 */
export async function runTransfer(names: readonly string[], request: TransferRequest): Promise<void> {
  const { roots, out, flags, place } = request;
  const models = names.flatMap((name) => readRuns(name, roots)).map((run) => testedOf(run, request.checkpoint));
  const folder = out ?? join(".palestra", "transfer", folderName(names.map((name) => basename(name))));
  const stopping = openAbort();
  const close = onStopping(() => stopping.abort(new Error("the run was stopped")));
  const gym = await openGym(flags, place, { expert: false }, (line) => console.error(line));
  try {
    const matrix = await new Transfer(models, gym.client, folder, request, stopping.signal).play();
    if (request.json) console.log(JSON.stringify(matrix, null, 2));
    else for (const line of [...transferLines(matrix), `report  ${join(folder, "report.html")}`]) console.log(line);
    if (stopping.signal.aborted) process.exitCode = stoppedCode;
  } finally {
    await gym.close();
    close();
  }
}

function testedOf(run: StoredRun, checkpoint: TransferRequest["checkpoint"]): Tested {
  const { gym, endpoint_api_key, ...own } = run.settings;
  const settings = checkSettings(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)));
  const model = join(run.folder, checkpoint === "final" ? "final" : join("checkpoints", "best"));
  if (settings.rollout === "gym" && existsSync(join(model, "config.json"))) {
    return { run, settings, name: run.name, trainedOn: settings.train_tasks, model, seed: settings.seed };
  }
  throw new TrainerError(
    "ARGUMENT_INVALID",
    settings.rollout === "gym"
      ? `expected a model of ${run.name} in ${model}, but received none. Let the run end, or choose --checkpoint ${checkpoint === "final" ? "best" : "final"}.`
      : `expected runs that play in a gym, but received ${run.name}, whose agents play at an endpoint`,
  );
}

class Transfer {
  private readonly progress = new EvaluationProgress();
  private readonly tests;
  private readonly cells: TransferMatrix["cells"][number][] = [];

  constructor(
    private readonly models: readonly Tested[],
    private readonly gym: GymClient,
    private readonly folder: string,
    private readonly request: TransferRequest,
    private readonly signal: AbortSignal,
  ) {
    this.tests = transferTests(models.map(({ name, settings }) => ({ name, sets: settings.eval_tasks })));
  }

  async play(): Promise<TransferMatrix> {
    for (const [at, tested] of this.models.entries()) {
      if (this.signal.aborted) break;
      const policy = await this.policyOf(tested);
      try {
        this.cells.push(await this.rowOf(tested, policy, `${tested.name}, ${at + 1} of ${this.models.length}`));
      } finally {
        await policy.close();
      }
      // A row that was cut off is played to its end by the next command.
      if (!this.signal.aborted) this.write();
    }
    return this.matrix;
  }

  private get matrix(): TransferMatrix {
    const models = this.models.map(({ name, trainedOn, model, seed }) => ({ name, trainedOn, model, seed }));
    return { format: 1, models, tests: this.tests, cells: this.cells };
  }

  private write(): void {
    writePaper(this.folder, transferPaper(this.matrix, this.request.command), this.matrix);
  }

  private async rowOf(tested: Tested, policy: Policy, label: string) {
    const known = new Map<string, SetResult>();
    const row = [];
    for (const { sets } of this.tests) {
      for (const set of sets) {
        if (!known.has(set)) known.set(set, await this.resultOf(tested, policy, set, label));
      }
      row.push(transferCell(sets.map((set) => known.get(set) as SetResult)));
    }
    return row;
  }

  private async resultOf(tested: Tested, policy: Policy, name: string, label: string): Promise<SetResult> {
    const nothing = { set: name, episodes: 0, failed: 0, success: undefined };
    if (this.signal.aborted) return { ...nothing, reason: "The command was stopped before." };
    let set: BoundedTaskSet;
    try {
      [set] = (await boundTaskSets([name], this.gym, actionFormat(tested.settings.action_format))) as [BoundedTaskSet];
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return { ...nothing, reason: error.message };
    }
    const plan = this.planOf(tested, set);
    const { progress } = this;
    progress.start(plan.tasks.length * plan.k, `${label}: ${name}`);
    try {
      const directory = join(this.folder, folderName([tested.name]), folderName([name]));
      const { report } = await evaluate(plan, {
        gym: this.gym,
        policy,
        directory,
        signal: this.signal,
        ...toldTo(progress),
      });
      const { episodes, failed, successRate } = report.summary;
      return { set: name, episodes, failed, success: successRate };
    } finally {
      progress.stop();
    }
  }

  private planOf({ run, settings }: Tested, set: BoundedTaskSet): EvaluationPlan {
    const { flags } = this.request;
    const { max_new_tokens, eval_temperature, top_p, context_length, prompt_examples } = settings;
    const { tasks, k } = heldOutTasks(set, flags.limit ?? settings.eval_episodes);
    return {
      environment: set.environment,
      split: set.split,
      ...{ tasks, k, seed: flags.seed, concurrency: flags.concurrency },
      rollout: this.rolloutOf(run, settings),
      policySettings: { max_new_tokens, eval_temperature, top_p, context_length, prompt_examples },
      notes: [],
    };
  }

  private rolloutOf(run: StoredRun, { max_rounds, action_format }: TrainSettings): RolloutSettings {
    const path = join(run.folder, promptExamplesFile);
    const examples = existsSync(path) ? readPromptExamples(path) : undefined;
    const { retries } = this.request.flags;
    return { maxRounds: max_rounds, format: actionFormat(action_format), examples, retries, backOff: defaultBackOff };
  }

  private policyOf({ model, settings }: Tested): Promise<Policy> {
    const { device, dtype, threads, concurrency: sequences } = this.request.flags;
    return openNativeModel(model, {
      ...{ sequences, maxNewTokens: settings.max_new_tokens, temperature: settings.eval_temperature },
      ...{ topP: settings.top_p, most: settings.context_length },
      ...(device && { device }),
      ...(dtype && { dtype }),
      ...(threads !== undefined && { threads }),
    });
  }
}
