/** A training run as it is told: lines and a bar in the terminal, and in the output folder metrics and the report. */
import { join } from "node:path";
import type { CloningStep } from "../cloning.js";
import {
  batchMetrics,
  lossMetrics,
  type Metrics,
  MetricsLog,
  type MetricsSink,
  PrometheusMetrics,
  TensorBoardEvents,
  TerminalProgress,
  type TrainRecord,
  writeHtmlReport,
} from "../report/index.js";
import type { TrainSettings } from "../settings.js";
import type { Evaluation, TrainObserver, TrainStepReport } from "../train-observer.js";

/** Cloning steps from one line to the next. */
const cloningLine = 50;

export class TrainReport implements TrainObserver {
  private log: MetricsLog | undefined;
  private progress: TerminalProgress | undefined;
  private sinks: MetricsSink[] = [];
  /** Of the last train step, until it is known whether an evaluation belongs to it. */
  private pending: TrainRecord | undefined;
  /** Of an evaluation before the first train step: told with that, since there is no record of step 0. */
  private validation: Metrics = {};
  private trainedTokens = 0;
  private lastStepAt = performance.now();

  constructor(private readonly settings: TrainSettings) {}

  onStage(stage: string): void {
    this.say(stage);
  }

  onCloningStep({ epoch, step, steps, loss }: CloningStep): void {
    if (step % cloningLine !== 0 && step !== steps) return;
    this.say(`cloning ${step}/${steps}  epoch ${epoch + 1}  loss ${loss.toFixed(3)}`);
  }

  onStart(resumedAt: number): void {
    const { output, total_train_steps: total } = this.settings;
    this.log = new MetricsLog(join(output, "metrics.jsonl"), resumedAt);
    this.trainedTokens = this.log.records.at(-1)?.["perf/total_num_tokens"] ?? 0;
    this.progress = new TerminalProgress({ total, resumedAt });
    const prometheus = new PrometheusMetrics();
    this.sinks = [
      this.log,
      new TensorBoardEvents(join(output, "tensorboard"), { resumedAt }),
      this.progress,
      prometheus,
    ];
    this.lastStepAt = performance.now();
    const { metrics_port: port } = this.settings;
    if (port !== undefined) void this.listen(prometheus, port);
  }

  onTrainStep(report: TrainStepReport): void {
    this.flush();
    const now = performance.now();
    const seconds = (now - this.lastStepAt) / 1000;
    this.lastStepAt = now;
    this.trainedTokens += report.trainedTokens;
    const { metrics, staleness } = batchMetrics(report.groups, report.credits, report.trainStep - 1);
    const { filtered, buffer } = report.rollouts;
    this.pending = {
      step: report.trainStep,
      time: Date.now() / 1000,
      ...metrics,
      ...lossMetrics(report.losses),
      ...this.validation,
      staleness,
      "actor/loss": report.loss,
      "actor/grad_norm": report.gradientNorm,
      "actor/lr": report.lr,
      "staleness/dropped": buffer.dropped,
      "groups/filtered": filtered,
      "perf/throughput": report.trainedTokens / seconds,
      "perf/generation_throughput": report.decodedTokens / seconds,
      "perf/idle/train": report.waitedMs / 1000 / seconds,
      "perf/idle/generate": report.generatorIdleMs / 1000 / seconds,
      "perf/total_num_tokens": this.trainedTokens,
      "timing_s/step": seconds,
      "timing_s/wait": report.waitedMs / 1000,
      "timing_s/update": report.learntMs / 1000,
      "curriculum/rounds": report.rounds,
    };
    this.validation = {};
  }

  onEvaluation({ trainStep, scores }: Evaluation): void {
    const mean = (of: (score: (typeof scores)[number]) => number) =>
      scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
    const validation = {
      "val/success_rate": mean(({ success }) => success),
      "val/reward/mean": mean(({ score }) => score),
    };
    if (this.pending) this.pending = { ...this.pending, ...validation };
    else this.validation = validation;
    this.flush();
    this.say(`held out after train step ${trainStep}: ${(100 * validation["val/success_rate"]).toFixed(1)} % solved`);
    for (const { name, success, episodes, rounds } of scores) {
      this.say(
        `  ${name.padEnd(36)} ${(100 * success).toFixed(1).padStart(5)} % of ${episodes}  ${rounds.toFixed(1)} rounds`,
      );
    }
    this.lastStepAt = performance.now();
  }

  onCheckpoint(folder: string): void {
    this.flush();
    this.log?.sync();
    this.say(`saved ${folder}`);
    this.writeReport();
  }

  async close(): Promise<void> {
    this.flush();
    this.writeReport();
    await Promise.all(this.sinks.map((sink) => sink.close()));
  }

  private flush(): void {
    const record = this.pending;
    this.pending = undefined;
    if (record) for (const sink of this.sinks) sink.write(record);
  }

  private writeReport(): void {
    if (!this.log || this.log.records.length === 0) return;
    const { output } = this.settings;
    const input = { title: `Training run ${output}`, records: this.log.records, settings: this.settings };
    writeHtmlReport(join(output, "report.html"), input);
  }

  private async listen(prometheus: PrometheusMetrics, port: number): Promise<void> {
    try {
      this.say(`metrics at ${await prometheus.listen({ port })}`);
    } catch (error) {
      this.say(`no metrics for Prometheus: ${(error as Error).message}`);
    }
  }

  private say(line: string): void {
    if (this.progress) this.progress.say(line);
    else process.stderr.write(`${line}\n`);
  }
}
