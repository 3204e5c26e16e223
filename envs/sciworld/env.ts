/** Environment that plays one variation of a ScienceWorld task. */
import type { Environment, ResetRequest, ResetResult, StepResult } from "../env.js";
import { Game } from "./game.js";
import { chosenSimplifications } from "./options.js";
import { Points } from "./points.js";
import { problemOf } from "./tasks.js";

export class ScienceWorld implements Environment {
  /** The current game. Undefined before the first reset. */
  game: Game | undefined;
  private isPython = false;
  /** Whether the query for valid actions leaves out actions that would be refused. */
  listsOnlyAccepted = false;
  private points = new Points(false);

  reset({ task: ref, options }: ResetRequest): ResetResult {
    const { task, variation } = problemOf(ref);
    const game = new Game(task, variation, chosenSimplifications(task, options));
    this.game = game;
    this.isPython = options.api === "python";
    this.listsOnlyAccepted = options.validActions === "accepted";
    this.points = new Points(this.isPython);
    // ScienceWorld's API starts every episode with this step.
    const look = this.play(game, "look around");
    const { taskDescription } = game;
    return {
      observation: `${taskDescription}\n${look}`,
      info: { task, variation, taskDescription, look, ...this.points.tally(game) },
    };
  }

  step(action: string): StepResult {
    const game = this.game as Game;
    const observation = this.play(game, action);
    const info = this.points.tally(game);
    const reward = this.points.takeReward();
    return { observation, reward, terminated: this.isOver, truncated: false, info };
  }

  get isOver(): boolean {
    return this.game !== undefined && this.points.isOver(this.game);
  }

  close(): void {
    this.game = undefined;
  }

  private play(game: Game, action: string): string {
    const observation = game.step(action);
    // The Python API asks for the valid actions after every step, which draws from the random stream of the episode.
    if (this.isPython) game.drawAsForValidActions();
    return observation;
  }
}
