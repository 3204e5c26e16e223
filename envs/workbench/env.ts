/**
 * Runs one task in Harbor's format. The agent works with commands and files in a sandbox. A second sandbox is used for
 * grading.
 */
import { posix } from "node:path";
import type { MachineProvider } from "../../sandboxes/sandbox.js";
import type { AsyncContext, AsyncEnvironment, Info, ResetRequest, ResetResult, StepResult } from "../env.js";
import { sandboxCode } from "../errors.js";
import { type Action, parseAction } from "./actions.js";
import { Plan } from "./expert.js";
import type { HarborTask, Stage } from "./harbor/task.js";
import { AgentMachine, type Inheritance, PreparationFailed } from "./machine/agent-machine.js";
import { type GradedStage, gradeStage } from "./machine/grade.js";
import { PlacingFailed } from "./machine/place.js";
import { isEnough, singleReward, Tally } from "./machine/reward.js";
import { commandObservation, shortened } from "./observations.js";
import { loadTask } from "./tasks.js";

/** Fields of the environment context that the workbench uses. */
export type WorkbenchContext = Pick<AsyncContext, "now"> & { sandboxes: Pick<AsyncContext["sandboxes"], "machines"> };

const mostReadBytes = 2 ** 20;
const cannotGoOn =
  "The step was handed in, but the next one cannot begin with the files that are left. The task is over.";
const lostMachine = "The machine ended while the action ran. The task is over.";

export class Workbench implements AsyncEnvironment {
  private task: HarborTask | undefined;
  /**
   * Reserved place of this episode among the machines. The episode keeps it until the end, so that its grading never
   * waits for new episodes.
   */
  private place: MachineProvider | undefined;
  private machine: AgentMachine | undefined;
  private at = 0;
  private tally = new Tally(1, "mean");
  private plan = Plan.none;
  private inherited: Inheritance = {};
  /** `info` of each submitted stage, in order. */
  readonly graded: Info[] = [];

  constructor(private readonly context: WorkbenchContext) {}

  async reset({ task: ref }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    await this.close();
    const task = await loadTask(ref);
    this.task = task;
    this.at = 0;
    this.graded.length = 0;
    this.tally = new Tally(task.stages.length, task.strategy);
    this.plan = await Plan.of(task);
    await this.closedIfAborted(signal, async () => {
      this.place = await this.context.sandboxes.machines.reserve(signal);
      await this.openMachine(signal);
    });
    const { name, title, digest, category, difficulty } = task;
    const info = { task: name, title, digest, category, difficulty, stages: task.stages.length };
    return { observation: this.instruction(), info };
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const action = parseAction(text);
    this.plan.done(text);
    if (action.tool === "none") return ordinary(action.observation);
    const { machine } = this;
    try {
      return await this.closedIfAborted(signal, async () =>
        action.tool === "submit" ? this.submit(signal) : ordinary(await this.perform(action, signal)),
      );
    } catch (error) {
      signal.throwIfAborted();
      const isTooOld = machine?.isPastLifetime ?? false;
      if (sandboxCode(error) !== "LOST" || isTooOld || !(await this.canOpenAnother(signal))) throw error;
      return { ...ordinary(lostMachine), terminated: true, info: { reward: 0, fault: "the machine ended" } };
    }
  }

  /**
   * Returns the next action of the task's solution. Returns null after the last action, or if the task has no solution.
   */
  advise(): string | null {
    return this.plan.next;
  }

  async close(): Promise<void> {
    const { place } = this;
    this.place = undefined;
    await this.closeMachine();
    await place?.close();
  }

  private async closeMachine(): Promise<void> {
    const { machine, inherited } = this;
    this.machine = undefined;
    this.inherited = {};
    await machine?.close();
    await inherited.spool?.remove();
    await inherited.snapshot?.remove();
  }

  /**
   * Runs a call, and closes the environment if the call was aborted, because an aborted call may open a machine after
   * `close` has returned.
   */
  private async closedIfAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      if (signal.aborted) await this.close();
    }
  }

  private get ownPlace(): MachineProvider {
    return this.place as MachineProvider;
  }

  private get stage(): Stage {
    return this.task?.stages[this.at] as Stage;
  }

  private async openMachine(signal: AbortSignal): Promise<void> {
    const { machine: plan } = this.task as HarborTask;
    this.machine = await AgentMachine.open(this.ownPlace, plan, this.stage, this.inherited, signal);
    const { spool } = this.inherited;
    this.inherited = {};
    await spool?.remove();
  }

  private instruction(): string {
    const { workdir } = this.machine as AgentMachine;
    return `${this.stage.instruction.trim()}\n\nThe working folder is ${workdir}.`;
  }

  private async perform(action: Exclude<Action, { tool: "submit" }>, signal: AbortSignal): Promise<string> {
    const machine = this.machine as AgentMachine;
    if (action.tool === "read_file") return this.read(machine, action.path);
    if (action.tool === "write_file") return this.write(machine, action.path, action.content);
    if (machine.commandMs === 0) return "Expected submit, read_file or write_file: the time for commands is used up.";
    try {
      const result =
        action.tool === "bash"
          ? await machine.bash(action.command, signal)
          : await machine.run(["python3", "-"], action.code, signal);
      return commandObservation(result);
    } catch (error) {
      // For example, the agent has removed the permissions of the working folder.
      if (sandboxCode(error) !== "REFUSED") throw error;
      return `The command could not be started: ${(error as Error).message}.`;
    }
  }

  private async read(machine: AgentMachine, path: string): Promise<string> {
    try {
      const bytes = await machine.readFile(path, mostReadBytes);
      const text = Buffer.from(bytes).toString("utf8");
      return text.includes("\0") ? `${path} is not text: it has ${bytes.length} bytes.` : shortened(text);
    } catch (error) {
      return fileFault(error, path, `Expected a file of at most ${mostReadBytes} bytes`);
    }
  }

  private async write(machine: AgentMachine, path: string, content: string): Promise<string> {
    const data = Buffer.from(content);
    try {
      await machine.writeFile(path, data);
      return `Wrote ${data.length} bytes to ${posix.normalize(path)}.`;
    } catch (error) {
      return fileFault(error, path, "Expected a path that can be written");
    }
  }

  private async submit(signal: AbortSignal): Promise<StepResult> {
    const task = this.task as HarborTask;
    const { stage, machine } = this;
    this.machine = undefined;
    const graded = await gradeStage(this.ownPlace, task, stage, machine as AgentMachine, signal);
    this.inherited = {
      ...(graded.spool && { spool: graded.spool }),
      ...(graded.snapshot && { snapshot: graded.snapshot }),
    };
    const { rewards } = graded.grade;
    const isOver = this.at === task.stages.length - 1 || !isEnough(rewards, stage.minReward);
    const reward = this.tally.add(singleReward(rewards), isOver);
    const info = infoOf(stage, graded);
    this.graded.push(info);
    if (isOver) {
      await this.close();
      return {
        observation: "The work was handed in. The task is over.",
        reward,
        terminated: true,
        truncated: false,
        info,
      };
    }
    this.at += 1;
    const fault = await this.openNext(signal);
    if (fault !== undefined)
      return { observation: cannotGoOn, reward, terminated: true, truncated: false, info: { ...info, fault } };
    const observation = `The step was handed in. The next step:\n\n${this.instruction()}`;
    return { observation, reward, terminated: false, truncated: false, info };
  }

  /**
   * Opens the machine of the next stage.
   *
   * @returns the reason if the agent's files make this impossible, or undefined
   */
  private async openNext(signal: AbortSignal): Promise<string | undefined> {
    try {
      await this.openMachine(signal);
      return undefined;
    } catch (error) {
      if (!isOfTheRemains(error)) throw error;
      await this.close();
      return (error as Error).message;
    }
  }

  /**
   * Whether a new machine can be opened. If it can, the agent's programs are the reason why the previous machine was
   * lost.
   */
  private async canOpenAnother(signal: AbortSignal): Promise<boolean> {
    await this.closeMachine();
    const { machine: plan } = this.task as HarborTask;
    const isThere = await AgentMachine.canOpen(this.ownPlace, plan, this.stage, signal);
    await this.close();
    return isThere;
  }
}

/** Whether an error means that a machine was opened, but the files of the previous machine could not be put into it. */
function isOfTheRemains(error: unknown): boolean {
  return error instanceof PlacingFailed || error instanceof PreparationFailed || sandboxCode(error) === "REFUSED";
}

function ordinary(observation: string): StepResult {
  return { observation, reward: 0, terminated: false, truncated: false, info: {} };
}

function infoOf({ name }: Stage, { grade }: GradedStage): Info {
  const { rewards, fault, output, left } = grade;
  return {
    ...(name !== "" && { step: name }),
    rewards: { ...rewards },
    ...(fault !== undefined && { fault }),
    ...(left.length > 0 && { left: [...left] }),
    verifierOutput: output,
  };
}

function fileFault(error: unknown, path: string, tooLarge: string): string {
  const code = sandboxCode(error);
  if (code === "NO_FILE") return `Expected a file at ${path}, but there is none.`;
  if (code === "TOO_LARGE") return `${tooLarge} at ${path}, but it is larger. Read a part of it with bash.`;
  if (code === "REFUSED")
    return `Expected a file at ${path} that can be opened, but received: ${(error as Error).message}`;
  throw error;
}
