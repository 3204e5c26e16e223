/** The episodes of an evaluation: read from the gym in pages, or all of them in a report. */
import type { FailureKind } from "../../../../formats/outcomes/failure.js";
import { failureOfRecord } from "../../../../formats/outcomes/record-failure.js";

export interface Turn {
  readonly reply: string;
  readonly action?: string;
  readonly observation: string;
  readonly reward: number;
  readonly invalid?: boolean;
}

export interface EpisodeRow {
  /** Number of the episode in its file. */
  readonly index: number;
  readonly played: {
    readonly environment: string;
    readonly split: string;
    readonly index: number;
    readonly seed?: number;
  };
  readonly sample: number;
  readonly family?: string | undefined;
  readonly status: string;
  readonly score: number;
  readonly solved: boolean;
  readonly steps: number;
  readonly failureKind?: FailureKind | undefined;
  /** Place of the words of a search. */
  readonly found?: { readonly turn: number | null; readonly text: string } | undefined;
}

export interface EpisodeRecord extends Omit<EpisodeRow, "steps" | "found" | "failureKind"> {
  readonly failure?: { readonly class: string; readonly code: string; readonly message: string };
  readonly opening: string;
  readonly turns: readonly Turn[];
}

export interface EpisodeQuery {
  readonly status?: string | undefined;
  readonly family?: string | undefined;
  readonly failure?: string | undefined;
  readonly text?: string | undefined;
}

export interface EpisodePage {
  readonly episodes: readonly EpisodeRow[];
  /** Place at which the next page begins, or null. */
  readonly next: number | null;
  /** Place up to which a search has looked. A live evaluation adds episodes from there on. */
  readonly end?: number;
  /** Number of episodes that a search has looked at. */
  readonly searched?: number;
  readonly matching: number;
  readonly total: number;
}

export interface EpisodeSource {
  /** Which part of an episode the search looks at. */
  readonly searches: string;
  /** @param signal ends the call when it aborts */
  page(query: EpisodeQuery, from: number, signal?: AbortSignal): Promise<EpisodePage>;
  episode(index: number): Promise<EpisodeRecord>;
}

/** Returns the words of a search in lower case. */
export function wordsOf(text: string | undefined): string[] {
  return (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
}

/** The episodes of a report. The search looks at all of their texts. */
export class StoredEpisodes implements EpisodeSource {
  readonly searches = "all texts";
  private readonly texts: string[] = [];

  readonly rows: readonly EpisodeRow[];

  constructor(private readonly records: readonly Omit<EpisodeRecord, "index">[]) {
    this.rows = records.map((record, index) => rowOf(record, index));
  }

  async page({ status, family, failure, text }: EpisodeQuery): Promise<EpisodePage> {
    const words = wordsOf(text);
    const episodes = this.rows.filter(
      (row) =>
        (status === undefined || kindOf(row) === status) &&
        (family === undefined || row.family === family) &&
        (failure === undefined || row.failureKind === failure) &&
        words.every((word) => this.textOf(row.index).includes(word)),
    );
    return { episodes, next: null, matching: episodes.length, total: this.records.length };
  }

  async episode(index: number): Promise<EpisodeRecord> {
    const record = this.records[index];
    if (!record) throw new Error(`This report has no episode ${index}.`);
    return { ...record, index };
  }

  private textOf(index: number): string {
    const { played, family = "", status, failure, opening, turns } = this.records[index] as EpisodeRecord;
    this.texts[index] ??= [
      `${played.split}:${played.index} ${family} ${status}`,
      failure ? `${failure.code} ${failure.class} ${failure.message}` : "",
      opening,
      ...turns.flatMap(({ reply, action = "", observation }) => [reply, action, observation]),
    ]
      .join("\n")
      .toLowerCase();
    return this.texts[index];
  }
}

function rowOf(record: Omit<EpisodeRecord, "index">, index: number): EpisodeRow {
  const { played, sample, family, status, score, solved, turns } = record;
  const failureKind = failureOfRecord(record)?.kind;
  return { index, played, sample, family, status, score, solved, steps: turns.length, failureKind };
}

export function kindOf({ status, solved }: Pick<EpisodeRow, "status" | "solved">): "solved" | "unsolved" | "failed" {
  if (status === "failed") return "failed";
  return solved ? "solved" : "unsolved";
}
