import { GymError } from "../../errors.js";
import { isOf } from "../../formats/training/export.js";
import type { EpisodeRow } from "../../log/records/protocol.js";
import { expectEpisode, type Source } from "./source.js";

export interface Selection {
  readonly episodeIds?: readonly string[] | undefined;
  readonly environment?: string | undefined;
  readonly split?: string | undefined;
  readonly limit: number;
}

const pageSize = 1_000;

/** Returns the ids of the selected episodes of a caller. @throws {GymError} EPISODE_UNKNOWN if there is none, or if a named one does not exist */
export async function selectedEpisodes(source: Source, selection: Selection): Promise<string[]> {
  const { episodeIds } = selection;
  if (episodeIds === undefined) return newestEpisodes(source, selection);
  const ids = [...new Set(episodeIds)];
  for (const id of ids) await expectEpisode(source, id);
  return ids;
}

async function newestEpisodes(source: Source, selection: Selection): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of listedEpisodes(source, selection)) if (ids.push(id) === selection.limit) break;
  if (ids.length === 0)
    throw GymError.ofState("EPISODE_UNKNOWN", "You have no episodes of this environment and split.");
  return ids;
}

/** Lists the episodes of an environment and split that a caller has, newest first. */
export async function* listedEpisodes(
  { gym, owner }: Source,
  filter: Pick<Selection, "environment" | "split">,
): AsyncGenerator<EpisodeRow> {
  let before: string | undefined;
  for (let rows: EpisodeRow[] | undefined; rows === undefined || rows.length === pageSize; ) {
    rows = await gym.reader.list(owner, before, pageSize);
    before = rows.at(-1)?.id;
    yield* rows.filter((row) => isOf(row, filter));
  }
}
