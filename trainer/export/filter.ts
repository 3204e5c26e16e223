/** Which episodes are exported. */
import type { EpisodeFacts, ExportEpisode } from "./episode.js";

export interface EpisodeFilter {
  /** `textcraft` for every version, `textcraft@1` for that one. */
  readonly environment?: string | undefined;
  readonly split?: string | undefined;
  readonly minReturn?: number | undefined;
  readonly maxReturn?: number | undefined;
  readonly solved?: boolean | undefined;
}

/** By what is known before the episode is read. */
export function mayFit({ played }: EpisodeFacts, { environment, split }: EpisodeFilter): boolean {
  const { environment: id } = played;
  if (environment !== undefined && id !== environment && id.replace(/@.*/, "") !== environment) return false;
  return split === undefined || played.split === split;
}

export function fits(episode: ExportEpisode, { minReturn, maxReturn, solved }: EpisodeFilter): boolean {
  if (solved && !episode.solved) return false;
  return (
    episode.return >= (minReturn ?? Number.NEGATIVE_INFINITY) &&
    episode.return <= (maxReturn ?? Number.POSITIVE_INFINITY)
  );
}
