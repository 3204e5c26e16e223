/** The ended episodes of a running gym that belong to the caller, newest first. */
import type { components } from "../../openapi/gym.js";
import type { ActionFormat } from "../actions/action-format.js";
import { GymError } from "../gym/gym.js";
import type { PalestraClient } from "../gym/gym-client.js";
import type { EpisodeHandle, EpisodeSource, ExportEpisode, ExportTurn, LeftOut } from "./episode.js";

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
export function episodeHandle(
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

function playedOf({ environment, task, seed }: Summary): EpisodeHandle["played"] {
  return { environment, split: task.split, index: task.index, seed };
}

async function load(client: PalestraClient, summary: Summary, format: ActionFormat): Promise<ExportEpisode | LeftOut> {
  const { episodeId, environment, options } = summary;
  const state = await client.state(episodeId);
  if (state.phase === "failed") return { leftOut: "failed" };
  if (!state.terminated && !state.truncated) return { leftOut: "not ended" };
  const [info, opening, steps] = await Promise.all([
    client.info(environment),
    client.opening(episodeId),
    stepsOf(client, episodeId),
  ]);
  const { prompt, tools } = state;
  const instructions = format.opening(prompt, tools);
  const turns: ExportTurn[] = steps.map(({ action, observation, reward, terminated, truncated }) => {
    const reply = format.write(action, tools) ?? action;
    return { reply, action, observation, reward, terminated, truncated };
  });
  const sum = turns.reduce((total, { reward }) => total + reward, 0);
  return {
    id: episodeId,
    played: playedOf(summary),
    options,
    status: state.terminated ? "terminated" : "truncated",
    return: sum,
    solved: sum >= info.solvedReward,
    prompt: instructions.prompt,
    tools: instructions.tools ?? [],
    opening: opening.observation,
    turns,
  };
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
