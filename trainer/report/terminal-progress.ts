/** Progress of a training run: a progress bar on a terminal, else a line for each train step. */
import { SingleBar } from "cli-progress";
import type { MetricName, MetricsSink, TrainRecord } from "./metric-names.js";
import { timeLeft } from "./time-left.js";

export interface ProgressOptions {
  /** Number of train steps of the whole run. */
  readonly total: number;
  /** Number of train steps done before a resume. */
  readonly resumedAt?: number;
  readonly stream?: NodeJS.WriteStream;
}

/** Metrics of a progress line, in order; the line has at most 120 characters. */
const shown: readonly { label: string; metric: MetricName; show: (value: number) => string }[] = [
  { label: "success", metric: "episode/success_rate", show: percent },
  { label: "reward", metric: "episode/reward/mean", show: (value) => value.toFixed(2) },
  { label: "staleness", metric: "staleness/mean", show: (value) => value.toFixed(1) },
  { label: "tok/s", metric: "perf/throughput", show: (value) => compact.format(value) },
  { label: "idle train", metric: "perf/idle/train", show: percent },
  { label: "gen", metric: "perf/idle/generate", show: percent },
];

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

export class TerminalProgress implements MetricsSink {
  readonly #options: ProgressOptions;
  readonly #stream: NodeJS.WriteStream;
  readonly #bar: SingleBar | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#stream = options.stream ?? process.stderr;
    if (!this.#stream.isTTY) return;
    this.#bar = new SingleBar({
      stream: this.#stream,
      format: "train {bar} {value}/{total}{metrics}{eta_formatted}",
      formatTime: timeLeft,
      barsize: 20,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      hideCursor: true,
      fps: 5,
      etaBuffer: 20,
    });
    this.#bar.start(options.total, options.resumedAt ?? 0, { metrics: "" });
  }

  write(record: TrainRecord): void {
    const line = describe(record);
    if (this.#bar) this.#bar.update(record.step, { metrics: line });
    else this.#stream.write(`train ${record.step}/${this.#options.total}${line}\n`);
  }

  /** Writes a line, such as the report of a checkpoint, above the progress bar. */
  say(line: string): void {
    if (!this.#bar) {
      this.#stream.write(`${line}\n`);
      return;
    }
    this.#stream.write(`\r\u001b[2K${line}\n`);
    this.#bar.render();
  }

  close(): void {
    this.#bar?.stop();
  }
}

function describe(record: TrainRecord): string {
  const figures = shown.map(({ label, metric, show }) => {
    const value = record[metric];
    return value === undefined ? "" : `  ${label} ${show(value)}`;
  });
  return figures.join("") + seatsIn(record) + withoutGradient(record);
}

/** Returns the mean return of each seat that the policy played; nothing without seats. */
function seatsIn({ seats = {} }: TrainRecord): string {
  return Object.entries(seats)
    .map(([seat, { reward }]) => (reward === undefined ? "" : `  ${seat} ${reward.toFixed(2)}`))
    .join("");
}

/** Returns a warning for a train step without advantages. A KL or entropy term may still have a gradient. */
function withoutGradient(record: TrainRecord): string {
  if (record["actor/no_gradient"] !== 1) return "";
  const { "groups/count": groups = 0, "groups/zero_variance": equal = 0, "groups/too_small": tooSmall = 0 } = record;
  const gradient = (record["actor/grad_norm"] ?? 0) > 0 ? "policy gradient" : "gradient";
  return `  no ${gradient}: ${equal > 0 && equal >= groups - tooSmall ? "all rewards equal" : "every advantage is 0"}`;
}
