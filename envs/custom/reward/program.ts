import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ServiceFailed } from "../../errors.js";
import type { Program } from "../../processes/answer-process.js";
import type { Piece } from "./pieces.js";
import { pythonRunner } from "./python-runner.js";

/** Where a reward comes from: the absolute path of a file of JavaScript or Python, or a ready-made piece. */
export type RewardSource = string | Piece;

export interface RewardLimits {
  /** That one answer may take. */
  timeoutMs: number;
  /** Of one process. */
  memoryMb: number;
  processes: number;
}

/** Milliseconds to load what the function imports. */
const startMs = 30_000;

/** The program of a process that runs one reward function. */
export function rewardProgram(source: RewardSource, limits: RewardLimits): Program {
  const failed = (received: string) => new ServiceFailed("an answer of the reward function", received);
  return {
    ...commandOf(source, limits),
    name: "the reward function",
    times: { start: startMs, answer: limits.timeoutMs },
    errors: {
      // The function could be loaded when the gym started: a file has changed or is gone.
      unusable: failed,
      late: (milliseconds) => failed(`none within ${milliseconds} ms`),
      ended: (how, printed) => {
        const by = typeof how === "string" ? how : `exit code ${how}`;
        return failed(`its process's end by ${by}${printed === "" ? "" : `: ${printed}`}`);
      },
      threw: (message) => new Error(`the reward function threw ${message}`),
    },
  };
}

function commandOf(source: RewardSource, { memoryMb }: RewardLimits): Pick<Program, "command" | "folder"> {
  if (typeof source === "string" && source.endsWith(".py"))
    return { command: ["python3", "-c", pythonRunner(memoryMb), source], folder: dirname(source) };
  const runner = fileURLToPath(new URL("./runner.js", import.meta.url));
  const what = typeof source === "string" ? pathToFileURL(source).href : JSON.stringify(source);
  const command = [process.execPath, `--max-old-space-size=${memoryMb}`, runner, what] as const;
  return { command, ...(typeof source === "string" && { folder: dirname(source) }) };
}
