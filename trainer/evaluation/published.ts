/**
 * Results that the authors of a benchmark published, quoted beside the results of a run. Palestra did not measure them.
 */
import { jsonFile } from "../data-file.js";

/** Published percentage of solved tasks. */
export interface PublishedFigure {
  readonly percent: number;
  /** Whether the figure was read from a chart, because no table contains it. */
  readonly isReadOff?: boolean;
}

export interface PublishedRow {
  /** The model, as the authors name it. */
  readonly name: string;
  /** Figures by environment. Environments without a published figure are left out. */
  readonly figures: Readonly<Record<string, PublishedFigure>>;
}

export interface Published {
  readonly source: string;
  readonly rows: readonly PublishedRow[];
}

/** Published results by preset. Overall figures of each benchmark; `searchqa` is what the authors call Deep Search. */
export type PublishedResults = Readonly<Record<string, Published>>;

export const published = jsonFile<PublishedResults>(new URL("./data/published.json", import.meta.url));
