/** The formats that convert episodes one by one. Preference pairs need groups of episodes: see `preferences.ts`. */
import { firstMessages } from "../dialogue.js";
import { offeredTools, repliesOf, startOf } from "./chat.js";
import type { ExportEpisode } from "./episode.js";

export type ExportRow = Readonly<Record<string, unknown>>;

export const formatNames = ["openai", "agentgym", "steps", "preferences"] as const;
export type FormatName = (typeof formatNames)[number];

/** Returns a row of OpenAI's fine-tuning format. */
function openai(episode: ExportEpisode): ExportRow[] {
  return [{ messages: [...startOf(episode), ...repliesOf(episode)], ...offeredTools(episode) }];
}

/** Returns an item of AgentGym's AgentTraj: replies have a loss, the acknowledgement of the prompt has none. */
function agentgym(episode: ExportEpisode): ExportRow[] {
  const { played, seat, prompt, opening, turns } = episode;
  const start = firstMessages({ prompt, observation: opening }, "agentgym").map(({ role, content }) =>
    role === "assistant" ? gpt(String(content), false) : human(String(content)),
  );
  const rest = turns.flatMap(({ reply, observation }, at) =>
    at === turns.length - 1 ? [gpt(reply, true)] : [gpt(reply, true), human(observation)],
  );
  const name = played.environment.replace(/@.*/, "");
  // AgentGym reads the number of the item after the last underscore.
  const player = seat === undefined ? name : `${name}_${seat}`;
  return [{ conversations: [...start, ...rest], item_id: `${player}_${played.index}` }];
}

function human(value: string) {
  return { from: "human", loss: null, value };
}

function gpt(value: string, loss: boolean) {
  return { from: "gpt", loss, value };
}

/** Returns the property `seat`; none if the episode has one player. */
export function seatOf({ seat }: Pick<ExportEpisode, "seat">) {
  return seat === undefined ? {} : { seat };
}

/** Returns a row for each step. `return` is the return of the whole episode, for the seat if there are seats. */
function steps({ id, played, seat, options, turns, opening, solved, ...episode }: ExportEpisode): ExportRow[] {
  return turns.map(({ reply, action, observation, reward, terminated, truncated, ...turn }, at) => ({
    episodeId: id,
    ...(seat !== undefined && { seat }),
    environment: played.environment,
    task: { split: played.split, index: played.index },
    seed: played.seed,
    options,
    index: turn.index ?? at,
    observation: at === 0 ? opening : (turns[at - 1]?.observation as string),
    reply,
    action,
    reward,
    nextObservation: observation,
    terminated,
    truncated,
    return: episode.return,
    solved,
  }));
}

export const episodeFormats = { openai, agentgym, steps } as const;
