/** The environment math with an additional tool that runs Python programs in a sandbox. */
import type {
  AsyncContext,
  AsyncEnvironment,
  AsyncEnvironmentSpec,
  JsonValue,
  ResetRequest,
  StepResult,
} from "../../env.js";
import { pythonKit } from "../../shared/tools/machine-tools.js";
import type { ToolAnswer } from "../../shared/tools/tool-kit.js";
import { goesOn, MathProblem } from "../env.js";
import { facts, verify } from "../facts.js";
import { problems } from "../requirement.js";
import { tools as mathTools, prompt } from "../tools.js";

const timeoutMs = 10_000;
const kit = pythonKit({ timeoutMs });
/** Matches `python` and all text after it, since a program has several lines. */
const program = /^[ \t]*python\b[ \t]*:?\s*([\s\S]+)$/m;

export class MathWithPython implements AsyncEnvironment {
  readonly problem: MathProblem;

  constructor(private readonly context: AsyncContext) {
    this.problem = new MathProblem();
  }

  async reset(request: ResetRequest) {
    return this.problem.reset(request);
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const code = programIn(text);
    if (code === null) return this.problem.step(text);
    const { text: printed } = (await this.context.record(async () => {
      const session = kit.open(this.context);
      return (await session.call("python", { code }, signal)) as unknown as JsonValue;
    })) as unknown as ToolAnswer;
    return goesOn(printed);
  }

  async close(): Promise<void> {}
}

const mathWithPython: AsyncEnvironmentSpec<MathWithPython> = {
  ...facts,
  isAsync: true,
  version: "python",
  summary: "Solve a problem of mathematics with a calculator and with Python in a sandbox, and submit the answer.",
  prompt: `${prompt}
There is a third action:

python
PROGRAM
    runs a Python program, of as many lines as you like, and shows what it prints`,
  tools: [...mathTools, ...kit.tools],
  requirements: [problems, ...kit.requirements],
  restore: "replay",
  deadlineMs: 2 * timeoutMs + 30_000,
  create: (context) => new MathWithPython(context),
  expert: async ({ problem }) => problem.advise(),
  verdict: async ({ problem }, end) => problem.verdict(end),
  verify: async (submission) => verify(submission),
};

export default mathWithPython;

/**
 * Returns the program in an action that begins with `python`, or null for other actions. The program may still be in a
 * code fence, which the tool removes.
 */
function programIn(text: string): string | null {
  const found = program.exec(text);
  const other = /^[ \t]*(?:calculate|submit)\b/m.exec(text);
  if (!found || (other && other.index < found.index)) return null;
  return found[1] as string;
}
