/**
 * The content of one transaction of the log: reports of hosts, and calls that add rows.
 *
 * If a transaction fails, the hosts of its steps have taken steps that are not in the log. The log refuses the reports
 * of these hosts until each host has resumed once for each refused report. Reports before the resumption may follow
 * lost steps, so a log with them would have a gap.
 */
import type { MessagePort } from "node:worker_threads";
import type { Ending } from "./episode-state.js";
import type { FromLog, HostReport, LogAnswer, LogCall, LogDetach, LoggedReport } from "./protocol.js";
import type { StepPage } from "./step-page.js";

/** Channel to one host. */
export interface HostLine {
  host: number;
  port: MessagePort;
  /** Number of refused reports minus the number of times that the host has resumed. */
  refused: number;
}

interface ReportEntry {
  line: HostLine;
  report: HostReport;
  /** Error that keeps the report's steps out of the log, or null. */
  error: string | null;
}

export class Turn {
  private readonly reports: ReportEntry[] = [];
  readonly writes: LogCall[] = [];
  readonly detached: LogDetach[] = [];

  get isEmpty(): boolean {
    return this.reports.length + this.writes.length + this.detached.length === 0;
  }

  /** Steps to write. */
  get pages(): StepPage[] {
    return this.reports.filter(({ error }) => error === null).map(({ report }) => report.page);
  }

  /** Verdicts on the episodes that the steps have ended. */
  get endings(): Ending[] {
    return this.reports.filter(({ error }) => error === null).flatMap(({ report }) => report.endings);
  }

  /** Number of characters of the steps to write. */
  characters = 0;

  addReport(line: HostLine, report: HostReport): void {
    const entry: ReportEntry = { line, report, error: null };
    this.reports.push(entry);
    this.characters += report.page.lines.length;
    refuseLater(entry);
  }

  /** Refuses added steps that may follow a step which was refused later. */
  refuseLater(): void {
    for (const entry of this.reports) if (entry.error === null) refuseLater(entry);
  }

  /** Refuses all steps and writes of a failed transaction. */
  refuse(reason: string): LogAnswer[] {
    for (const entry of this.reports)
      if (entry.error === null && entry.report.page.places.length > 0) refuse(entry, reason);
    return this.writes.map(({ id }) => ({ to: id, error: reason }));
  }

  /**
   * Returns the message to the main thread after the transaction.
   *
   * @param answers answers to the writes
   * @param atMs time of the steps, see `LoggedStep.atMs`
   */
  told(answers: readonly LogAnswer[], atMs: number): FromLog {
    const detached = this.detached.map(({ id }) => ({ to: id, value: null }));
    return { reports: this.reports.map((entry) => toLogged(entry, atMs)), answers: [...answers, ...detached] };
  }
}

function refuseLater(entry: ReportEntry): void {
  if (entry.line.refused > 0 && entry.report.page.places.length > 0) refuse(entry, "an earlier step was not logged");
}

function refuse(entry: ReportEntry, reason: string): void {
  entry.error = reason;
  entry.line.refused += 1;
}

function toLogged({ line, report, error }: ReportEntry, atMs: number): LoggedReport {
  return { host: line.host, results: report.results, lines: report.page.lines, atMs, error };
}
