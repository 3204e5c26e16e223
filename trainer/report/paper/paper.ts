/**
 * A page that a paper's appendix could print: sections of text, facts, tables and charts, without anything to click. It is
 * written as Markdown, and as HTML by the page for reports (server/ui/report/paper.tsx).
 */

export interface Paper {
  readonly title: string;
  readonly note: string;
  readonly sections: readonly PaperSection[];
}

export interface PaperSection {
  readonly heading: string;
  readonly texts?: readonly string[];
  /** Names with values. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly tables?: readonly PaperTable[];
  readonly charts?: readonly PaperChart[];
}

export interface PaperTable {
  /** Text above the table; empty if the heading says enough. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface PaperChart {
  readonly title: string;
  /** Name of the horizontal axis. */
  readonly across: string;
  /** Whether values are shares from 0 to 1, shown in percent. */
  readonly isShare: boolean;
  readonly series: readonly PaperSeries[];
}

export interface PaperSeries {
  readonly label: string;
  readonly points: readonly PaperPoint[];
  /** Single runs, drawn as thin lines. */
  readonly single?: readonly (readonly (readonly [x: number, y: number])[])[];
}

export interface PaperPoint {
  readonly x: number;
  readonly y: number;
  /** Bounds of an interval, drawn as a band. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}
