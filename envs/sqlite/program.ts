import { fileURLToPath } from "node:url";
import { ProcessLost, type Program } from "../processes/answer-process.js";

export interface SqliteLimits {
  /** Milliseconds of one query of the caller's. */
  queryMs: number;
  /** MiB that SQLite may take, and as much for the program. */
  memoryMb: number;
}

/** The query reached a limit, and its process was ended: the message is for the agent. */
export class LimitReached extends Error {
  override readonly name = "LimitReached";
}

/** Milliseconds to start, and to make the databases that a request needs. */
const prepareMs = 30_000;
/** Address space that Node itself takes, in MiB. */
const nodeMb = 1_400;

/**
 * The program of a process that runs SQL within limits of time and memory.
 *
 * @param runner the module to run, compiled
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
      ended: (how) => (isFromOutside(how) ? lost(`its end by ${how}`) : new LimitReached(tooMuch(memoryMb))),
      threw: (message) => new Error(message),
    },
  };
}

/** Node aborts where memory is refused to it. SIGKILL comes from outside. */
function isFromOutside(how: string | number | null): boolean {
  return how === "SIGKILL" || how === "SIGTERM" || how === 127 || how === 126;
}

function tooMuch(memoryMb: number): string {
  return `Error: the query took more memory than ${memoryMb} MiB, and was ended`;
}

function lost(received: string): ProcessLost {
  return new ProcessLost("an answer of the database process", received);
}
