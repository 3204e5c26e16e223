/** One variation of a ScienceWorld task. */
import type { Environment, ResetRequest, ResetResult, StepResult } from "../env.js";
import { Game } from "./game.js";
import { chosenSimplifications } from "./options.js";
import { problemOf } from "./tasks.js";

/** AgentGym's server, and the original's Python API, end an episode after more ticks than that. */
const agentgymMoves = 100;

export class ScienceWorld implements Environment {
  /** Undefined before the first reset. */
  game: Game | undefined;
  private endsAfterMoves = Number.POSITIVE_INFINITY;
  private score = 0;

  reset({ task: ref, options }: ResetRequest): ResetResult {
    const { task, variation } = problemOf(ref);
    const game = new Game(task, variation, chosenSimplifications(task, options));
    this.game = game;
    this.endsAfterMoves = options.ends === "agentgym" ? agentgymMoves : Number.POSITIVE_INFINITY;
    this.score = 0;
    // The first step of every episode, as the original's API takes it.
    const look = game.step("look around");
    const { taskDescription } = game;
    return { observation: `${taskDescription}\n${look}`, info: { task, variation, taskDescription, look, score: 0 } };
  }

  step(action: string): StepResult {
    const game = this.game as Game;
    const observation = game.step(action);
    const score = pointsOf(game.score);
    const gained = score - this.score;
    this.score = score;
    return {
      observation,
      // Of 1, where the original has points of 100.
      reward: gained / 100,
      terminated: game.isCompleted || score < 0 || game.moves > this.endsAfterMoves,
      truncated: false,
      info: { score, moves: game.moves },
    };
  }

  close(): void {
    this.game = undefined;
  }
}

/** Points of 100, rounded as Python does: halves to the even one. */
function pointsOf(score: number): number {
  const points = 100 * score;
  const below = Math.floor(points);
  if (points - below !== 0.5) return Math.round(points);
  return below % 2 === 0 ? below : below + 1;
}
