/**
 * Progress of a benchmark run: a progress bar on a terminal and, after failures, lines about retries and their waiting
 * times.
 */
import { SingleBar } from "cli-progress";
import { counted } from "../../../server/formats/counted.js";
import type { EpisodeRecord } from "../../evaluation/record.js";
import type { Retry } from "../../policy/policy.js";
import { timeLeft } from "../time-left.js";

interface Waiting {
  readonly brief: string;
  /** End of the wait, on `performance`'s clock. */
  readonly until: number;
}

/** Milliseconds without a reply after which the waiting time is shown. */
const quietMs = 15_000;
/** Minimum milliseconds between two lines with the same reason, if the output is not a terminal. */
const repeatMs = 10_000;
/** Minimum milliseconds between two lines with the number of episodes, if the output is not a terminal. */
const countsMs = 5_000;

export class EvaluationProgress {
  private readonly bar: SingleBar | undefined;
  private readonly counts = { solved: 0, failed: 0 };
  private done = 0;
  private total = 0;
  private label = "";
  /** Time and number of episodes of the last line of progress. */
  private said = { at: performance.now(), done: 0 };
  private waiting: Waiting[] = [];
  private lastReply = performance.now();
  /** Time of the last line of each reason. */
  private readonly written = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {
    if (!stream.isTTY) return;
    this.bar = new SingleBar({
      format: "{label}{bar} {value}/{total} episodes, {solved} solved, {failed} failed{eta_formatted}{trouble}",
      formatTime: timeLeft,
      stream,
      barsize: 20,
      clearOnComplete: true,
    });
  }

  /**
   * Starts the progress; may be called again after `stop`. @param label name of the part of the run, if it has several
   */
  start(total: number, label?: string): void {
    this.lastReply = performance.now();
    [this.done, this.total, this.label] = [0, total, label === undefined ? "" : `${label}: `];
    this.said = { at: performance.now(), done: 0 };
    Object.assign(this.counts, { solved: 0, failed: 0 });
    this.bar?.start(total, 0, { ...this.counts, label: label === undefined ? "" : `${label} `, trouble: "" });
    if (!this.bar && label !== undefined) this.stream.write(`${label}: ${counted(total, "episode")}\n`);
    this.timer = setInterval(() => this.refresh(), 1_000).unref();
  }

  /** Counts the episodes of an earlier run, from which this one goes on. */
  onResume(finished: readonly EpisodeRecord[]): void {
    this.done = finished.length;
    this.said.done = this.done;
    this.counts.solved = finished.filter(({ solved }) => solved).length;
    const { done, total, label, counts } = this;
    this.bar?.update(done, { ...counts, label: `${label}continued ` });
    if (!this.bar)
      this.stream.write(`${label}continues after ${done} of ${counted(total, "episode")}, ${counts.solved} solved\n`);
  }

  onTurn(): void {
    this.lastReply = performance.now();
  }

  onEpisode({ solved, status }: EpisodeRecord): void {
    this.counts.solved += Number(solved);
    this.counts.failed += Number(status === "failed");
    this.done += 1;
    this.bar?.increment(1, this.counts);
  }

  onRetry({ brief, waitMs }: Retry): void {
    const now = performance.now();
    const isNew = !this.waiting.some((entry) => entry.brief === brief);
    this.waiting.push({ brief, until: now + waitMs });
    if (isNew) this.refresh();
  }

  stop(): void {
    clearInterval(this.timer);
    this.bar?.stop();
  }

  private refresh(): void {
    const now = performance.now();
    this.waiting = this.waiting.filter(({ until }) => until > now);
    const troubles = this.troubles(now);
    if (this.bar) this.bar.update({ trouble: troubles.map(({ text }) => `; ${text}`).join("") });
    else for (const { brief, text } of troubles) this.writeLine(brief, text, now);
    if (!this.bar) this.writeCounts(now);
  }

  private writeCounts(now: number): void {
    if (this.done === this.said.done || now - this.said.at < countsMs) return;
    this.said = { at: now, done: this.done };
    const { done, total, label, counts } = this;
    this.stream.write(
      `${label}${done} of ${counted(total, "episode")}, ${counts.solved} solved, ${counts.failed} failed\n`,
    );
  }

  private troubles(now: number): { brief: string; text: string }[] {
    const briefs = [...new Set(this.waiting.map(({ brief }) => brief))];
    const retries = briefs.map((brief) => {
      const untils = this.waiting.filter((entry) => entry.brief === brief).map(({ until }) => until);
      const seconds = Math.ceil((Math.min(...untils) - now) / 1000);
      const count = untils.length > 1 ? ` (${counted(untils.length, "request")})` : "";
      return { brief, text: `retrying: ${brief}${count}${timeLeft(seconds)}` };
    });
    const quiet = now - this.lastReply;
    if (retries.length > 0 || quiet < quietMs) return retries;
    return [{ brief: "quiet", text: `waiting: no reply for ${Math.floor(quiet / 1000)} s` }];
  }

  private writeLine(brief: string, text: string, now: number): void {
    const last = this.written.get(brief) ?? Number.NEGATIVE_INFINITY;
    if (now - last < repeatMs) return;
    this.written.set(brief, now);
    this.stream.write(`${text}\n`);
  }
}
