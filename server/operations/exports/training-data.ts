/** A caller's ended episodes as training data, in JSON lines. */
import { setImmediate as otherWork } from "node:timers/promises";
import { seatsOf } from "../../../envs/registry.js";
import { parseResult } from "../../episodes/episode/results.js";
import { specOf } from "../../episodes/episode/tasks.js";
import { GymError } from "../../errors.js";
import { actionFormat } from "../../formats/actions/action-formats.js";
import type { SeatPlace } from "../../formats/training/by-seat.js";
import {
  type EpisodeHandle,
  type EpisodeSource,
  type GymEpisode,
  type GymStep,
  type Played,
  playedOf,
  unusable,
} from "../../formats/training/episode.js";
import { exportedRows, noCounts } from "../../formats/training/export.js";
import { exportEpisodesOf } from "../../formats/training/gym-episode.js";
import { judgedPairs } from "../../formats/training/judged-pairs.js";
import type { FormatName } from "../../formats/training/rows.js";
import { ExportedEpisode } from "./episode.js";
import type { Download } from "./formats.js";
import { listedEpisodes, type Selection, selectedEpisodes } from "./selection.js";
import type { Source } from "./source.js";
import { textStream } from "./streams.js";

/**
 * Most characters of the steps of an episode. A row has a whole episode, and the gym has its text in memory meanwhile. Larger
 * episodes are left out.
 */
const mostCharacters = 2 ** 25;

export interface TrainingRequest extends Selection {
  readonly format: FormatName;
  /** `judged`: pairs that people judged, in place of pairs from returns. */
  readonly pairs: "best" | "all" | "judged";
}

/**
 * Makes the data. Resolves with its first row, so that an error before it is an ordinary reply.
 *
 * @param isGone whether the client has disconnected, which ends the export
 * @throws {GymError} EPISODE_UNKNOWN for a named episode, LOG_FAILED, LOG_CORRUPT
 */
export async function trainingData(request: TrainingRequest, source: Source, isGone: () => boolean): Promise<Download> {
  const { format, pairs, environment, split, limit } = request;
  const named = request.episodeIds && (await selectedEpisodes(source, request));
  const filter = { environment, split };
  const choice = { margin: 0, pairs: pairs === "judged" ? "best" : pairs } as const;
  const exported = {
    source: handlesOf(request, source, named),
    judged: pairs === "judged" ? await judgedBy(request, source) : undefined,
    onRead() {
      if (isGone()) throw GymError.ofState("CALLER_GONE", "The client has disconnected.");
    },
  };
  const rows = exportedRows({ format, filter, limit, ...choice }, exported, noCounts());
  const first = await rows.next();
  return { suffix: `${format}.jsonl`, mediaType: "application/jsonl", stream: textStream(linesOf(first, rows)) };
}

async function* linesOf(first: IteratorResult<object>, rest: AsyncGenerator<object>): AsyncGenerator<string> {
  if (first.done) return;
  yield `${JSON.stringify(first.value)}\n`;
  for await (const row of rest) yield `${JSON.stringify(row)}\n`;
}

/** Lists the named episodes, or those of the caller, newest first. */
async function* handlesOf(
  request: TrainingRequest,
  source: Source,
  named: readonly string[] | undefined,
): EpisodeSource & AsyncGenerator<EpisodeHandle> {
  if (named) {
    for (const id of named) {
      const episode = await ExportedEpisode.read(source, id);
      yield handleOf(request, source, playedOf(episode.facts), async () => episode);
    }
    return;
  }
  for await (const { id, environment, split, taskIndex: index, seed } of listedEpisodes(source, request)) {
    yield handleOf(request, source, { environment, split, index, seed }, () => ExportedEpisode.read(source, id));
  }
}

/** Returns the handle of an episode, which may be removed before it is read. */
function handleOf(
  { format }: TrainingRequest,
  source: Source,
  played: Played,
  read: () => Promise<ExportedEpisode>,
): EpisodeHandle {
  const replies = actionFormat(format === "agentgym" ? "react" : "plain");
  return {
    played,
    async load() {
      // A long list of short episodes would otherwise let nobody else have a turn.
      await otherWork();
      try {
        const episode = await read();
        const { opening, solvedReward } = episode;
        // A schema's optional parts may be undefined here, and are absent in JSON.
        const facts = episode.facts as GymEpisode;
        const reason = unusable(facts);
        if (reason) return reason;
        const { observation, turn: first } = JSON.parse(opening) as { observation: string; turn?: string };
        const seats = first === undefined ? undefined : await seatsIn(source, facts);
        const steps = await stepsOf(episode);
        if (!steps) return { leftOut: "too large" };
        return exportEpisodesOf({ facts, solvedReward, opening: observation, first, seats, steps }, replies);
      } catch (error) {
        if (error instanceof GymError && error.code === "EPISODE_UNKNOWN") return { leftOut: "removed" };
        throw error;
      }
    },
  };
}

/** Reads the instructions and tools of each seat, in the order of play. */
async function seatsIn({ gym, ask }: Source, { environment, episodeId }: GymEpisode): Promise<Map<string, SeatPlace>> {
  // During a rolling update, only another gym may have the version of an environment.
  const names = gym.registry.has(environment)
    ? seatsOf(specOf(gym.registry, environment))
    : Object.keys((JSON.parse(await ask("getEnvironment", { environment })) as { seats: object | null }).seats ?? {});
  const places = (names ?? []).map(async (seat) => {
    const { prompt, tools } = JSON.parse(await ask("seat", { episodeId, seat, waitMs: 0 })) as SeatPlace;
    return [seat, { prompt, tools }] as const;
  });
  return new Map(await Promise.all(places));
}

/** Reads the steps, or null if they have too many characters. */
async function stepsOf(episode: ExportedEpisode): Promise<GymStep[] | null> {
  const steps: GymStep[] = [];
  let characters = 0;
  for await (const { action, reply } of episode.logged()) {
    characters += action.length + reply.length;
    if (characters > mostCharacters) return null;
    const { info: _, ...result } = parseResult(reply);
    steps.push({ action, ...result });
  }
  return steps;
}

async function judgedBy(request: TrainingRequest, source: Source) {
  const judgments = await source.judgments.of(source.owner);
  return judgedPairs(judgments.toReversed(), (id, played) =>
    handleOf(request, source, played, () => ExportedEpisode.read(source, id)),
  );
}
