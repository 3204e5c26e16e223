/** Plays one environment for a caller of OpenEnv's protocol: the episode of a session, or an episode by its id. */
import type { z } from "zod";
import type { AnyEnvironmentSpec } from "../../../../envs/env.js";
import { requestOf } from "../../../adapter/create-request.js";
import { type Move, MoveError, offeredTools } from "../../../adapter/moves.js";
import { type Played, play, readPlayed, toolsOfEpisode } from "../../../adapter/play.js";
import { SessionError } from "../../../adapter/session-error.js";
import type { Sessions } from "../../../adapter/sessions.js";
import type { Client } from "../../../episodes/episode/client.js";
import type { Episode } from "../../../episodes/episode/episode.js";
import type { Created } from "../../../episodes/episode-factory.js";
import type { Gym } from "../../../episodes/gym.js";
import { GymError, shown } from "../../../errors.js";
import { keyOf } from "../../../log/records/episode-id.js";
import {
  calledReply,
  emptyState,
  type OpenenvResult,
  refusedReply,
  resetReply,
  stateReply,
  stepReply,
  toolsReply,
} from "./results.js";
import type { Action, ResetData, State } from "./schemas.js";

export interface PlayerParts {
  gym: Gym;
  sessions: Sessions;
  spec: AnyEnvironmentSpec;
  owner: string;
}

export class Player {
  constructor(private readonly parts: PlayerParts) {}

  /** @throws {GymError} */
  async reset(session: number, asked: z.output<typeof ResetData>, client: Client): Promise<OpenenvResult> {
    const { sessions, owner } = this.parts;
    if (asked.episode_id) return resetReply(await sessions.take(owner, session, () => this.open(asked, client)));
    return resetReply(await sessions.reset(owner, session, () => this.requestOf(asked), client));
  }

  /** @throws {GymError} @throws {SessionError} */
  async step(session: number, action: z.output<typeof Action>): Promise<OpenenvResult> {
    const { sessions, owner } = this.parts;
    const tools = () => this.toolsOf(session);
    return taken(action, { tools, act: (move, index) => sessions.act(owner, session, move, index) });
  }

  async state(session: number): Promise<z.input<typeof State>> {
    return (await this.inSession(session, stateReply)) ?? emptyState;
  }

  /** Returns the tools of the session's episode. Before the first reset they are those of an episode without options. */
  async toolsOf(session: number) {
    return (await this.inSession(session, toolsOfEpisode)) ?? this.tools;
  }

  get tools() {
    return offeredTools(this.parts.spec, {});
  }

  /** Opens an episode that belongs to no session. @throws {GymError} */
  async resetEpisode(asked: z.output<typeof ResetData>, client: Client): Promise<OpenenvResult> {
    return resetReply(await readPlayed(this.parts.gym, await this.open(asked, client)));
  }

  /** @throws {GymError} */
  async stepEpisode(id: string, action: z.output<typeof Action>): Promise<OpenenvResult> {
    const { gym, owner } = this.parts;
    const episode = await this.find(id);
    const tools = async () => toolsOfEpisode(episode);
    return taken(action, { tools, act: (move, index) => play(gym, owner, episode, move, index) });
  }

  /** @throws {GymError} */
  async stateOfEpisode(id: string): Promise<z.input<typeof State>> {
    return stateReply(await this.find(id));
  }

  private async open(asked: z.output<typeof ResetData>, client: Client): Promise<Created> {
    const { gym, owner } = this.parts;
    const { episode_id: id } = asked;
    if (!id) return gym.create(owner, this.requestOf(asked), { client });
    if (keyOf(id) !== null) return { episode: await this.find(id), resetResult: null };
    // A client that chooses its own ids gets the same episode again for the same id.
    return gym.create(owner, this.requestOf(asked), { idempotencyKey: `openenv:${id}`, client });
  }

  private requestOf({ max_steps: maxSteps, ...wanted }: z.output<typeof ResetData>) {
    return requestOf(this.parts.spec, { ...wanted, maxSteps });
  }

  private async find(id: string): Promise<Episode> {
    const { gym, owner, spec } = this.parts;
    const episode = await gym.find(owner, id);
    if (episode.spec.id === spec.id) return episode;
    throw new GymError("EPISODE_UNKNOWN", `an episode of ${spec.id}`, `${shown(id)} of ${episode.spec.id}`);
  }

  /** Returns null if the session has no episode yet. */
  private async inSession<T>(session: number, read: (episode: Episode) => T): Promise<T | null> {
    const { sessions, owner } = this.parts;
    try {
      return await sessions.use(owner, session, async ({ episode }) => read(episode));
    } catch (error) {
      if (error instanceof SessionError && error.fault === "empty") return null;
      throw error;
    }
  }
}

interface Seat {
  tools(): Promise<Parameters<typeof toolsReply>[0]>;
  act(move: Move, index: number | undefined): Promise<Played>;
}

async function taken(action: z.output<typeof Action>, { tools, act }: Seat): Promise<OpenenvResult> {
  if ("message" in action) return stepReply(await act(action.message, action.index ?? undefined));
  if (action.type === "list_tools") return toolsReply(await tools());
  const { tool_name: name } = action;
  try {
    return calledReply(await act({ name, arguments: action.arguments }, action.index ?? undefined), name);
  } catch (error) {
    if (error instanceof MoveError) return refusedReply(error, name);
    throw error;
  }
}
