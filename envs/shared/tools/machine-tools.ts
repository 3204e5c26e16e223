/** The tools `python` and `shell`, which run in a sandbox without a network. */
import type { Tool } from "../../env.js";
import { machines } from "../machines/requirement.js";
import { bounded, type ToolAnswer, type ToolKit } from "./tool-kit.js";

/** Lifetime of a sandbox in milliseconds. A shell that is still in use then is restored in a new sandbox. */
const lifetimeMs = 3_600_000;
const mostOutputBytes = 64 * 1024;
const place = { network: "none", limits: { memoryMb: 512, cpus: 1, processes: 64, diskMb: 64 }, lifetimeMs } as const;

const fence = /^\s*```\w*[ \t]*\r?\n([\s\S]*?)(?:(?<=\n)[ \t]*```|```\s*$|$)/;

export interface MachineSettings {
  /** Time limit of one call, in milliseconds. */
  timeoutMs: number;
}

type Exec = { exitCode: number; stdout: string; stderr: string; isCut: boolean; isTimedOut: boolean };

/**
 * Returns the kit of the tool `python`. Each call has its own sandbox, so a restored episode does not rerun earlier
 * calls.
 */
export function pythonKit({ timeoutMs }: MachineSettings): ToolKit {
  const tool = toolOf(
    "python",
    "Runs a Python program in a sandbox, and shows what it prints. Nothing stays from one call to the next.",
    "code",
    "The program. Print what you want to see.",
  );
  return {
    tools: [tool],
    requirements: [machines],
    open: ({ sandboxes }) => ({
      async call(_, { code }, signal) {
        const machine = await sandboxes.machines.open(place, signal);
        try {
          // The program is passed on standard input, since it may be longer than a command line.
          const run = { input: unfenced(String(code)), timeoutMs, maxOutputBytes: mostOutputBytes, signal };
          return answerOf(await machine.exec(["python3", "-"], run), timeoutMs);
        } finally {
          await machine.close();
        }
      },
      async close() {},
    }),
  };
}

/**
 * Returns the kit of the tool `shell`. All commands of an episode run in one sandbox. A restored episode gets a new
 * sandbox, in which the earlier commands are rerun first, each with its time limit. This includes commands that timed
 * out, since later commands may need their files.
 */
export function shellKit({ timeoutMs }: MachineSettings): ToolKit {
  const tool = toolOf(
    "shell",
    "Runs a command in a sandbox, and shows what it prints. Files stay from one call to the next.",
    "command",
    "A line for sh, or several.",
  );
  return {
    tools: [tool],
    requirements: [machines],
    open({ sandboxes: { machines: provider } }) {
      let opening: ReturnType<typeof provider.open> | undefined;
      const missed: string[] = [];
      const run = async (command: string, signal: AbortSignal) => {
        opening ??= provider.open(place, signal);
        const machine = await opening;
        return machine.exec(command, { timeoutMs, maxOutputBytes: mostOutputBytes, signal });
      };
      return {
        async call(_, { command }, signal) {
          for (let past = missed[0]; past !== undefined; past = missed[0]) {
            await run(past, signal);
            missed.shift();
          }
          return answerOf(await run(unfenced(String(command)), signal), timeoutMs);
        },
        missed: (_, { command }) => void missed.push(unfenced(String(command))),
        async close() {
          const opened = opening;
          opening = undefined;
          await (await opened?.catch(() => undefined))?.close();
        },
      };
    },
  };
}

/** Returns the code inside the Markdown code fence at the start of a text. Text after the fence is ignored. */
function unfenced(text: string): string {
  return fence.exec(text)?.[1] ?? text;
}

function toolOf(name: string, description: string, parameter: string, meaning: string): Tool {
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties: { [parameter]: { type: "string", description: meaning } },
      required: [parameter],
      additionalProperties: false,
    },
    action: `${name} {${parameter}}`,
  };
}

function answerOf({ exitCode, stdout, stderr, isCut, isTimedOut }: Exec, timeoutMs: number): ToolAnswer {
  const printed = [stdout, stderr].filter((text) => text !== "").join(stdout.endsWith("\n") ? "" : "\n");
  const notes = [
    isCut ? "[some of the output was left out]" : "",
    isTimedOut ? `[ended after ${timeoutMs} ms]` : exitCode === 0 ? "" : `[exit code ${exitCode}]`,
  ];
  const text = [bounded(printed.trimEnd()), ...notes].filter((part) => part !== "").join("\n");
  return { text: text || "Nothing was printed.", ...(exitCode !== 0 && { isError: true }) };
}
