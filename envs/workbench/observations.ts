/** Formats the observations of commands and files. Long observations are shortened, and state how much was omitted. */
import { type CommandResult, mostOutputBytes } from "./machine/agent-machine.js";

/** Maximum number of characters of an output in an observation: half from the start, and half from the end. */
export const mostShown = 16_000;

export function commandObservation(result: CommandResult): string {
  const { exitCode, stdout, stderr, isCut, endedAfterS, isNewShell } = result;
  return [
    ...(isNewShell ? ["[The shell had ended. This is a new one, in the working folder.]"] : []),
    endedAfterS === undefined
      ? `exit code: ${exitCode}`
      : `[The command was ended after ${endedAfterS} seconds. The next command gets a new shell.]`,
    ...section("stdout", stdout),
    ...section("stderr", stderr),
    ...(isCut ? [`[Output beyond ${mostOutputBytes} bytes was dropped.]`] : []),
  ].join("\n");
}

export function shortened(text: string): string {
  if (text.length <= mostShown) return text;
  const half = mostShown / 2;
  const left = text.length - mostShown;
  return `${text.slice(0, half)}\n[${left} characters left out]\n${text.slice(-half)}`;
}

function section(name: string, text: string): string[] {
  return text === "" ? [] : [`${name}:`, shortened(text).replace(/\n$/, "")];
}
