import type { Environment, EpisodeEnd, ResetRequest, ResetResult, StepResult, Verdict } from "../env.js";
import { finalAnswer } from "../shared/arithmetic/final-answer.js";
import { calculated } from "../shared/tools/calculate.js";
import { verdictOfAnswer } from "../shared/verdicts/of-answer.js";
import { readAction } from "./actions.js";
import { judged } from "./score.js";
import { type MathTask, taskOf } from "./tasks.js";

/** Maximum number of submissions, by the value of the option `answers`. */
export const answersAllowed: Readonly<Record<string, number>> = { once: 1, retry: 3 };

export class MathProblem implements Environment {
  private task: MathTask | undefined;
  private answersLeft = 0;
  /** Number of answers so far, and the last of them. */
  private answers = 0;
  private given: string | undefined;
  /** Number of formulas of the task's solution that the agent has calculated, in order. */
  private worked = 0;

  reset({ task, options }: ResetRequest): ResetResult {
    this.task = taskOf(task);
    this.answersLeft = answersAllowed[options.answers as string] as number;
    this.answers = 0;
    this.given = undefined;
    this.worked = 0;
    const { text, family, difficulty } = this.task;
    return { observation: text, info: { family, difficulty } };
  }

  step(text: string): StepResult {
    const action = readAction(text);
    switch (action.verb) {
      case "calculate":
        if (action.formula === this.nextFormula) this.worked++;
        return goesOn(calculated(action.formula).text);
      case "submit":
        return this.submitted(action.answer);
      case "none":
        return goesOn("Expected a line that begins with calculate or submit, but no line does.");
    }
  }

  /**
   * Returns the expert's next action: a calculation of the next formula of the solution or, after the last formula, the
   * submission of the answer.
   */
  advise(): string | null {
    if (!this.task || this.answersLeft === 0) return null;
    const formula = this.nextFormula;
    return formula === undefined ? `submit ${this.task.answer}` : `calculate ${formula}`;
  }

  /** Returns why the episode has ended as it did. */
  verdict(end: EpisodeEnd): Verdict {
    const { task, given, answers } = this;
    if (!task) return { why: "No problem was set." };
    if (given === undefined) return verdictOfAnswer(end, { answer: given, isRight: false, accepted: [task.answer] });
    const { isRight, info } = judged(task, given);
    const answer = finalAnswer(given);
    const { fault } = info;
    const addition = typeof fault === "string" ? ` (${fault})` : "";
    return verdictOfAnswer(end, { answer, answers, isRight, accepted: [task.answer], addition });
  }

  close(): void {}

  clone(): MathProblem {
    return Object.assign(new MathProblem(), this);
  }

  private get nextFormula(): string | undefined {
    return this.task?.working[this.worked];
  }

  private submitted(answer: string): StepResult {
    const { isRight, info } = judged(this.task as MathTask, answer);
    this.answers += 1;
    this.given = answer;
    this.answersLeft = isRight ? 0 : this.answersLeft - 1;
    const isOver = this.answersLeft === 0;
    const observation = isRight ? "That is right." : isOver ? "That is not right." : "That is not right. Try again.";
    return { observation, reward: isRight ? 1 : 0, terminated: isOver, truncated: false, info };
  }
}

export function goesOn(observation: string): StepResult {
  return { observation, reward: 0, terminated: false, truncated: false, info: {} };
}
