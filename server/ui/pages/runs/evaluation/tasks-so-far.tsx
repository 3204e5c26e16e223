/** The tasks of an evaluation without a report, read again while it is live. */
import { useSignal } from "@preact/signals";
import { Failure } from "../../../parts/loaded.js";
import { usePolling } from "../training/polling.js";
import type { EpisodeRow } from "./episode-source.js";
import { FailureCounts } from "./failure-counts.js";
import type { RunEpisodes } from "./run-episodes.js";
import { TaskMatrix } from "./task-matrix.js";

/** Milliseconds between two reads, each of which reads all episodes. */
const pauseMs = 5_000;

interface Props {
  source: RunEpisodes;
  isLive: boolean;
  /** Path of the page. */
  path: readonly string[];
}

export function TasksSoFar({ source, isLive, path }: Props) {
  const rows = useSignal<readonly EpisodeRow[]>([]);
  const error = useSignal<unknown>(null);
  usePolling(
    () => async (isCurrent) => {
      try {
        const all = await source.all();
        if (isCurrent()) [rows.value, error.value] = [all, null];
      } catch (reason) {
        if (isCurrent()) error.value = reason;
      }
      return isLive ? pauseMs : null;
    },
    [source, isLive],
  );
  const episodesPath = [...path, "episodes"];
  return (
    <>
      {error.value !== null && <Failure error={error.value} />}
      <TaskMatrix rows={rows.value} path={path} episodesPath={episodesPath} run={path[1]} />
      <FailureCounts rows={rows.value} episodesPath={episodesPath} />
    </>
  );
}
