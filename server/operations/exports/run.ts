/** A run that is exported: its description, and its records as they are read from its folder. */
import { GymError } from "../../errors.js";
import type { Runs } from "../../runs/runs.js";
import { evaluationLogOf, type PlayedLine, type PlayedRecord } from "./evaluation-log.js";
import { type Download, evalLogDownload } from "./formats.js";
import { json } from "./json-text.js";
import { reportTexts } from "./report-page.js";
import { textStream } from "./streams.js";

interface Details {
  readonly run: string;
  readonly kind: "training" | "evaluation";
  readonly title: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly engine?: unknown;
  /** Findings about the health of a training run. */
  readonly health?: readonly unknown[];
  /** Content of report.json; null before it is written. */
  readonly report?: Readonly<Record<string, unknown>> | null;
}

export type RunFormat = "html" | "eval";

/** Records of a page. */
const pageSize = 1_000;

export class ExportedRun {
  private constructor(
    private readonly runs: Runs,
    private readonly details: Details,
    /** Episodes of an evaluation. */
    private readonly lines: readonly PlayedLine[],
  ) {}

  /** @throws {GymError} RUN_UNKNOWN, RUN_DAMAGED, RUNS_FAILED */
  static async read(runs: Runs, run: string): Promise<ExportedRun> {
    const details = JSON.parse(await runs.call("run", { run })) as Details;
    return new ExportedRun(runs, details, details.kind === "evaluation" ? await linesOf(runs, run) : []);
  }

  /** @throws {GymError} RUN_PART_UNKNOWN */
  download(format: RunFormat): Download {
    const { kind, title, report } = this.details;
    if (format === "eval") {
      if (kind === "evaluation") return evalLogDownload(evaluationLogOf(this.details, this.lines, this.episode));
      throw GymError.ofState("RUN_PART_UNKNOWN", "A training run has no episodes for a log of Inspect.");
    }
    if (kind === "evaluation" && !report)
      throw GymError.ofState("RUN_PART_UNKNOWN", "The evaluation has no report yet. Export it when it has ended.");
    const texts = reportTexts(title, kind === "evaluation" ? this.evaluation() : this.training());
    return { suffix: "html", mediaType: "text/html; charset=utf-8", stream: textStream(texts) };
  }

  private readonly episode = async (index: number): Promise<PlayedRecord> =>
    JSON.parse(await this.runs.call("episode", { run: this.details.run, index })) as PlayedRecord;

  private async *evaluation(): AsyncGenerator<string> {
    yield `{"kind":"evaluation","report":${json(this.details.report)},"records":[`;
    let instructions: string | undefined;
    for (const [i, line] of this.lines.entries()) {
      const { prompt, index: _, ...record } = await this.episode(line.index);
      instructions ??= prompt;
      yield `${i === 0 ? "" : ","}${json(record)}`;
    }
    yield `]${instructions === undefined ? "" : `,"prompt":${json(instructions)}`}}`;
  }

  private async *training(): AsyncGenerator<string> {
    const { run, title, settings, engine, health = [] } = this.details;
    yield `{"kind":"training","title":${json(title)},"settings":${json(settings)},`;
    yield `${engine ? `"engine":${json(engine)},` : ""}"health":${json(health)},"records":[`;
    for (let from = 0; ; ) {
      const page = JSON.parse(await this.runs.call("metrics", { run, from, limit: pageSize })) as MetricsPage;
      const text = page.records.map(json).join();
      yield from > 0 && text !== "" ? `,${text}` : text;
      if (page.next <= from || page.next >= page.total) break;
      from = page.next;
    }
    yield "]}";
  }
}

interface MetricsPage {
  readonly records: readonly object[];
  readonly next: number;
  readonly total: number;
}

async function linesOf(runs: Runs, run: string): Promise<PlayedLine[]> {
  const lines: PlayedLine[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = JSON.parse(await runs.call("episodes", { run, from, limit: pageSize })) as EpisodesPage;
    lines.push(...page.episodes);
    from = page.next;
  }
  return lines;
}

interface EpisodesPage {
  readonly episodes: readonly PlayedLine[];
  readonly next: number | null;
}
