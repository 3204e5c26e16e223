/**
 * Converts the solution of a task to actions of one line each, which write the solution's files to /solution, run the
 * solution, and submit.
 */
import { readFile } from "node:fs/promises";
import { actionText } from "./actions.js";
import type { HarborTask, Stage } from "./harbor/task.js";

/** Maximum size of a stage's solution in bytes. A larger solution is ignored, because its actions would be too long. */
const mostSolutionBytes = 2 ** 19;

export class Plan {
  static readonly none = new Plan([]);
  private at = 0;

  private constructor(private readonly actions: readonly string[]) {}

  /** Creates the plan of a task. If a stage has no solution, the plan has no actions. */
  static async of(task: HarborTask): Promise<Plan> {
    const stages = await Promise.all(task.stages.map(actionsOf));
    return new Plan(stages.includes(undefined) ? [] : stages.flatMap((actions) => actions ?? []));
  }

  /** Next action of the plan, or null after the last action. */
  get next(): string | null {
    return this.actions[this.at] ?? null;
  }

  /** Advances the plan if the performed action is the plan's next action. */
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

/** Quotes a text in bash's syntax $'...'. The result is one line, for formats in which an action is one line. */
function inOneLine(text: string): string {
  const escaped = text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `$'${escaped}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
