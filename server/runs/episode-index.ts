/** The episodes of an evaluation without their turns. The first line of the file is the measurement. */

import { counted } from "../formats/counted.js";
import type { FailureKind } from "../formats/outcomes/failure.js";
import { failureOfRecord, type RecordedEpisode } from "../formats/outcomes/record-failure.js";
import { LineFile } from "./line-file.js";

export const episodesFile = "episodes.jsonl";

const mostEpisodes = 100_000;
const openingLength = 200;
const partBytes = 2 ** 20;

export interface EpisodeLine {
  /** Number of the line in the file, from 1; line 0 is the measurement. */
  readonly index: number;
  readonly played: { readonly environment: string; readonly split: string; readonly index: number };
  readonly sample: number;
  readonly family?: string;
  readonly status: string;
  readonly failure?: unknown;
  readonly score: number;
  readonly solved: boolean;
  /** Left out if the episode was solved. */
  readonly failureKind?: FailureKind;
  readonly usage?: unknown;
  readonly wallMs: number;
  readonly steps: number;
  readonly opening: string;
}

export class EpisodeIndex {
  private readonly file: LineFile;
  /** Newest line of each episode, by task and sample. A failed episode may be played again. */
  private byEpisode = new Map<string, EpisodeLine>();
  private listed: EpisodeLine[] | undefined;
  private damagedLines = 0;
  private isFull = false;
  measurement: Record<string, unknown> | undefined;
  /** Instructions of the environment, which only one record has. */
  prompt: string | undefined;

  constructor(folder: string) {
    this.file = new LineFile(folder, episodesFile, (line, index) => this.add(line, index));
  }

  get modifiedMs(): number {
    return this.file.modifiedMs;
  }

  /** Reason why episodes are missing, or null. */
  get problem(): string | null {
    if (this.isFull) return `Only the first ${mostEpisodes} episodes of ${episodesFile} are shown.`;
    const count = this.damagedLines;
    return count === 0 ? null : `${episodesFile} has ${counted(count, "line")} that are no episodes.`;
  }

  /** @throws {GymError} RUN_DAMAGED @throws errors of the file system */
  refresh(): Promise<void> {
    return this.file.refresh();
  }

  /** Returns the episodes in the order of their newest lines. */
  episodes(): readonly EpisodeLine[] {
    this.listed ??= [...this.byEpisode.values()].sort((a, b) => a.index - b.index);
    return this.listed;
  }

  /** Returns the text of an episode's line, or undefined. */
  async lineOf(index: number): Promise<string | undefined> {
    if (!this.episodes().some((episode) => episode.index === index)) return undefined;
    return (await this.file.lines(index, index + 1))[0];
  }

  /** Number of lines in the file. */
  get length(): number {
    return this.file.length;
  }

  /** Reads texts of lines from an index on: one at least, and a mebibyte of them at most. */
  part(from: number): Promise<string[]> {
    return this.file.part(from, partBytes);
  }

  private add(line: Buffer | null, index: number): void {
    this.listed = undefined;
    if (line === null) return this.clear();
    try {
      const record = JSON.parse(line.toString()) as Record<string, unknown>;
      if (index === 0) this.measurement = Object(record) as Record<string, unknown>;
      else this.addRecord(record, index);
    } catch {
      this.damagedLines += 1;
    }
  }

  private addRecord(record: Record<string, unknown>, index: number): void {
    const { prompt, turns, opening, score, solved, status, wallMs, tools: _tools, ...rest } = record;
    const { played, sample } = rest as Partial<EpisodeLine>;
    if (played === undefined || !Array.isArray(turns) || typeof opening !== "string" || typeof status !== "string")
      throw new Error("expected the record of an episode");
    if (typeof prompt === "string") this.prompt ??= prompt;
    const key = `${played.index} ${sample}`;
    if (this.byEpisode.size >= mostEpisodes && !this.byEpisode.has(key)) {
      this.isFull = true;
      return;
    }
    const steps = turns.length;
    const first = opening.slice(0, openingLength).toWellFormed();
    const failureKind = failureKindOf({ ...record, solved: solved === true } as unknown as RecordedEpisode);
    const outcome = { status, score: Number(score), solved: solved === true, ...(failureKind && { failureKind }) };
    const known = { index, ...outcome, wallMs: Number(wallMs), steps };
    this.byEpisode.set(key, { ...(rest as Pick<EpisodeLine, "played" | "sample">), ...known, opening: first });
  }

  private clear(): void {
    this.byEpisode = new Map();
    this.damagedLines = 0;
    this.isFull = false;
    this.measurement = undefined;
    this.prompt = undefined;
  }
}

/** Turns may have any content, since they are read from a file. */
function failureKindOf(record: RecordedEpisode): FailureKind | undefined {
  const turns = record.turns.map((turn) => ({
    reply: String(turn?.reply),
    observation: String(turn?.observation),
    ...(typeof turn?.action === "string" && { action: turn.action }),
    ...(turn?.invalid === true && { invalid: true }),
  }));
  return failureOfRecord({ ...record, turns })?.kind;
}
