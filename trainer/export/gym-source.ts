/** The ended episodes of a running gym that belong to the caller, newest first. */
import type { components } from "../../openapi/gym.js";
import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import {
  type EpisodeHandle,
  type EpisodeSource,
  type ExportEpisode,
  type LeftOut,
  playedOf,
  unusable,
} from "../../server/formats/training/episode.js";
import { exportEpisodesOf } from "../../server/formats/training/gym-episode.js";
import { type JudgedPair, judgedPairs } from "../../server/formats/training/judged-pairs.js";
import { GymError } from "../gym/gym.js";
import type { PalestraClient } from "../gym/gym-client.js";

type Schemas = components["schemas"];
type Summary = Schemas["EpisodeSummary"];

const pageSize = 1_000;

/** Reads the episodes. @param format action format in which actions are written as replies */
export async function* gymSource(
  client: PalestraClient,
  format: ActionFormat,
): EpisodeSource & AsyncGenerator<EpisodeHandle> {
  let before: string | undefined;
  do {
    const page = await client.list({ limit: pageSize, ...(before !== undefined && { before }) });
    for (const summary of page.episodes) {
      yield { played: playedOf(summary), load: () => load(client, summary, format) };
    }
    before = page.next ?? undefined;
  } while (before !== undefined);
}

/** Reads episodes by their ids. */
export async function* namedSource(
  client: PalestraClient,
  ids: readonly string[],
  format: ActionFormat,
): EpisodeSource & AsyncGenerator<EpisodeHandle> {
  for (const id of ids) {
    const summary = await client.state(id);
    yield { played: playedOf(summary), load: () => load(client, summary, format) };
  }
}

/** Returns a handle of an episode that the gym may have removed since its id was kept. */
function episodeHandle(
  client: PalestraClient,
  id: string,
  played: EpisodeHandle["played"],
  format: ActionFormat,
): EpisodeHandle {
  return {
    played,
    async load() {
      try {
        return await load(client, await client.state(id), format);
      } catch (error) {
        if (error instanceof GymError && error.code === "EPISODE_UNKNOWN") return { leftOut: "removed" };
        throw error;
      }
    },
  };
}

async function load(
  client: PalestraClient,
  summary: Summary,
  format: ActionFormat,
): Promise<readonly ExportEpisode[] | LeftOut> {
  const { episodeId, environment } = summary;
  const facts = await client.state(episodeId);
  const reason = unusable(facts);
  if (reason) return reason;
  const [{ solvedReward, seats: known }, { observation: opening, turn: first }, steps] = await Promise.all([
    client.info(environment),
    client.opening(episodeId),
    stepsOf(client, episodeId),
  ]);
  const seats = first === undefined ? undefined : await placesOf(client, episodeId, Object.keys(known ?? {}));
  return exportEpisodesOf({ facts, solvedReward, opening, first, seats, steps }, format);
}

/** Reads the instructions and tools of each seat, in the format of the episode. */
async function placesOf(client: PalestraClient, episodeId: string, seats: readonly string[]) {
  const places = seats.map(async (seat) => {
    const { prompt, tools } = await client.seat(episodeId, seat);
    return [seat, { prompt, tools }] as const;
  });
  return new Map(await Promise.all(places));
}

async function stepsOf(client: PalestraClient, episodeId: string): Promise<Schemas["TranscriptStep"][]> {
  const steps: Schemas["TranscriptStep"][] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: Schemas["Transcript"] = await client.transcript(episodeId, { from, limit: pageSize });
    steps.push(...page.steps);
    from = page.next;
  }
  return steps;
}

/** Pairs that people judged in the gym, the newest judged first. */
export async function* judgedSource(client: PalestraClient, format: ActionFormat): AsyncGenerator<JudgedPair> {
  const all: Schemas["Judgment"][] = [];
  let before: number | undefined;
  do {
    const page = await client.judgments({ limit: pageSize, ...(before !== undefined && { before }) });
    all.push(...page.judgments);
    before = page.next ?? undefined;
  } while (before !== undefined);
  yield* judgedPairs(all, (id, played) => episodeHandle(client, id, played, format));
}
