/** The terminal, the files and the report show the same evaluations of a run, each of them once. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { GymClient } from "#palestra/trainer/gym/gym.js";
import type { TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { readMetrics } from "#palestra/trainer/report/metrics.js";
import { TrainReport } from "#palestra/trainer/report/train-report.js";
import type { Evaluation, TrainStepReport } from "#palestra/trainer/run/observer.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { type TrainResult, train } from "#palestra/trainer/train.js";
import { needsEngine } from "../../native/tiny-models.js";
import { scalarsOf } from "../../support/event-files.js";
import { scratch } from "../../support/serving.js";
import { trainSteps } from "../../support/train-records.js";
import { FailingGym } from "../support/failing-gym.js";
import { gymOfFile } from "../support/gym-of-file.js";
import { reportData } from "../support/report-data.js";
import { Notes, tinySettings } from "../support/training.js";

needsEngine();
const file = gymOfFile();
/** The starting model of each run here, cloned once. */
let model: string;

beforeAll(async () => {
  const beginning = tinySettings(join(file.folder, "beginning"), { total_train_steps: 0 });
  ({ model } = await train(beginning, file.gym, new Notes(), new AbortController().signal));
});

const settingsOf = (changes: Partial<TrainSettings> = {}) =>
  tinySettings(scratch(), { model, clone_episodes: 0, max_head_offpolicyness: 0, total_train_steps: 3, ...changes });

class Watched extends TrainReport {
  onStep: (report: TrainStepReport) => void = () => {};
  onScores: (evaluation: Evaluation) => void = () => {};

  override onTrainStep(report: TrainStepReport): void {
    super.onTrainStep(report);
    this.onStep(report);
  }

  override onEvaluation(evaluation: Evaluation): void {
    this.onScores(evaluation);
    super.onEvaluation(evaluation);
  }
}

interface Told {
  terminal: string;
  result: TrainResult | undefined;
  error: unknown;
}

/** A run of `palestra train`, and its output on the terminal. */
async function run(
  settings: TrainSettings,
  watch: (report: Watched, stopping: AbortController) => void = () => {},
  gym: GymClient = file.gym,
): Promise<Told> {
  let terminal = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    terminal += String(text);
    return true;
  });
  const report = new Watched(settings);
  const stopping = new AbortController();
  watch(report, stopping);
  const outcome = await train(settings, gym, report, stopping.signal)
    .then((result) => ({ result, error: undefined }))
    .catch((error: unknown) => ({ result: undefined, error }))
    .finally(() => report.close());
  vi.restoreAllMocks();
  return { terminal, ...outcome };
}

/** Evaluations by train step, in percent, rounded like those of the terminal and the report. */
type Shares = [step: number, percent: string][];

const percent = (share: number) => (100 * share).toFixed(1);

function inTerminal(terminal: string): Shares {
  const lines = terminal.matchAll(/held out after train step (\d+): +([\d.]+) % solved/g);
  return [...lines].map(([, step, share = ""]) => [Number(step), share]);
}

function inLog({ output }: TrainSettings): Shares {
  const records = readMetrics(join(output, "metrics.jsonl"));
  return records.flatMap((record) => {
    const { held_out, "val/success_rate": share } = record;
    if (!held_out || share === undefined) return [];
    expect(record.step).toBe(held_out.step);
    expect(Object.values(held_out.success)).toEqual([share]);
    return [[held_out.step, percent(share)]];
  });
}

function inEvents({ output }: TrainSettings): Shares {
  return scalarsOf(join(output, "tensorboard"), "val/success_rate").map(({ step, value }) => [step, percent(value)]);
}

function inCheckpoint({ output }: TrainSettings): Shares {
  const newest = readdirSync(join(output, "checkpoints")).sort().at(-1) ?? "none";
  const state = JSON.parse(readFileSync(join(output, "checkpoints", newest, "state.json"), "utf8"));
  return (state.parts.evaluations as Evaluation[]).map(({ trainStep, scores }) => [
    trainStep,
    percent(scores[0]?.success as number),
  ]);
}

/** The evaluations in the data of the report's page, with the gain and the newest success rate of its table. */
function inReport({ output }: TrainSettings): { shares: Shares; gain: string; last: string } {
  const { records } = reportData<{ records: TrainRecord[] }>(readFileSync(join(output, "report.html"), "utf8"));
  const evaluations = records.flatMap(({ held_out }) => (held_out ? [held_out] : []));
  const means = evaluations.map(({ success }) => mean(Object.values(success)));
  const shares = evaluations.map(({ step }, at): [number, string] => [step, percent(means[at] as number)]);
  const gain = 100 * ((means.at(-1) as number) - (means[0] as number));
  return { shares, gain: signed(gain), last: shares.at(-1)?.[1] ?? "" };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const signed = (points: number) => `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;

function gainOf(shares: Shares, settings: TrainSettings): string {
  const exact = readMetrics(join(settings.output, "metrics.jsonl"))
    .map((record) => record["val/success_rate"])
    .filter((share) => share !== undefined);
  expect(exact).toHaveLength(shares.length);
  const gain = 100 * ((exact.at(-1) as number) - (exact[0] as number));
  return signed(gain);
}

/** Checks that all outputs of the run have the same evaluations at the same train steps. */
function expectAgreement(terminals: readonly string[], settings: TrainSettings, steps: readonly number[]): void {
  const shares = inLog(settings);
  expect(shares.map(([step]) => step)).toEqual(steps);
  expect(terminals.flatMap(inTerminal)).toEqual(shares);
  expect(inEvents(settings)).toEqual(shares);
  expect(inCheckpoint(settings)).toEqual(shares);
  const gain = gainOf(shares, settings);
  expect(inReport(settings)).toEqual({ shares, gain, last: shares.at(-1)?.[1] });
}

const stepsOf = ({ output }: TrainSettings) =>
  trainSteps(readMetrics(join(output, "metrics.jsonl"))).map(({ step }) => step);

describe("terminal, metrics.jsonl, TensorBoard, checkpoint and report agree", () => {
  test("on the evaluations before the first train step and after the last one", async () => {
    const settings = settingsOf();
    let isSpoilt = false;
    // The figure differs from the first one, so that a report with only the first would fail the test.
    const { terminal, result } = await run(settings, (report) => {
      report.onScores = ({ trainStep, scores }) => {
        if (trainStep === 0) return;
        const [score] = scores as unknown as { success: number }[];
        if (score) score.success = score.success === 0.2 ? 0.4 : 0.2;
        isSpoilt = true;
      };
    });
    expect([result?.end, isSpoilt]).toEqual(["done", true]);
    expect(stepsOf(settings)).toEqual([1, 2, 3]);
    expectAgreement([terminal], settings, [0, 3]);
  });

  test("on an evaluation before and one after each train step, the last of which is evaluated once", async () => {
    const settings = settingsOf({ eval_freq_steps: 1 });
    const { terminal } = await run(settings);
    expectAgreement([terminal], settings, [0, 1, 2, 3]);
  });

  test("for a run without a train step", async () => {
    const settings = settingsOf({ total_train_steps: 0 });
    const { terminal } = await run(settings);
    expectAgreement([terminal], settings, [0]);
  });

  test("for a run that ends by time and evaluates its last step", async () => {
    const settings = settingsOf({ total_train_steps: 1000, max_minutes: 5, save_freq_steps: 1000 });
    const time = new AbortController();
    const timer = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(time.signal);
    onTestFinished(() => timer.mockRestore());
    const { terminal, result } = await run(settings, (report) => {
      report.onStep = () => time.abort();
    });
    expect(timer).toHaveBeenCalledExactlyOnceWith(300_000);
    expect(result?.end).toBe("time");
    expectAgreement([terminal], settings, [0, result?.trainSteps as number]);
  });

  test("for a stopped run, which is evaluated only after it is resumed", async () => {
    const settings = settingsOf();
    const first = await run(settings, (report, stopping) => {
      report.onStep = ({ trainStep }) => {
        if (trainStep === 2) stopping.abort(new Error("stopped"));
      };
    });
    expect(first.result?.end).toBe("stopped");
    expectAgreement([first.terminal], settings, [0]);
    const second = await run(settings);
    expect(second.result?.end).toBe("done");
    expect(stepsOf(settings)).toEqual([1, 2, 3]);
    expectAgreement([first.terminal, second.terminal], settings, [0, 3]);
  });

  test("for a finished run that is resumed without a further step, with one, and with a log of an earlier version", async () => {
    const settings = settingsOf({ total_train_steps: 2 });
    const first = await run(settings);
    const again = await run(settings);
    expect(again.terminal).not.toContain("saved");
    expect(again.result?.evaluations.map(({ trainStep }) => trainStep)).toEqual([0, 2]);
    expectAgreement([first.terminal, again.terminal], settings, [0, 2]);

    // Earlier versions put the first evaluation into the record of the first train step and lost the last one.
    const log = join(settings.output, "metrics.jsonl");
    const [before, one, two] = readFileSync(log, "utf8").trimEnd().split("\n");
    writeFileSync(
      log,
      `${JSON.stringify({ ...JSON.parse(before as string), ...JSON.parse(one as string) })}\n${two}\n`,
    );
    await run(settings);
    const { shares } = inReport(settings);
    expect(shares).toEqual(inTerminal(first.terminal));

    const longer = { ...settingsOf({ total_train_steps: 3 }), output: settings.output };
    const further = await run(longer);
    expect(inReport(longer).shares).toEqual([...shares, ...inTerminal(further.terminal)]);
  });
});

describe("the last evaluation", () => {
  test("is repeated by the resumed run if it was stopped", async () => {
    const settings = settingsOf();
    const first = await run(settings, (report, stopping) => {
      report.onStep = ({ trainStep }) => {
        if (trainStep === 3) stopping.abort(new Error("stopped"));
      };
    });
    expect(first.result?.end).toBe("stopped");
    expectAgreement([first.terminal], settings, [0]);
    const second = await run(settings);
    expect(second.result?.end).toBe("done");
    expectAgreement([first.terminal, second.terminal], settings, [0, 3]);
  });

  test("that fails leaves the checkpoint, model and report of all train steps, and the resumed run repeats it", async () => {
    const settings = settingsOf();
    const first = await run(settings, (report) => {
      report.onScores = ({ trainStep }) => {
        if (trainStep === 3) throw new Error("a bug");
      };
    });
    expect(String(first.error)).toContain("a bug");
    expect(readdirSync(join(settings.output, "final"))).toContain("model.safetensors");
    expect(stepsOf(settings)).toEqual([1, 2, 3]);
    expectAgreement([first.terminal], settings, [0]);
    const second = await run(settings);
    expectAgreement([first.terminal, second.terminal], settings, [0, 3]);
  });

  test("without a playable episode is not recorded, and the resumed run repeats it", async () => {
    const settings = settingsOf({ rollout_retries: 0 });
    const failing = new FailingGym(file.gym);
    const watch = (report: Watched) => {
      report.onStep = ({ trainStep }) => {
        if (trainStep === 3) failing.share = 1;
      };
    };
    const first = await run(settings, watch, failing);
    expect(first.terminal).toContain("held out after train step 3: no episode could be played");
    expect(first.terminal.match(/held out after train step 3/g)).toHaveLength(1);
    expectAgreement([first.terminal], settings, [0]);
    const second = await run(settings);
    expectAgreement([first.terminal, second.terminal], settings, [0, 3]);
  });

  test("is recorded once more, and only once, if the process ended before its checkpoint", async () => {
    const settings = settingsOf();
    const before = scratch();
    const first = await run(settings, (report) => {
      report.onScores = ({ trainStep }) => {
        if (trainStep === 3) cpSync(join(settings.output, "checkpoints"), before, { recursive: true });
      };
    });
    // The state after `kill -9` between the log and the checkpoint.
    cpSync(before, join(settings.output, "checkpoints"), { recursive: true, force: true });
    expect(inCheckpoint(settings).map(([step]) => step)).toEqual([0]);
    const second = await run(settings);
    expect(inTerminal(second.terminal)).toEqual(inTerminal(first.terminal).slice(1));
    expectAgreement([first.terminal], settings, [0, 3]);
  });
});
