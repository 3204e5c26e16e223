/** One variation of a ScienceWorld task. */
import type { Environment, Info, ResetRequest, ResetResult, StepResult } from "../env.js";
import { Game } from "./game.js";
import { chosenSimplifications } from "./options.js";
import { problemOf } from "./tasks.js";

/** The Python API's `envStepLimit`: it ends an episode after more moves than that. */
const pythonMoves = 100;

export class ScienceWorld implements Environment {
  /** Undefined before the first reset. */
  game: Game | undefined;
  private isPython = false;
  /** Points after the last step, and those that rewards have told of: the opening's come with the first step. */
  private score = 0;
  private rewarded = 0;

  reset({ task: ref, options }: ResetRequest): ResetResult {
    const { task, variation } = problemOf(ref);
    const game = new Game(task, variation, chosenSimplifications(task, options));
    this.game = game;
    this.isPython = options.api === "python";
    this.score = 0;
    this.rewarded = 0;
    // The first step of every episode, as the original's API takes it.
    const look = this.play(game, "look around");
    const { taskDescription } = game;
    return {
      observation: `${taskDescription}\n${look}`,
      info: { task, variation, taskDescription, look, ...this.tally(game) },
    };
  }

  step(action: string): StepResult {
    const game = this.game as Game;
    const observation = this.play(game, action);
    const info = this.tally(game);
    const gained = this.score - this.rewarded;
    this.rewarded = this.score;
    const isOver = game.isCompleted || this.score < 0 || (this.isPython && game.moves > pythonMoves);
    // Of 1, where the original has points of 100.
    return { observation, reward: gained / 100, terminated: isOver, truncated: false, info };
  }

  close(): void {
    this.game = undefined;
  }

  private play(game: Game, action: string): string {
    const observation = game.step(action);
    // The Python API asks after every step, and its answer alone disturbs the episode.
    if (this.isPython) game.drawAsForValidActions();
    return observation;
  }

  /** As the Python API's: `reward` is what the score has gained with this step, or with the opening. */
  private tally(game: Game): Info {
    const score = pointsOf(game.score);
    const reward = score - this.score;
    this.score = score;
    return { score, reward, moves: game.moves };
  }
}

/** Points of 100, rounded as Python does: halves to the even one. */
function pointsOf(score: number): number {
  const points = 100 * score;
  const below = Math.floor(points);
  if (points - below !== 0.5) return Math.round(points);
  return below % 2 === 0 ? below : below + 1;
}
