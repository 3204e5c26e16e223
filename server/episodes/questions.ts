/** Questions to the instance of an episode: the expert's advice, pictures and queries. */
import { GymError } from "../errors.js";
import { isAdvice } from "../hosts/answer.js";
import { type Question, questionOf } from "../hosts/protocol.js";
import type { Episode } from "./episode/episode.js";

/** A caller of the gym. */
export interface Caller {
  /** Id of the caller's token, or `local` for a caller without a token. */
  owner: string;
  /** Whether the caller may ask the expert. */
  mayAskExpert: boolean;
  /** Whether the caller may read training runs and evaluations. */
  mayReadRuns: boolean;
}

export class Questions {
  /** @param expectOpen throws SERVER_DRAINING while the gym shuts down */
  constructor(
    private readonly episodes: { find(owner: string, id: string): Promise<Episode> },
    private readonly expectOpen: () => void,
  ) {}

  /** Returns the expert's next action. @throws {GymError} RIGHT_MISSING, EXPERT_MISSING, and the errors of `ask` */
  async advise(caller: Caller, id: string): Promise<{ index: number; action: string | null }> {
    checkRight(caller);
    const { index, answer } = await this.ask(caller.owner, id, "expert");
    return { index, action: answer };
  }

  /** Returns a picture of the episode as JSON text. @throws {GymError} RENDER_MISSING, and the errors of `ask` */
  async render(owner: string, id: string): Promise<{ index: number; picture: string }> {
    const { index, answer } = await this.ask(owner, id, "render");
    return { index, picture: answer as string };
  }

  /**
   * Returns the JSON text of a query's answer.
   *
   * @throws {GymError} QUERY_UNKNOWN, RIGHT_MISSING if the answer is advice, and the errors of `ask`
   */
  async query(caller: Caller, id: string, query: string): Promise<{ index: number; answer: string }> {
    const question = questionOf(query);
    const { spec } = await this.episodes.find(caller.owner, id);
    if (isAdvice(spec, question)) checkRight(caller);
    const { index, answer } = await this.ask(caller.owner, id, question);
    return { index, answer: answer as string };
  }

  /**
   * Asks an episode's instance, and returns the answer and the number of steps so far.
   *
   * @throws {GymError} SERVER_DRAINING, EPISODE_UNKNOWN, and the error that ended the episode
   */
  private async ask(owner: string, id: string, question: Question): Promise<{ index: number; answer: string | null }> {
    this.expectOpen();
    const episode = await this.episodes.find(owner, id);
    return new Promise((resolve, reject) =>
      episode.ask({ question, resolve: (index, answer) => resolve({ index, answer }), reject }),
    );
  }
}

/** @throws {GymError} RIGHT_MISSING */
function checkRight({ mayAskExpert }: Caller): void {
  if (!mayAskExpert) throw GymError.ofState("RIGHT_MISSING", "The call has no token with the right `expert`.");
}
