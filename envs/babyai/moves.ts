/** A level played by MiniGrid's primitive moves, one a step, named as in its `Actions`. */
import { Move } from "./engine/codes.js";
import type { Game } from "./engine/game.js";
import { describe, farewell } from "./text/description.js";
import { Scene } from "./text/scene.js";

const moveNames = Object.keys(Move);

export class MoveGame {
  reward = 0;
  done = false;
  private readonly scene = new Scene();
  /** What was wrong with the last action; empty where it was a move. */
  private complaint = "";

  constructor(private readonly level: Game) {}

  get goal(): string {
    return this.level.mission;
  }

  opening(): string {
    return `Your goal: ${this.goal}\n${this.observation()}`;
  }

  /** What is seen, or why the last action was no move. */
  observation(): string {
    if (this.complaint !== "") return this.complaint;
    this.scene.look(this.level);
    const seen = describe(this.scene, this.level);
    return this.done ? seen + farewell(this.reward > 0) : seen;
  }

  step(action: string): void {
    const name = action.trim().toLowerCase();
    this.reward = 0;
    this.complaint = "";
    if (!Object.hasOwn(Move, name)) {
      this.complaint = `The action is not recognized. The actions are ${moveNames.join(", ")}.`;
      return;
    }
    this.level.step(Move[name as keyof typeof Move]);
    this.reward = this.level.reward;
    this.done = this.level.terminated || this.level.truncated;
  }

  /** The same game on another level, which is a copy of this one's. */
  cloneOn(level: Game): MoveGame {
    const copy = new MoveGame(level);
    copy.reward = this.reward;
    copy.done = this.done;
    copy.complaint = this.complaint;
    return copy;
  }
}
