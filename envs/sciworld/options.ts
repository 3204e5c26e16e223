/** How an episode can be played. */
import type { EnvironmentOption, Options, Tool } from "../env.js";
import { parseSimplifications, type Simplification } from "./engine/simplifications.js";
import { toolsWithTeleport } from "./tools.js";

interface Part {
  readonly simplification: Simplification;
  readonly summary: string;
  /** Where there are others with it. */
  readonly tools?: readonly Tool[];
}

/** Each of the original's simplifications, as an option of its own. */
const parts: Readonly<Record<string, Part>> = {
  teleport: {
    simplification: "teleportAction",
    summary: "Whether `teleport to` leads to any place at once.",
    tools: toolsWithTeleport,
  },
  openDoors: { simplification: "openDoors", summary: "Whether all doors are open from the beginning." },
  openContainers: { simplification: "openContainers", summary: "Whether all containers are." },
  selfWatering: { simplification: "selfWateringFlowerPots", summary: "Whether flower pots water themselves." },
  withoutWires: { simplification: "noElectricalAction", summary: "Whether nothing can be wired up." },
};

function noOrYes({ summary, tools }: Part): EnvironmentOption {
  return {
    summary,
    values: { no: { summary: "No, as in the original." }, yes: { summary: "Yes.", ...(tools && { tools }) } },
  };
}

export const options: Record<string, EnvironmentOption> = {
  simplifications: {
    summary: "Which of the original's simplifications there are.",
    values: {
      none: { summary: "None but those that are asked for one by one." },
      easy: {
        summary: "Teleport, open doors, self-watering pots, and no wires but for the tasks that are about them.",
        tools: toolsWithTeleport,
      },
    },
  },
  ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, noOrYes(part)])),
  api: {
    summary: "Behind which of the original's interfaces an episode goes.",
    values: {
      engine: { summary: "The engine's own: it ends when the task is done, or has failed." },
      python: {
        summary:
          "The Python API, as AgentGym's server has it: it also ends after more than 100 moves, and asking for what can be done after each step draws from the episode's generator.",
      },
    },
  },
};

export function chosenSimplifications(task: string, chosen: Options): ReadonlySet<Simplification> {
  const asked = Object.entries(parts).flatMap(([name, { simplification }]) =>
    chosen[name] === "yes" ? simplification : [],
  );
  return new Set([...asked, ...(chosen.simplifications === "easy" ? parseSimplifications("easy", task) : [])]);
}
