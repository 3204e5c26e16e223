import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { usualVariables } from "../../../sandboxes/usual-variables.js";
import { ServiceFailed } from "../../errors.js";
import type { Program } from "../../shared/processes/answer-process.js";
import type { Piece } from "./pieces.js";
import { pythonRunner } from "./python-runner.js";

/** Source of the reward: the absolute path of a JavaScript or Python file, or a built-in piece. */
export type RewardSource = string | Piece;

/** How the processes of a reward function run. */
export interface RewardProcesses {
  /** Time limit for scoring one answer, in milliseconds. */
  timeoutMs: number;
  /** Memory limit of one process, in MiB. */
  memoryMb: number;
  processes: number;
  /** Names of environment variables that a process gets beyond the usual ones. */
  variables: readonly string[];
}

/** Milliseconds allowed for loading the reward function and the modules that it imports. */
const startMs = 30_000;

/** Returns the program of a process that runs one reward function. */
export function rewardProgram(source: RewardSource, limits: RewardProcesses): Program {
  const failed = (received: string) => new ServiceFailed("a reply of the reward function", received);
  return {
    ...commandOf(source, limits),
    environment: usualVariables(limits.variables),
    name: "the reward function",
    endsLeftovers: true,
    times: { start: startMs, answer: limits.timeoutMs },
    errors: {
      // The function could be loaded when the gym started, so a file has changed or been deleted since.
      unusable: failed,
      late: (milliseconds) => failed(`no reply within ${milliseconds} ms`),
      ended: (how, printed) => {
        const by = typeof how === "string" ? how : `exit code ${how}`;
        return failed(`the end of its process by ${by}${printed === "" ? "" : `: ${printed}`}`);
      },
      threw: (message) => new Error(`the reward function threw ${message}`),
    },
  };
}

function commandOf(source: RewardSource, { memoryMb }: RewardProcesses): Pick<Program, "command" | "folder"> {
  if (typeof source === "string" && source.endsWith(".py"))
    return { command: ["python3", "-c", pythonRunner(memoryMb), source], folder: dirname(source) };
  const runner = fileURLToPath(new URL("./runner.js", import.meta.url));
  const what = typeof source === "string" ? pathToFileURL(source).href : JSON.stringify(source);
  const command = [process.execPath, `--max-old-space-size=${memoryMb}`, runner, what] as const;
  return { command, ...(typeof source === "string" && { folder: dirname(source) }) };
}
