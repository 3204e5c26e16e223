import { GymError } from "../errors.js";
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

async function newestEpisodes({ gym, owner }: Source, { environment, split, limit }: Selection): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  while (ids.length < limit) {
    const rows = await gym.reader.list(owner, before, pageSize);
    for (const row of rows) {
      const isOf =
        environment === undefined || [row.environment, row.environment.replace(/@.*/, "")].includes(environment);
      if (isOf && (split === undefined || row.split === split)) ids.push(row.id);
    }
    before = rows.at(-1)?.id;
    if (rows.length < pageSize) break;
  }
  if (ids.length === 0)
    throw GymError.ofState("EPISODE_UNKNOWN", "You have no episodes of this environment and split.");
  return ids.slice(0, limit);
}
