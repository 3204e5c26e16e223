/** Runs the checks of a task on the final files and windows. */
import type { DesktopMachine, Sight } from "./machine.js";
import type { Check, Task } from "./tasks.js";

/** Result of a check: what was compared, without the right value, and the actual state if it differs. */
export interface Outcome {
  expected: string;
  received: string | undefined;
}

/**
 * @throws {SandboxError} LOST
 * @throws {DesktopGone} the desktop is not responding
 * @throws the signal's reason
 */
export async function grade(machine: DesktopMachine, { checks }: Task, signal: AbortSignal): Promise<Outcome[]> {
  const sight = await machine.look(signal);
  const outcomes: Outcome[] = [];
  for (const check of checks) outcomes.push(await outcomeOf(check, machine, sight));
  return outcomes;
}

function outcomeOf(check: Check, machine: DesktopMachine, sight: Sight): Promise<Outcome> | Outcome {
  switch (check.kind) {
    case "file":
      return fileOutcome(check, machine);
    case "folder":
      return folderOutcome(check, machine);
    case "mode":
      return modeOutcome(check, machine);
    default:
      return windowsOutcome(check, sight);
  }
}

type Of<Kind extends Check["kind"]> = Check & { kind: Kind };

async function fileOutcome({ path, text }: Of<"file">, machine: DesktopMachine): Promise<Outcome> {
  const received = (await machine.readText(path))?.trimEnd();
  const isRight = received === text.trimEnd();
  return outcome(`another text in ${path}`, isRight, received ?? "no such file");
}

async function folderOutcome({ path, entries }: Of<"folder">, machine: DesktopMachine): Promise<Outcome> {
  const found = (await machine.list(path))?.map(({ name }) => name).filter((name) => !name.startsWith("."));
  const isRight = found !== undefined && found.join("\0") === [...entries].sort().join("\0");
  return outcome(`other entries in ${path}`, isRight, found?.join(", ") ?? "no such folder");
}

async function modeOutcome({ path, mode }: Of<"mode">, machine: DesktopMachine): Promise<Outcome> {
  const received = (await machine.modeOf(path))?.toString(8).padStart(3, "0").slice(-3);
  return outcome(`other permissions of ${path}`, received === mode, received ?? "no such file");
}

function windowsOutcome(check: Of<"windows">, { windows }: Sight): Outcome {
  const { class: name, count, title = "", isMaximized } = check;
  const maximized = (states: readonly string[]) =>
    states.includes("maximized_horz") && states.includes("maximized_vert") && !states.includes("hidden");
  const own = windows.filter((window) => window.class === name && !window.states.includes("modal"));
  const fitting = own.filter(
    (window) =>
      new RegExp(title).test(window.title) && (isMaximized === undefined || maximized(window.states) === isMaximized),
  );
  const shown = own.map((window) => `${window.title} (${window.states.join(", ") || "plain"})`).join("; ");
  return outcome(`other windows of ${name}`, own.length === count && fitting.length === count, shown || "none");
}

function outcome(expected: string, isRight: boolean, received: string): Outcome {
  return { expected, received: isRight ? undefined : received.slice(0, 500) };
}
