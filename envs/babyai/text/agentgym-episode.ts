/** The bookkeeping of AgentGym's server around its BabyAI: what `/reset` and `/step` answer. */
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
  score = 0;

  constructor(level: Playable) {
    this.game = new TextGame(level, "agentgym");
  }

  reset(seed: number): AgentgymReply {
    this.game.reset(seed);
    this.score = 0;
    return this.reply(this.game.opening());
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
