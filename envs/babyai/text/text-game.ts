/**
 * A level played by text, with the replies of AgentGym's class `BabyAI`. An action is a walk of several moves, which
 * stops at the first move that does not change the view. Difference from AgentGym: Palestra also accepts `pick up red
 * ball 1`, the spelling of AgentGym's prompt, while AgentGym's server accepts only `pickup red ball 1`.
 */
import type { Move } from "../engine/codes.js";
import { AvailableActions } from "./available-actions.js";
import { describe, farewell } from "./description.js";
import { refusals } from "./refusals.js";
import { Scene } from "./scene.js";
import type { Playable } from "./seen.js";

/**
 * Rules for the end of an episode and the reward of a step.
 *
 * `task`: the episode ends when the level ends or at MiniGrid's limit on moves, even in the middle of an action. A step
 * has the reward of its last move.
 *
 * `agentgym`: an action continues to its last move even if the level has ended, and only the last move counts. If the
 * level ends with a reward of 0.5 or less, the episode continues although the text reports a completed task. MiniGrid's
 * limit on moves is ignored. A step without a move repeats the reward of the previous step.
 */
export type Ends = "task" | "agentgym";

export class TextGame {
  /** The mission as shown to the agent. The text hides the order of the parts: "then" and "after you" become "and". */
  goal = "";
  /** The reply to the last action, or the description after a reset. */
  text = "";
  reward = 0;
  done = false;
  private readonly scene = new Scene();
  private readonly available = new AvailableActions(this.scene);
  /** The view after the last move, compared with the view after the next move. */
  private readonly view = new Uint8Array(7 * 7 * 3);

  /** @param level the level to play, from its current state unless `reset` is called */
  constructor(
    readonly level: Playable,
    readonly ends: Ends,
  ) {
    this.begin();
  }

  reset(seed?: number | bigint): void {
    this.level.reset(seed);
    this.begin();
  }

  /** The available actions, in the order of the observation. */
  get actions(): readonly string[] {
    return this.available.names;
  }

  /** Returns the primitive moves of an action, or undefined if the action is not available. */
  movesOf(action: string): readonly Move[] | undefined {
    return this.available.movesOf(action);
  }

  /** Returns the reply to the last action, with the available actions. */
  observation(): string {
    return `${this.text}\nAvailable actions: ["${this.actions.join('", "')}"]`;
  }

  /** Returns the first observation. */
  opening(): string {
    return `Your goal: ${this.goal}\n${this.observation()}`;
  }

  step(action: string): void {
    const asked = spelled(strip(action.toLowerCase()));
    if (asked.includes("check")) return this.answer(`You can take the following actions: ${this.actions.join(", ")}`);
    if (asked === "") return this.answer("No change in state.");
    const moves = this.movesOf(asked);
    if (!moves) return this.answer(this.refusal(asked));
    if (moves.length === 0) return this.answer("No change in state.");
    this.play(moves);
  }

  /** Returns a copy of this game on a copy of its level. */
  cloneOn(level: Playable): TextGame {
    const copy = new TextGame(level, this.ends);
    copy.text = this.text;
    copy.reward = this.reward;
    copy.done = this.done;
    return copy;
  }

  private begin(): void {
    this.goal = this.level.mission.replaceAll("then", "and").replaceAll("after you", "and");
    this.view.set(this.level.view);
    this.reward = 0;
    this.done = false;
    this.look();
    this.text = describe(this.scene, this.level);
  }

  private look(): void {
    this.scene.look(this.level);
    this.available.list(this.level);
  }

  /** Sets the reply to a step that makes no move. */
  private answer(text: string): void {
    this.text = text;
    if (this.ends === "task") this.reward = 0;
  }

  private refusal(action: string): string {
    const reason = refusals(this.scene, this.level).get(action);
    return reason ?? "The action is not recognized. Please check valid actions.";
  }

  private play(moves: readonly Move[]): void {
    const { level } = this;
    for (const move of moves) {
      level.step(move);
      if (this.isTaskOver || !this.isViewChanged()) break;
    }
    this.view.set(level.view);
    this.look();
    this.text = describe(this.scene, level);
    // AgentGym says that a task is completed even if it has failed.
    if (level.terminated || this.isTaskOver) this.text += farewell(this.ends === "agentgym" || level.reward > 0);
    this.reward = level.reward;
    this.done = this.isTaskOver || (level.terminated && level.reward > 0.5);
  }

  private get isTaskOver(): boolean {
    return this.ends === "task" && (this.level.terminated || this.level.truncated);
  }

  /** Whether the last move changed the view. Stores the new view. */
  private isViewChanged(): boolean {
    const { view, level } = this;
    for (let at = 0; at < view.length; at++) {
      if (view[at] === level.view[at]) continue;
      view.set(level.view);
      return true;
    }
    return false;
  }
}

/** Converts `pick up` in an action, the spelling of AgentGym's prompt, into `pickup`, the spelling of its server. */
function spelled(action: string): string {
  return action.startsWith("pick up ") ? `pickup ${action.slice("pick up ".length)}` : action;
}

/**
 * Characters that Python's `str.isspace` accepts. In contrast, JavaScript's `trim` removes U+FEFF, but not U+001C to
 * U+001F and U+0085.
 */
const spaces =
  " \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" +
  "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a";

/** Strips a text as Python's `str.strip()` does. */
function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && spaces.includes(text.charAt(start))) start += 1;
  while (end > start && spaces.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
