/** The task's own solution as actions: its files are written to /solution, run, and the work is handed in. */
import { readFileSync } from "node:fs";
import { actionText } from "./actions.js";
import type { HarborTask, Stage } from "./harbor/task.js";

export class Plan {
  private readonly actions: readonly string[];
  private at = 0;

  constructor(task: HarborTask | undefined) {
    const stages = task?.stages.map(actionsOf) ?? [];
    this.actions = stages.includes(undefined) ? [] : stages.flatMap((actions) => actions ?? []);
  }

  /** Null where there is no solution, or where all of it was played. */
  get next(): string | null {
    return this.actions[this.at] ?? null;
  }

  /** Takes note of an action that was played. Actions of the agent's own between those of the plan leave it as it is. */
  done(action: string): void {
    if (action === this.next) this.at += 1;
  }
}

/** Undefined where the stage has no solution. */
function actionsOf({ solution }: Stage): string[] | undefined {
  if (!solution) return undefined;
  const variables = Object.entries(solution.environment).map(([name, value]) => `${name}=${quoted(value)}`);
  const writes = solution.files.map(({ path, at }) => {
    const data = readFileSync(at);
    const to = `/solution/${path}`;
    const content = data.toString("utf8");
    if (Buffer.from(content).equals(data) && !content.includes("\0"))
      return actionText({ tool: "write_file", path: to, content });
    const folder = quoted(to.slice(0, to.lastIndexOf("/")));
    const command = `mkdir -p ${folder} && base64 -d > ${quoted(to)} <<'END'\n${data.toString("base64")}\nEND`;
    return actionText({ tool: "bash", command });
  });
  const run = ["chmod +x /solution/solve.sh &&", ...variables, "/solution/solve.sh"].join(" ");
  return [...writes, actionText({ tool: "bash", command: run }), actionText({ tool: "submit" })];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
