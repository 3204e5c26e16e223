import type { Ended, Ending } from "../log/records/episode-state.js";
import type { HostReport } from "../log/records/protocol.js";
import { StepPageWriter } from "../log/records/step-page.js";
import { charactersOf, type Result, type ResultMessage } from "./protocol.js";

/**
 * Number of words at which a report is sent without waiting for further results, so its first caller does not wait
 * long.
 */
const fullReport = 128;
const fullReportCharacters = 2 ** 18;

/** Collects a host's results into reports. Each report has a page with its steps. */
export class ReportWriter {
  private results: ResultMessage = [];
  private count = 0;
  private readonly page = new StepPageWriter();
  private endings: Ending[] = [];
  private texts = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  get isFull(): boolean {
    return this.count >= fullReport || this.characters >= fullReportCharacters;
  }

  /** Total number of characters of reset results, verdicts and steps, counted as the receiver counts them. */
  get characters(): number {
    return this.page.characters + this.texts;
  }

  /** See `StepPageWriter.add`. */
  stepped(
    slot: number,
    episode: number,
    index: number,
    action: string,
    reply: string,
    ended: Ended,
    answers = "",
    gymMs = 0,
  ): void {
    const headLength = this.page.add(episode, index, action, reply, ended, answers, gymMs);
    this.results.push(slot, ended, headLength, reply.length);
    this.count += 1;
  }

  /** Adds the verdict on the episode that the newest step has ended. */
  ended(ending: Ending): void {
    this.endings.push(ending);
    this.texts += ending.detail.length;
  }

  /** Adds a result that is not the result of a step. */
  add(result: Result): void {
    this.results.push(result);
    this.texts += charactersOf(result);
    this.count += 1;
  }

  /** Returns the current report and begins a new report. */
  take(): HostReport {
    const report: HostReport = { type: "report", results: this.results, page: this.page.take(), endings: this.endings };
    this.results = [];
    this.endings = [];
    this.count = 0;
    this.texts = 0;
    return report;
  }
}
