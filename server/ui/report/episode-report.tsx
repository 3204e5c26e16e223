/** An episode that was exported: its steps, without ways to go on. */
import { EpisodeView } from "../pages/episode/page.js";
import { Transcript } from "../pages/episode/transcript.js";
import type { EpisodeReportData } from "./report.js";

export function EpisodeReport({ report: { episode, opening, steps } }: { report: EpisodeReportData }) {
  return <EpisodeView id={episode.episodeId} transcript={Transcript.stored(episode, opening, steps)} />;
}
