/** An episode of a gym as training data: the conversation of its player, or of the player of each seat. */
import type { ActionFormat, Tool } from "../actions/action-format.js";
import { conversationsOf, type SeatPlace, type SeatTurn } from "./by-seat.js";
import { type ExportEpisode, type GymEpisode, type GymStep, playedOf } from "./episode.js";

/** Facts of an ended episode, as a gym has them. */
export interface EndedEpisode {
  readonly facts: GymEpisode;
  /** Lowest return of a solved episode. */
  readonly solvedReward: number;
  /** First observation. */
  readonly opening: string;
  /** Seat that acts first, and the seats in the order of play. Undefined if the environment has one player. */
  readonly first?: string | undefined;
  readonly seats?: ReadonlyMap<string, SeatPlace> | undefined;
  readonly steps: readonly GymStep[];
}

/**
 * Returns the conversations of an episode, with its actions as the replies of a model.
 *
 * @param format format in which the actions are written
 */
export function exportEpisodesOf(episode: EndedEpisode, format: ActionFormat): ExportEpisode[] {
  const { facts, solvedReward, opening, first, seats, steps } = episode;
  const sum = steps.reduce((total, { reward }) => total + reward, 0);
  const shared = {
    id: facts.episodeId,
    played: playedOf(facts),
    options: facts.options,
    status: facts.terminated ? ("terminated" as const) : ("truncated" as const),
    solved: sum >= solvedReward,
    opening,
  };
  if (first === undefined || !seats) {
    const turns = steps.map((step) => ({ ...saidIn(step, format, facts.tools), ...outcomeOf(step) }));
    return [{ ...shared, ...placeIn(facts, format), return: sum, turns }];
  }
  const places = new Map([...seats].map(([seat, place]) => [seat, placeIn(place, format)]));
  return conversationsOf(shared, seatTurns(steps, first, { seats, format }), places);
}

function seatTurns(
  steps: readonly GymStep[],
  first: string,
  { seats, format }: { seats: ReadonlyMap<string, SeatPlace>; format: ActionFormat },
): SeatTurn[] {
  let seat = first;
  return steps.map((step) => {
    const { observation, reward, rewards, turn: next } = step;
    const turn = { ...saidIn(step, format, seats.get(seat)?.tools ?? []), seat, observation, reward, rewards, next };
    seat = next ?? seat;
    return turn;
  });
}

function placeIn({ prompt, tools }: SeatPlace, format: ActionFormat): SeatPlace {
  const told = format.opening(prompt, tools);
  return { prompt: told.prompt, tools: told.tools ?? [] };
}

/** Returns what the player wrote. The text of a step with a format is what the model wrote. */
function saidIn({ action: text, read }: GymStep, format: ActionFormat, tools: readonly Tool[]) {
  if (read !== undefined) return { reply: text, action: read ?? "" };
  return { reply: format.write(text, tools) ?? text, action: text };
}

function outcomeOf({ observation, reward, terminated, truncated }: GymStep) {
  return { observation, reward, terminated, truncated };
}
