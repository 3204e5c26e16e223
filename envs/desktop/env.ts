/**
 * Runs one task on a desktop. The agent uses the mouse and the keyboard. The grade depends on the final files and
 * windows.
 */
import type { MachineProvider } from "../../sandboxes/sandbox.js";
import type { AsyncEnvironment, ObservationPart, ResetRequest, ResetResult, StepResult } from "../env.js";
import { sandboxCode } from "../errors.js";
import { type Action, parseAction } from "./actions.js";
import { Plan } from "./expert.js";
import { grade } from "./grade.js";
import { inputOf } from "./input.js";
import { DesktopGone, DesktopMachine, type Sight } from "./machine.js";
import { type Task, taskOf } from "./tasks.js";

/** Fields of the environment context that the desktop uses. */
export type DesktopContext = { sandboxes: { readonly machines: MachineProvider } };

const gone = "The desktop has ended. The task is over.";

export class Desktop implements AsyncEnvironment {
  /** The task, or undefined before the first reset. */
  task: Task | undefined;
  private machine: DesktopMachine | undefined;
  private plan: Plan | undefined;
  private sight: Sight | undefined;

  constructor(private readonly context: DesktopContext) {}

  async reset({ task: ref }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    await this.close();
    const task = taskOf(ref);
    this.task = task;
    this.plan = new Plan(task);
    return this.closedIfAborted(signal, async () => {
      const sight = await this.open(task, signal);
      const { name, title, category, difficulty, instruction } = task;
      const observation = `${instruction}\n\n${situation(sight)}`;
      return { observation, parts: [picture(sight)], info: { task: name, title, category, difficulty } };
    });
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const action = parseAction(text);
    this.plan?.done(text);
    if (action.action === "none") return ordinary(action.observation);
    const { machine, task } = this;
    if (!machine || !task) throw new Error("The desktop is closed. Reset the environment before the next step.");
    try {
      return await this.closedIfAborted(signal, () =>
        action.action === "done" ? this.finish(machine, task, signal) : this.perform(machine, action, signal),
      );
    } catch (error) {
      signal.throwIfAborted();
      const isEnd = error instanceof DesktopGone || sandboxCode(error) === "LOST";
      if (!isEnd || machine.isPastLifetime || !(await this.canOpenAnother(task, signal))) throw error;
      const info = { reward: 0, fault: (error as Error).message };
      return { ...ordinary(gone), terminated: true, info };
    }
  }

  /** Returns the next action of the task's solution, or null at the end of the solution. */
  advise(): string | null {
    return this.plan?.next ?? null;
  }

  /** Returns the latest screenshot that the agent saw. */
  render(): ObservationPart & { type: "image" } {
    if (!this.sight) throw new Error("The desktop has not started. Reset the environment first.");
    return picture(this.sight);
  }

  async close(): Promise<void> {
    const { machine } = this;
    this.machine = undefined;
    await machine?.close();
  }

  /**
   * Runs a call, and closes the environment if the call was aborted, because an aborted call may open resources after
   * `close` has returned.
   */
  private async closedIfAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      if (signal.aborted) await this.close();
    }
  }

  private async open(task: Task, signal: AbortSignal): Promise<Sight> {
    const [machine, sight] = await DesktopMachine.open(this.context.sandboxes.machines, task, signal);
    this.machine = machine;
    this.sight = sight;
    return sight;
  }

  private async perform(
    machine: DesktopMachine,
    action: Exclude<Action, { action: "done" }>,
    signal: AbortSignal,
  ): Promise<StepResult> {
    const input = inputOf(action);
    const sight = await machine.act(input, signal);
    this.sight = sight;
    const said = sight.message === "" ? `${input.said}.` : `Not done: ${sight.message.trim()}.`;
    return { ...ordinary(`${said} ${situation(sight)}`), parts: [picture(sight)] };
  }

  private async finish(machine: DesktopMachine, task: Task, signal: AbortSignal): Promise<StepResult> {
    const outcomes = await grade(machine, task, signal);
    await this.close();
    const faults = outcomes.flatMap(({ expected, received }) =>
      received === undefined ? [] : [`expected ${expected}, but received ${received}`],
    );
    const reward = faults.length === 0 ? 1 : 0;
    const checks = { checks: outcomes.length, faults };
    return { ...ordinary("The task is over."), reward, terminated: true, info: checks };
  }

  /**
   * Whether a new desktop can be opened. If it can, the agent's own actions are the reason why the previous desktop
   * ended.
   */
  private async canOpenAnother(task: Task, signal: AbortSignal): Promise<boolean> {
    await this.close();
    try {
      const [machine] = await DesktopMachine.open(this.context.sandboxes.machines, task, signal);
      await machine.close();
      return true;
    } catch {
      return false;
    }
  }
}

function ordinary(observation: string): StepResult {
  return { observation, reward: 0, terminated: false, truncated: false, info: {} };
}

function picture(sight: Sight): ObservationPart & { type: "image" } {
  return { type: "image", mediaType: "image/png", data: sight.picture };
}

function situation({ cursor, windows, isSettled }: Sight): string {
  const active = windows.find(({ isActive }) => isActive);
  const focus = active ? `The window with the focus is ${JSON.stringify(active.title)}` : "No window has the focus";
  return `The cursor is at (${cursor.join(", ")}). ${focus}.${isSettled ? "" : " The screen was still changing."}`;
}
