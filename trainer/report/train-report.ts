/** Reports of a training run: lines and a progress bar in the terminal, metrics and a report in the output folder. */

import { join } from "node:path";
import type { Tokenizer } from "../../native/api/index.js";
import { type Finding, healthOf } from "../../server/formats/health/health.js";
import { type Algorithm, createAlgorithm } from "../algorithms/index.js";
import type { BackendFacts, BackendUsage } from "../backends/backend.js";
import type { TrainerError } from "../errors.js";
import { type Evaluation, meanSuccess, type TrainObserver, type TrainStepReport } from "../run/observer.js";
import { algorithmPart, type TrainSettings, withoutSecrets } from "../settings/settings.js";
import type { CloningStep } from "../start/cloning.js";
import type { StartProgress } from "../start/starting-model.js";
import { batchMetrics, lossMetrics } from "./batch-metrics.js";
import { GroupLog } from "./group-log.js";
import { healthLines } from "./health-text.js";
import type { Metrics, MetricsSink, TrainRecord } from "./metric-names.js";
import { MetricsLog } from "./metrics.js";
import { PatientSink } from "./patient-sink.js";
import { PrometheusMetrics } from "./prometheus.js";
import { type RunFacts, type RunOrigin, recordedRun, writeRunFile } from "./run-file.js";
import { StartLog } from "./start-log.js";
import { evaluationRecord } from "./study/evaluation-record.js";
import { seatRecords } from "./study/players.js";
import { startSeconds } from "./study/stored-run.js";
import { studyOf } from "./study/study.js";
import { studySections } from "./study/study-paper.js";
import { TensorBoardEvents } from "./tensorboard.js";
import { TerminalProgress } from "./terminal-progress.js";
import { writeTrainingHtml } from "./training-html.js";

/** Number of cloning steps between two printed lines. */
const cloningLine = 50;

export class TrainReport implements TrainObserver {
  private backend: BackendFacts | undefined;
  private log: MetricsLog | undefined;
  private prometheus: PrometheusMetrics | undefined;
  private usage: BackendUsage | undefined;
  private progress: TerminalProgress | undefined;
  /** Outputs that receive the records of train steps and evaluations. */
  private sinks: MetricsSink[] = [];
  private groups: GroupLog | undefined;
  private trainedTokens = 0;
  private computedTokens = 0;
  /** Number of train steps without a gradient, counted over the whole run. */
  private stepsWithoutGradient = 0;
  /**
   * Folder of the checkpoint that was reported last. Saving the same step again only adds an evaluation to the
   * checkpoint.
   */
  private saved = "";
  private lastStepAt = performance.now();
  private readonly algorithm: Algorithm;
  private readonly startLog: StartLog;

  /** Reason for the end of the run, once it has ended without a failure. */
  private end: RunFacts["end"];

  /**
   * @param onLine receives the lines of the run; by default they are printed, with a progress bar
   * @param origin command and versions, for the report
   */
  constructor(
    private readonly settings: TrainSettings,
    private readonly onLine?: (line: string) => void,
    private readonly origin: RunOrigin = {},
  ) {
    this.algorithm = createAlgorithm(algorithmPart(settings));
    this.startLog = new StartLog(settings.output);
  }

  onBackend(backend: BackendFacts): void {
    this.backend = backend;
    this.say(backend.line);
    this.writeRunFile(false);
  }

  onStage(stage: string): void {
    this.say(stage);
  }

  onCloningStep({ epoch, step, steps, loss }: CloningStep): void {
    if (step % cloningLine !== 0 && step !== steps) return;
    this.say(`cloning ${step}/${steps}  epoch ${epoch + 1}  loss ${loss.toFixed(3)}`);
  }

  onStartProgress(progress: StartProgress): void {
    this.attempt("the progress of the start", () => this.startLog.write(progress));
  }

  onStart(resumedAt: number, evaluations: readonly Evaluation[], tokenizer?: Tokenizer): void {
    const { output, total_train_steps: total, group_log_freq_steps: every, group_log_mb: mebibytes } = this.settings;
    const mostBytes = mebibytes * 2 ** 20;
    this.closeOutputs();
    this.groups = new GroupLog({ output, every, mostBytes, resumedAt, tokenizer, say: (line) => this.say(line) });
    const isEvaluated = evaluations.at(-1)?.trainStep === resumedAt;
    const log = new MetricsLog(join(output, "metrics.jsonl"), resumedAt, isEvaluated);
    this.log = log;
    const last = (name: "perf/total_num_tokens" | "perf/computed_num_tokens" | "actor/no_gradient_steps") =>
      log.records.findLast((record) => record[name] !== undefined)?.[name] ?? 0;
    this.trainedTokens = last("perf/total_num_tokens");
    this.computedTokens = last("perf/computed_num_tokens");
    this.stepsWithoutGradient = last("actor/no_gradient_steps");
    if (!this.onLine) this.progress = new TerminalProgress({ total, resumedAt });
    const isListening = this.prometheus !== undefined;
    this.prometheus ??= new PrometheusMetrics();
    const { prometheus } = this;
    const from = isEvaluated ? resumedAt + 1 : resumedAt;
    const events = new TensorBoardEvents(join(output, "tensorboard"), { resumedAt, from });
    const patient = (what: string, sink: MetricsSink) =>
      new PatientSink(sink, (reason) => this.say(`${what}: ${reason}`));
    const patientEvents = patient("TensorBoard", events);
    for (const record of log.records) if (record.step >= from) patientEvents.write(record);
    this.sinks = [patient("the metrics", log), patientEvents];
    this.addMissing(evaluations, log.records);
    this.lastStepAt = performance.now();
    const { metrics_port: port } = this.settings;
    if (port !== undefined && !isListening) void this.listen(prometheus, port);
  }

  onTrainStep(report: TrainStepReport): void {
    const now = performance.now();
    const seconds = (now - this.lastStepAt) / 1000;
    this.lastStepAt = now;
    this.trainedTokens += report.trainedTokens;
    this.computedTokens += report.computedTokens;
    const { groups, credits, leftOut, usage } = report;
    this.usage = usage;
    const { metrics, staleness, tokens } = batchMetrics(groups, credits, report.trainStep - 1, leftOut);
    const seats = seatRecords(groups);
    this.stepsWithoutGradient += metrics["actor/no_gradient"] ?? 0;
    const record: TrainRecord = {
      step: report.trainStep,
      time: Date.now() / 1000,
      ...metrics,
      ...lossMetrics(report.losses, this.algorithm),
      staleness,
      ...(seats && { seats }),
      "actor/loss": report.loss,
      ...(report.gradientNorm !== undefined && { "actor/grad_norm": report.gradientNorm }),
      ...(report.criticGradientNorm !== undefined && { "critic/grad_norm": report.criticGradientNorm }),
      ...(report.teacherKl !== undefined && { "actor/teacher_kl": report.teacherKl }),
      "actor/lr": report.lr,
      "actor/no_gradient_steps": this.stepsWithoutGradient,
      "perf/throughput": tokens / seconds,
      "perf/generation_throughput": report.decodedTokens / seconds,
      "perf/idle/train": report.waitedMs / 1000 / seconds,
      ...(report.generatorIdleMs !== undefined && {
        "perf/idle/generate": report.generatorIdleMs / report.generatorMs,
      }),
      ...(usage && usageMetrics(usage)),
      "perf/total_num_tokens": this.trainedTokens,
      "perf/computed_num_tokens": this.computedTokens,
      "timing_s/step": seconds,
      "timing_s/wait": report.waitedMs / 1000,
      "timing_s/update": report.learntMs / 1000,
      ...(report.rounds !== undefined && { "curriculum/rounds": report.rounds }),
    };
    this.write(record);
    this.progress?.write(record);
    this.groups?.write(report);
  }

  onEvaluation(evaluation: Evaluation): void {
    const { trainStep, scores } = evaluation;
    const record = evaluationRecord(evaluation);
    if (record) this.write(record);
    const solved = record ? solvedText(scores) : "no episode could be played";
    this.say(`held out after train step ${trainStep}: ${solved}`);
    for (const { name, success, episodes, rounds = 0, failed, seats = {} } of scores) {
      const failures = failed > 0 ? `  ${failed} failed` : "";
      this.say(`  ${name.padEnd(36)} ${percent(success)} of ${episodes}  ${rounds.toFixed(1)} rounds${failures}`);
      for (const [seat, own] of Object.entries(seats)) {
        this.say(`    ${seat.padEnd(34)} return ${own.score.toFixed(3)} of ${own.episodes}`);
      }
    }
    this.lastStepAt = performance.now();
  }

  onBeforeCheckpoint(): void {
    this.attempt("the metrics", () => this.log?.sync());
    this.writeReport();
  }

  onCheckpoint(folder: string): void {
    if (folder !== this.saved) this.say(`saved ${folder}`);
    this.saved = folder;
  }

  onCheckpointFailed({ message }: TrainerError): void {
    this.say(`no checkpoint: ${message}; the previous checkpoint is kept`);
  }

  /** @param end reason for the end of the run; undefined if it failed */
  async close(end?: RunFacts["end"]): Promise<void> {
    this.end = end;
    this.writeReport();
    for (const line of healthLines(this.health)) this.say(line);
    await Promise.all([...this.sinks, this.prometheus, this.groups].map((sink) => sink?.close()));
    this.sayUsage();
    if (this.backend) this.writeRunFile(true);
    this.progress?.close();
  }

  /** Findings about the run's health so far, empty before the third train step. */
  get health(): Finding[] {
    return healthOf(this.log?.records ?? [], { ...this.settings });
  }

  private write(record: TrainRecord): void {
    for (const sink of this.sinks) sink.write(record);
    this.prometheus?.write(record);
  }

  /** Closes the files of a run that goes back to its checkpoint. They are opened again at the checkpoint's step. */
  private closeOutputs(): void {
    for (const sink of [...this.sinks, this.groups]) void sink?.close();
    this.sinks = [];
    this.progress?.close();
  }

  /** Says what the backend's server did, and how long the run waited for it. */
  private sayUsage(): void {
    if (!this.usage) return;
    const { trainedTokens, scoredTokens, promptTokens, sampledTokens, waitedSeconds, awaySeconds } = this.usage;
    const tokens = `${trainedTokens} tokens trained, ${scoredTokens} scored, ${promptTokens} read and ${sampledTokens} sampled`;
    const away = awaySeconds > 0 ? `, ${awaySeconds.toFixed(0)} s of it away` : "";
    this.say(`the server: ${tokens}; training waited ${waitedSeconds.toFixed(0)} s for it${away}`);
  }

  /**
   * Adds evaluations that are missing in the log: earlier versions left out the final evaluation, and the disk may have
   * been full.
   */
  private addMissing(evaluations: readonly Evaluation[], records: readonly TrainRecord[]): void {
    const newest = records.at(-1)?.step ?? 0;
    const known = new Set(records.map(({ held_out }) => held_out?.step));
    for (const evaluation of evaluations) {
      const record = evaluationRecord(evaluation);
      if (record && record.step >= newest && !known.has(record.step)) this.write(record);
    }
  }

  private writeRunFile(hasEnded: boolean): void {
    this.attempt("run.json", () => writeRunFile(this.facts(hasEnded)));
  }

  private facts(hasEnded: boolean): RunFacts {
    const { settings, origin, end } = this;
    return { settings, engine: this.backend?.facts, origin, hasEnded, end };
  }

  private writeReport(): void {
    if (!this.log || this.log.records.length === 0) return;
    const { output } = this.settings;
    const { records } = this.log;
    const run = {
      ...recordedRun(this.facts(true)),
      endedAt: null,
      name: output,
      folder: output,
      records,
      startSeconds: startSeconds(output),
    };
    const title = `Training run ${output}`;
    const input = {
      title,
      records,
      settings: withoutSecrets(this.settings),
      engine: this.backend?.facts,
      health: this.health,
      paper: studySections(studyOf({ title, runs: [{ ...run, end: this.end }] })),
    };
    this.attempt("the report", () => writeTrainingHtml(join(output, "report.html"), input));
  }

  /** Writes a file. A failed write is reported and does not end the run. */
  private attempt(what: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.say(`expected to write ${what}, but received: ${(error as Error).message}`);
    }
  }

  private async listen(prometheus: PrometheusMetrics, port: number): Promise<void> {
    try {
      this.say(`metrics at ${await prometheus.listen({ port })}`);
    } catch (error) {
      this.say(`no metrics for Prometheus: ${(error as Error).message}`);
    }
  }

  private say(line: string): void {
    if (this.onLine) this.onLine(line);
    else if (this.progress) this.progress.say(line);
    else process.stderr.write(`${line}\n`);
  }
}

function usageMetrics(usage: BackendUsage): Metrics {
  return {
    "backend/trained_tokens": usage.trainedTokens,
    "backend/scored_tokens": usage.scoredTokens,
    "backend/prompt_tokens": usage.promptTokens,
    "backend/sampled_tokens": usage.sampledTokens,
    "backend/waited_s": usage.waitedSeconds,
    "backend/away_s": usage.awaySeconds,
  };
}

/** Returns the success of each environment, as the mean of its task sets. */
function solvedText(scores: Evaluation["scores"]): string {
  const environments = [...new Set(scores.map(({ environment }) => environment))];
  const shares = environments.map((environment) => {
    const share = meanSuccess({ scores: scores.filter((score) => score.environment === environment) });
    return `${percent(share)} solved${environments.length > 1 ? ` of ${environment}` : ""}`;
  });
  return shares.join(", ");
}

function percent(share: number | undefined): string {
  return share === undefined ? "nothing" : `${(100 * share).toFixed(1)} %`.padStart(7);
}
