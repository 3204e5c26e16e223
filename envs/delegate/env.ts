import type { Environment, Info, ResetRequest, ResetResult, StepResult } from "../env.js";
import { type DelegateAction, readAction } from "./actions.js";
import type { Helper } from "./helpers/helper.js";
import { partAbout, SimulatedHelper } from "./helpers/simulated.js";
import { type Job, referencesOf } from "./job/job.js";
import type { Known } from "./job/skills.js";
import { largestLimit } from "./job/team.js";
import { contentOf } from "./kinds/index.js";
import { type Answer, JobPlan, moneyWorth } from "./plan/job-plan.js";
import { isRight } from "./score.js";
import { jobOf } from "./tasks.js";
import * as words from "./words.js";

/** Longest request in characters in which references are replaced: no helper reads a longer one. */
const longestRequest = 20 * largestLimit;

/** State of an episode. */
export interface Situation {
  job: Job;
  plan: JobPlan;
  spent: number;
  /** Answers of helpers by part, at most one of each helper. */
  answers: readonly (readonly Answer[])[];
  /** Submitted answers by the number of their part. */
  submitted?: ReadonlyMap<number, string>;
}

type Told = Omit<StepResult, "truncated">;

/** The environment: a director has helpers work on the parts of a job, and submits the answers. */
export class Delegate implements Environment {
  /** Undefined before the first reset. The state is replaced and never changed. */
  situation: Situation | undefined;
  private helpers: readonly Helper[] = [];
  private references: ReadonlyMap<string, string> = new Map();

  /** Starts a job. The seed has no effect: all rollouts of a task have the same job and the same luck. */
  reset({ task, options }: ResetRequest): ResetResult {
    const job = jobOf(task);
    const known = options.skills as Known;
    const plan = new JobPlan(job, known);
    this.situation = { job, plan, spent: 0, answers: job.parts.map(() => []) };
    this.helpers = job.team.map((_, at) => new SimulatedHelper(job, at));
    this.references = referencesOf(job);
    const size = { parts: job.parts.length, helpers: job.team.length, money: job.money };
    const info = { ...size, optimalReturn: plan.gain, optimalCost: plan.cost };
    return { observation: words.opening(job, known), info };
  }

  step(text: string): StepResult {
    return { ...this.take(readAction(text)), truncated: false };
  }

  close(): void {}

  clone(): Delegate {
    return Object.assign(new Delegate(), this);
  }

  private take(action: DelegateAction): Told {
    switch (action.verb) {
      case "ask":
        return this.ask(action.helper, action.request);
      case "submit":
        return action.answers.size === 0 ? wrongAction(words.noAnswers) : this.submit(action.answers);
      case "none":
        return wrongAction(words.invalid);
    }
  }

  private ask(name: string, text: string): Told {
    const { job, spent } = this.situation as Situation;
    const place = this.helpers.findIndex((helper) => helper.name === name);
    const helper = this.helpers[place];
    if (!helper) return wrongAction(words.unknownHelper(name, job));
    if (text === "") return wrongAction(words.emptyRequest(name));
    const { request, unknown } = this.withTexts(text);
    if (unknown !== undefined) return wrongAction(words.unknownReference(unknown, [...this.references.keys()]));
    const asked = helper.priceOf(request);
    const left = job.money - spent;
    if (asked > left) return wrongAction(words.tooDear(name, asked, left));
    const { text: answer, price, isRefusal } = helper.answer(request);
    const part = isRefusal ? undefined : this.partOf(request);
    this.note(place, answer, price, part);
    return {
      observation: words.reply(name, answer, price, left - price),
      reward: (-moneyWorth * price) / job.money,
      terminated: false,
      info: { action: "ask", helper: name, price, ...(part !== undefined && { part: part + 1 }) },
    };
  }

  /** Replaces the references in a request, or names the first that stands for nothing. */
  private withTexts(text: string): { request: string; unknown?: string } {
    if (text.length > longestRequest) return { request: text };
    const names = [...text.matchAll(/#(\w+(?:\.\d+)?)/g)].map(([, name = ""]) => name.toLowerCase());
    const unknown = names.find((name) => !this.references.has(name));
    if (unknown !== undefined) return { request: text, unknown };
    const request = text.replace(
      /#(\w+(?:\.\d+)?)/g,
      (_, name: string) => ` ${this.references.get(name.toLowerCase())} `,
    );
    return { request: request.trim() };
  }

  /** Returns the place of the part whose problem a request has, if any. */
  private partOf(request: string): number | undefined {
    const { job } = this.situation as Situation;
    const content = contentOf(request);
    if ("refusal" in content) return undefined;
    const part = partAbout(job, content.kind, content.problem);
    return part?.problem.answer === content.problem.answer ? job.parts.indexOf(part) : undefined;
  }

  private note(helper: number, text: string, price: number, part: number | undefined): void {
    const situation = this.situation as Situation;
    const answers = situation.answers.map((list, at) =>
      at === part && !list.some((each) => each.helper === helper) ? [...list, { helper, text }] : list,
    );
    this.situation = { ...situation, spent: situation.spent + price, answers };
  }

  private submit(submitted: ReadonlyMap<number, string>): Told {
    const situation = this.situation as Situation;
    const { parts } = situation.job;
    this.situation = { ...situation, submitted };
    const right = parts.filter((part, at) => isRight(part, submitted.get(at + 1) ?? "")).length;
    const info: Info = { action: "submit", right, spent: situation.spent };
    return {
      observation: words.submitted(right, parts.length),
      reward: right / parts.length,
      terminated: true,
      info,
    };
  }
}

function wrongAction(observation: string): Told {
  return { observation, reward: 0, terminated: false, info: { action: "none" } };
}
