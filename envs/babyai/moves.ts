/** A level played by MiniGrid's primitive moves, one a step, named as in its `Actions`. */
import { Move } from "./engine/codes.js";
import type { Game } from "./engine/game.js";
import { describe } from "./text/description.js";
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

  /** What is seen, and the same view as MiniGrid's agents get it: rows from far to near, cells from left to right. */
  observation(): string {
    if (this.complaint !== "") return this.complaint;
    this.scene.look(this.level);
    return `${describe(this.scene, this.level)}${this.farewell()}`;
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

  private farewell(): string {
    if (!this.done) return "";
    return this.reward > 0 ? "\n The task is completed." : "\n The task has failed.";
  }
}
