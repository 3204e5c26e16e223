/** Plays environments for NeMo Gym: a response of the model is one step, or one step for each of its function calls. */
import type { z } from "zod";
import type { AnyEnvironmentSpec } from "../../../../envs/env.js";
import { requestOf } from "../../../adapter/create-request.js";
import { SessionError } from "../../../adapter/session-error.js";
import { OwnedValues } from "../../../adapter/session-ids.js";
import type { Sessions } from "../../../adapter/sessions.js";
import type { Client } from "../../../episodes/episode/client.js";
import type { CreateRequest } from "../../../episodes/episode-factory.js";
import { GymError } from "../../../errors.js";
import type { Seat } from "./cookie.js";
import { type ResetReply, resetReply, type StepReply } from "./results.js";
import type { ResetBody, StepBody } from "./schemas.js";
import { Turn } from "./turn.js";

/** Number of sessions of one owner whose newest request is remembered. */
const mostRequests = 10_000;

interface StepRequest {
  id: string;
  /** Episode of its last step. Null before that step. */
  episodeId: string | null;
  /** Index of its first step. */
  first: number;
  /** Index of the step after its last one. */
  next: number;
}

export class Player {
  /** Newest step request of each session. */
  private readonly requests = new OwnedValues<StepRequest>(mostRequests);

  /** @param isShared whether other gyms may play the same sessions */
  constructor(
    private readonly sessions: Sessions,
    private readonly isShared: boolean,
  ) {}

  /** Opens an episode in the session of the cookie, or else in a new session. @throws {GymError} */
  async reset(
    owner: string,
    spec: AnyEnvironmentSpec,
    body: z.output<typeof ResetBody>,
    { seat, client }: { seat: Seat | null; client: Client },
  ): Promise<{ reply: ResetReply; seat: Seat }> {
    const { split, index, seed, options, format, max_steps: maxSteps } = body;
    const request = () => requestOf(spec, { split, index, seed, options, format, maxSteps });
    const { id, played } =
      (seat && (await this.resetAgain(owner, spec, seat.session, request, client))) ??
      (await this.open(owner, request, client));
    return { reply: resetReply(played), seat: { session: id, index: 0 } };
  }

  /**
   * Takes the steps of a response.
   *
   * @throws {GymError} the errors of `Gym.step` @throws {SessionError}
   */
  async step(
    owner: string,
    spec: AnyEnvironmentSpec,
    seat: Seat,
    { response, _ng_step_request_id: id }: z.output<typeof StepBody>,
  ): Promise<{ reply: StepReply; seat: Seat }> {
    const sessions = this.sessions.of(spec);
    const request = await this.requestOf(owner, sessions, seat, id ?? null);
    const turn = new Turn(async (move, steps) => {
      let index = 0;
      const played = await sessions.act(owner, seat.session, move, request && request.first + steps, async (at) => {
        index = at;
      });
      if (request) {
        request.next = Math.max(request.next, index + 1);
        request.episodeId = played.episode.row.id;
      }
      return { played, index };
    });
    await turn.take(response.output);
    return { reply: turn.reply, seat: { ...seat, index: turn.next ?? seat.index } };
  }

  /** Closes a session and its episode, unless they are closed already. */
  async close(owner: string, spec: AnyEnvironmentSpec, { session }: Seat): Promise<void> {
    if (await this.sessions.of(spec).close(owner, session)) this.requests.delete(session);
  }

  private async open(owner: string, request: () => CreateRequest, client: Client) {
    const { id, ...played } = await this.sessions.open(owner, request, client);
    return { id, played };
  }

  /** Returns null if the owner has no open session of the environment with this id. */
  private async resetAgain(
    owner: string,
    spec: AnyEnvironmentSpec,
    id: number,
    request: () => CreateRequest,
    client: Client,
  ) {
    try {
      const played = await this.sessions.of(spec).reset(owner, id, request, client);
      this.requests.delete(id);
      return { id, played };
    } catch (error) {
      if (error instanceof SessionError) return null;
      throw error;
    }
  }

  /**
   * Returns the newest request of a session. Another gym of a fleet may have had the session meanwhile, and have reset it:
   * then the requests of the earlier episode do not count.
   */
  private async newestOf(
    owner: string,
    sessions: Sessions,
    session: number,
    { id, index }: { id: string; index: number },
  ) {
    const newest = this.requests.get(session);
    if (!newest || !this.isShared || (newest.id !== id && index >= newest.next)) return newest;
    if (newest.episodeId === null) return newest.id === id ? newest : undefined;
    const isSame = await sessions.use(owner, session, async ({ episode }) => episode.row.id === newest.episodeId);
    return isSame ? newest : undefined;
  }

  /**
   * Returns the request with this id. After a restart of the gym, a request that is repeated has the same cookie as before
   * and therefore names the same step. A request without an id takes the next step.
   *
   * @throws {GymError} STEP_INDEX if the client does not send the cookies of the replies to its steps
   */
  private async requestOf(
    owner: string,
    sessions: Sessions,
    { session, index }: Seat,
    id: string | null,
  ): Promise<StepRequest | undefined> {
    if (id === null) return undefined;
    const newest = await this.newestOf(owner, sessions, session, { id, index });
    if (newest?.id === id) return newest;
    if (newest && index < newest.next)
      throw new GymError("STEP_INDEX", "the cookie of the reply to the last step", "that of an earlier reply");
    const request = { id, episodeId: null, first: index, next: index };
    this.requests.set(owner, session, request);
    return request;
  }
}
