/**
 * Logs of Inspect (https://inspect.aisi.org.uk/eval-logs.html): a zip archive with a JSON file for each sample, the
 * summaries of all samples, and a header with the results.
 */
import { version } from "../../version.js";
import { json } from "./json-text.js";
import type { ArchiveFile } from "./streams.js";

/** Version of the log format that Inspect names `LOG_SCHEMA_VERSION`. */
const formatVersion = 2;

/** Inspect's name for a log without a model. */
export const noModel = "none/none";

/** Number of characters of a text in a summary. */
export const summaryLength = 500;

/** A number, or `C` for correct, `I` for incorrect and `N` for no answer. */
export interface Score {
  readonly value: number | "C" | "I" | "N";
}

export interface Summary {
  /** Times in ISO 8601, in UTC. */
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly scores: Readonly<Record<string, Score>>;
  readonly [field: string]: unknown;
}

export interface Sample {
  /** Name of the sample, which it shares with its other epochs. */
  readonly id: string;
  /** Number of the epoch, from 1. */
  readonly epoch: number;
  /** Yields the JSON text of the sample, and returns its summary. */
  texts(): AsyncGenerator<string, Summary>;
}

export interface LogFacts {
  /** Id of the log. */
  readonly id: string;
  readonly task: string;
  readonly model: string;
  readonly ids: readonly string[];
  readonly epochs: number;
  readonly metadata: object;
  /** Name of the mean by score. */
  readonly metrics: Readonly<Record<string, "mean" | "accuracy">>;
}

/**
 * Returns the files of a log. The files have to be made in their order.
 *
 * @param factsOf returns the facts of the log once all samples are made
 */
export function* inspectLogOf(
  samples: Iterable<Sample>,
  factsOf: (summaries: readonly Summary[]) => LogFacts,
): Generator<ArchiveFile> {
  const summaries: Summary[] = [];
  const exportedAt = new Date().toISOString();
  for (const { id, epoch, texts } of samples) {
    yield {
      name: `samples/${id}_epoch_${epoch}.json`,
      async *texts() {
        summaries.push(yield* texts());
      },
    };
  }
  const spec = () => specOf(factsOf(summaries), exportedAt);
  yield file("_journal/start.json", () => ({ version: formatVersion, eval: spec(), plan }));
  yield file("summaries.json", () => summaries);
  yield file("header.json", () => ({
    version: formatVersion,
    status: "success",
    eval: spec(),
    plan,
    results: resultsOf(summaries, factsOf(summaries)),
    stats: statsOf(summaries),
  }));
}

/** Returns the times from the first to the last sample. Inspect reads "" as an unknown time. */
function statsOf(summaries: readonly Summary[]) {
  const started = summaries.flatMap(({ started_at: time }) => time ?? []).sort();
  const completed = summaries.flatMap(({ completed_at: time }) => time ?? []).sort();
  return { started_at: started[0] ?? "", completed_at: completed.at(-1) ?? "" };
}

const plan = { name: "plan", steps: [], config: {} };

function file(name: string, content: () => unknown): ArchiveFile {
  return {
    name,
    async *texts() {
      yield json(content());
    },
  };
}

function specOf({ id, task, model, ids, epochs, metadata, metrics }: LogFacts, created: string) {
  return {
    eval_id: `palestra-${id}`,
    run_id: `palestra-${id}`,
    task_id: task,
    created,
    task,
    dataset: { name: task, samples: ids.length, sample_ids: ids, shuffled: false },
    model,
    config: { epochs },
    packages: { palestra: version },
    scorers: Object.keys(metrics).map((name) => ({ name })),
    metadata,
  };
}

function resultsOf(summaries: readonly Summary[], { metrics }: LogFacts) {
  return {
    total_samples: summaries.length,
    completed_samples: summaries.length,
    scores: Object.entries(metrics).map(([name, metric]) => {
      const values = summaries.flatMap(({ scores }) => numberOf(scores[name]));
      const mean = values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
      return {
        name,
        scorer: name,
        scored_samples: values.length,
        metrics: { [metric]: { name: metric, value: mean } },
      };
    }),
  };
}

function numberOf(score: Score | undefined): number[] {
  if (score === undefined || score.value === "N") return [];
  return [score.value === "C" ? 1 : score.value === "I" ? 0 : score.value];
}
