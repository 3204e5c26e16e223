/** One episode as AgentGym's server keeps it: what `/reset` and `/step` answer. */
import type { Playable } from "./seen.js";
import { TextGame } from "./text-game.js";

export interface AgentgymReply {
  observation: string;
  /** Of the step; one without a move has that of the step before. */
  reward: number;
  /** Sum of all rewards, those repeated included. What AgentGym's client takes for the reward. */
  score: number;
  done: boolean;
}

export class AgentgymEpisode {
  readonly game: TextGame;
  readonly opening: AgentgymReply;
  private score = 0;

  /** @param level new, never reset: a mission may depend on one that the same level had before */
  constructor(level: Playable, seed: number) {
    // AgentGym resets twice, which makes another mission of a few: of SynthS5R2's with seed 146, for one.
    level.reset(seed);
    level.reset(seed);
    this.game = new TextGame(level, "agentgym");
    this.opening = this.reply(this.game.opening());
  }

  step(action: string): AgentgymReply {
    this.game.step(action);
    this.score += this.game.reward;
    return this.reply(this.game.observation());
  }

  private reply(observation: string): AgentgymReply {
    return { observation, reward: this.game.reward, score: this.score, done: this.game.done };
  }
}
