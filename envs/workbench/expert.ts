/**
 * The solution of a task as actions of one line each. The actions write the files of the solution to /solution, run the
 * solution, and submit.
 */
import { readFile } from "node:fs/promises";
import { actionText } from "./actions.js";
import type { HarborTask, Stage } from "./harbor/task.js";

/** Largest solution of a stage in bytes. A larger solution is ignored, since an action would be too long. */
const mostSolutionBytes = 2 ** 19;

export class Plan {
  static readonly none = new Plan([]);
  private at = 0;

  private constructor(private readonly actions: readonly string[]) {}

  /** Makes the plan of a task. The plan has no actions if any stage lacks a solution. */
  static async of(task: HarborTask): Promise<Plan> {
    const stages = await Promise.all(task.stages.map(actionsOf));
    return new Plan(stages.includes(undefined) ? [] : stages.flatMap((actions) => actions ?? []));
  }

  /** Next action of the plan, or null if the task has no solution or all actions were performed. */
  get next(): string | null {
    return this.actions[this.at] ?? null;
  }

  /** Advances the plan if the action is the next one of the plan. Other actions are ignored. */
  done(action: string): void {
    if (action === this.next) this.at += 1;
  }
}

/** Returns the actions of a stage, or undefined if the stage has no solution. */
async function actionsOf({ solution }: Stage): Promise<string[] | undefined> {
  if (!solution || solution.files.reduce((sum, { size }) => sum + size, 0) > mostSolutionBytes) return undefined;
  const variables = Object.entries(solution.environment).map(([name, value]) => `${name}=${quoted(value)}`);
  const writes = await Promise.all(solution.files.map(({ path, at }) => writeAction(`/solution/${path}`, at)));
  const run = ["chmod +x /solution/solve.sh &&", ...variables, "/solution/solve.sh"].join(" ");
  return [...writes, actionText({ tool: "bash", command: run }), actionText({ tool: "submit" })];
}

async function writeAction(to: string, at: string): Promise<string> {
  const data = await readFile(at);
  const folder = quoted(to.slice(0, to.lastIndexOf("/")));
  const text = data.toString("utf8");
  const isText = Buffer.from(text).equals(data) && !text.includes("\0");
  const content = isText ? `printf %s ${inOneLine(text)}` : `echo ${data.toString("base64")} | base64 -d`;
  return actionText({ tool: "bash", command: `mkdir -p ${folder} && ${content} > ${quoted(to)}` });
}

/** Quotes a text as bash's $'...', in one line, so that action formats with one line per action accept it. */
function inOneLine(text: string): string {
  const escaped = text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `$'${escaped}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
