/** Environment that plays one variation of a ScienceWorld task on the original ScienceWorld simulator. */
import type { AsyncContext, AsyncEnvironment, ResetRequest, ResetResult, StepResult } from "../../env.js";
import { chosenSimplifications } from "../options.js";
import { Points } from "../points.js";
import { shared } from "../shared-facts.js";
import { type Problem, problemOf } from "../tasks.js";
import { Simulator, type Turn } from "./simulator.js";

/** Action that starts every episode, as in ScienceWorld's API. */
const opening = "look around";

/** The parts of an environment's context that the simulator needs. */
export type JvmContext = Pick<AsyncContext, "now"> & { sandboxes: Pick<AsyncContext["sandboxes"], "jvm"> };

export class JvmScienceWorld implements AsyncEnvironment {
  private held: Simulator | undefined;
  private problem: Problem = { task: "", variation: 0 };
  private simplifications = "";
  private isPython = false;
  private points = new Points(false);
  /** All actions of the episode after the opening. */
  private actions: string[] = [];
  private last: Turn | undefined;
  private goldPath: string[] | undefined;
  /** True if an aborted call may still be running in the JVM. */
  private isSpoilt = false;

  constructor(private readonly context: JvmContext) {}

  async reset({ task: ref, options }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    const { task, variation } = problemOf(ref);
    this.problem = { task, variation };
    this.simplifications = [...chosenSimplifications(task, options)].join(",");
    this.isPython = options.api === "python";
    this.points = new Points(this.isPython);
    this.goldPath = undefined;
    return this.whole(async () => {
      this.held ??= await Simulator.start(this.context.sandboxes.jvm, signal);
      const look = await this.begin(false, signal);
      const taskDescription = await this.simulator.ask("getTaskDescription", signal);
      return {
        observation: `${taskDescription}\n${look.observation}`,
        info: {
          task,
          variation,
          taskDescription,
          look: look.observation,
          ...this.points.tally(look),
          simulator: this.simulator.version,
        },
      };
    });
  }

  async step(action: string, signal: AbortSignal): Promise<StepResult> {
    const turn = await this.whole(() => this.play(action, signal));
    this.actions.push(action);
    const info = this.points.tally(turn);
    const reward = this.points.takeReward();
    return { observation: turn.observation, reward, terminated: this.points.isOver(turn), truncated: false, info };
  }

  /** Calls a method of ScienceWorld's Python API without arguments. The call does not change the episode. */
  ask(method: string, signal: AbortSignal): Promise<string | string[]> {
    return this.whole(() => this.simulator.askAside(method, signal));
  }

  /**
   * Returns ScienceWorld's own solution: a list of actions from the start of the episode. The simulator restarts the
   * episode to compute the solution, and the actions so far are then replayed.
   */
  async solve(signal: AbortSignal): Promise<readonly string[]> {
    this.goldPath ??= await this.whole(async () => {
      const { last, actions } = this;
      let turn = await this.begin(true, signal);
      const path = (await this.simulator.ask("getGoldActionSequence", signal)) as string[];
      for (const action of actions) turn = await this.play(action, signal);
      this.actions = actions;
      if (JSON.stringify(turn) === JSON.stringify(last)) return path;
      throw new Error(
        `expected the replay to give the same last result, but received a result with the observation ${turn.observation}`,
      );
    });
    return this.goldPath;
  }

  /**
   * Returns the next action of the solution in the words of the tools. Returns null if the episode has deviated from
   * the solution, or if the solution is longer than an episode.
   */
  async advise(signal: AbortSignal): Promise<string | null> {
    const path = (await this.solve(signal)).map(inToolWords);
    if (path.length > shared.maxSteps) return null;
    const isOnPath = this.actions.every((action, i) => inToolWords(action) === path[i]);
    return (isOnPath && path[this.actions.length]) || null;
  }

  async close(): Promise<void> {
    const { held } = this;
    this.held = undefined;
    await held?.close(this.isSpoilt);
  }

  private get simulator(): Simulator {
    return this.held as Simulator;
  }

  private async begin(withGoldPath: boolean, signal: AbortSignal): Promise<Turn> {
    await this.simulator.load(this.problem, this.simplifications, withGoldPath, signal);
    this.actions = [];
    return this.play(opening, signal);
  }

  private async play(action: string, signal: AbortSignal): Promise<Turn> {
    const turn = await this.simulator.step(action, signal);
    // The Python API asks for the valid actions after every step, which draws from the random stream of the episode.
    if (this.isPython) await this.simulator.ask("getValidActionObjectCombinations", signal);
    this.last = turn;
    return turn;
  }

  private async whole<T>(call: () => Promise<T>): Promise<T> {
    this.isSpoilt = true;
    const value = await call();
    this.isSpoilt = false;
    return value;
  }
}

/**
 * Translates an action of ScienceWorld's solutions to the words of the tools: examine, drop and pour differ. The name
 * of a poured thing may include containers, as in "in a cup in a room".
 */
function inToolWords(action: string): string {
  return action
    .replace(/^examine /, "look at ")
    .replace(/^drop /, "put down ")
    .replace(/^(pour (?!.* into ).+) in (?=(?:bowl|cup|jug)\b)/, "$1 into ");
}
