import { StepPageWriter } from "../log/step-page.js";
import { type Ended, type HostReport, type Message, Result } from "./protocol.js";

/** Results and characters from which on a report waits for no more: the caller of the first shall not wait for long. */
const fullReport = 128;
const fullReportCharacters = 2 ** 18;

/** Gathers a host's results, and the page of the steps among them, into reports. */
export class ReportWriter {
  private results: Message = [];
  private count = 0;
  private readonly page = new StepPageWriter();
  private texts = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  get isFull(): boolean {
    return this.count >= fullReport || this.characters >= fullReportCharacters;
  }

  /** Of all openings, verdicts and steps, as the report's reader counts them. */
  get characters(): number {
    return this.page.characters + this.texts;
  }

  opened(slot: number, opening: string): void {
    this.addText(Result.opened, slot, opening);
  }

  /** @param verdicts a line of JSON for each */
  verified(slot: number, verdicts: string): void {
    this.addText(Result.verified, slot, verdicts);
  }

  /** @param answers that the step got from outside of the gym, as a JSON array or "" */
  stepped(
    slot: number,
    episode: number,
    index: number,
    action: string,
    reply: string,
    ended: Ended,
    answers = "",
  ): void {
    const headLength = this.page.add(episode, index, action, reply, ended, answers);
    this.results.push(Result.stepped, slot, ended, headLength, reply.length);
    this.count += 1;
  }

  /** Any other result. */
  add(...words: Message): void {
    this.results.push(...words);
    this.count += 1;
  }

  /** The report so far; the writer begins a new one. */
  take(): HostReport {
    const report: HostReport = { kind: "report", results: this.results, page: this.page.take() };
    this.results = [];
    this.count = 0;
    this.texts = 0;
    return report;
  }

  private addText(kind: number, slot: number, text: string): void {
    this.add(kind, slot, text);
    this.texts += text.length;
  }
}
