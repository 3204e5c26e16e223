/** Steps of episodes as outside protocols take them: with a move instead of an action, and without an index. */
import { knownOptions } from "../../envs/registry.js";
import type { Episode } from "../episodes/episode/episode.js";
import { type EpisodeResult, parseResult, readNewestResult } from "../episodes/episode/results.js";
import { instructionsOf, settingsOf } from "../episodes/episode/settings.js";
import type { Created } from "../episodes/episode-factory.js";
import type { Gym } from "../episodes/gym.js";
import { actionFormat } from "../formats/actions/action-formats.js";
import { writtenCall } from "../formats/actions/function-calling.js";
import { act } from "../formats/actions/tool-call.js";
import { actionOf, type Move, offeredTools, type ToolCall } from "./moves.js";

export interface Played {
  episode: Episode;
  /** Result of the last step, or of the reset if no step was taken. */
  newest: EpisodeResult;
}

/** Returns an episode with its newest result. @throws {GymError} LOG_FAILED */
export async function readPlayed(gym: Gym, { episode, resetResult }: Created): Promise<Played> {
  return { episode, newest: parseResult(await readNewestResult(gym.log, episode, resetResult)) };
}

/** Returns the instructions for an agent that plays the episode. */
export function promptOfEpisode({ spec, row }: Episode): string {
  return instructionsOf(spec, settingsOf(row));
}

/** Returns the tools with which an episode can be played. */
export function toolsOfEpisode({ spec, row }: Episode) {
  return offeredTools(spec, knownOptions(spec, settingsOf(row).options));
}

/**
 * Takes a step of an episode.
 *
 * @param index index that the caller expects. Default: the next index.
 * @throws {MoveError} @throws {GymError} the errors of `Gym.step`
 */
export async function play(gym: Gym, owner: string, episode: Episode, move: Move, index?: number): Promise<Played> {
  const action = typeof move === "string" ? move : await textOf(move, episode);
  const request = { episodeId: episode.row.id, index: index ?? episode.nextIndex, action };
  const reply = await new Promise<string>((resolve, reject) => gym.step(owner, request, { resolve, reject }));
  return { episode, newest: parseResult(reply) };
}

/**
 * Returns the text of a step that is the call of a tool: its action, or the call itself in a format that would not read
 * the action. The text of `act` is what the model wrote.
 *
 * @throws {MoveError}
 */
async function textOf(call: ToolCall, episode: Episode): Promise<string> {
  const tools = toolsOfEpisode(episode);
  const action = await actionOf(call, tools);
  const { format } = settingsOf(episode.row);
  if (format === "plain" || tools[0] === act) return action;
  const reading = actionFormat(format).read(action, tools);
  return "action" in reading && reading.action === action ? action : writtenCall(call);
}
