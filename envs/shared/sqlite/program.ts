import { fileURLToPath } from "node:url";
import { ProcessLost, type Program } from "../processes/answer-process.js";

export interface SqliteLimits {
  /** Time limit of one query, in milliseconds. */
  queryMs: number;
  /** Memory limit of SQLite in MiB. The same limit applies to the JavaScript heap of the process. */
  memoryMb: number;
}

/** Error if a query reached a limit and its process was killed. The message is for the agent. */
export class LimitReached extends Error {
  override readonly name = "LimitReached";
}

/** Time limit in milliseconds for the start of a process, and for opening or generating the databases of a request. */
const prepareMs = 30_000;
/** Address space in MiB that Node itself needs. */
const nodeMb = 1_400;

/**
 * Returns the program of a process that runs SQL within a time limit and a memory limit.
 *
 * @param runner URL of the compiled module to run
 */
export function sqliteProgram(runner: URL, { queryMs, memoryMb }: SqliteLimits): Program {
  const limited = `ulimit -c 0; ulimit -v ${(nodeMb + 2 * memoryMb) * 1024}; exec "$@"`;
  const node = [process.execPath, `--max-old-space-size=${memoryMb}`, fileURLToPath(runner)];
  return {
    command: ["sh", "-c", limited, "sh", ...node],
    name: "the database process",
    times: { start: prepareMs, prepare: prepareMs, answer: queryMs },
    errors: {
      unusable: lost,
      late: () => new LimitReached(`Error: the query took longer than ${queryMs / 1000} seconds, and was ended`),
      ended: (how) =>
        isFromOutside(how) ? lost(`no answer, because ${how} ended the process`) : new LimitReached(tooMuch(memoryMb)),
      threw: (message) => new Error(message),
    },
  };
}

/**
 * Whether the process was killed from outside, for example by SIGKILL. If memory runs out, Node aborts with a different
 * signal.
 */
function isFromOutside(how: string | number | null): boolean {
  return how === "SIGKILL" || how === "SIGTERM" || how === 127 || how === 126;
}

function tooMuch(memoryMb: number): string {
  return `Error: the query took more memory than ${memoryMb} MiB, and was ended`;
}

function lost(received: string): ProcessLost {
  return new ProcessLost("an answer of the database process", received);
}
