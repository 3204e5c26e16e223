/** The data of a report, as JSON in the element `report` of the page. */
import type { Episode, Opening, Step } from "../api.js";

export interface EpisodeReportData {
  readonly kind: "episode";
  readonly episode: Episode;
  readonly opening: Opening;
  readonly steps: readonly Step[];
}

export type Report = EpisodeReportData;
