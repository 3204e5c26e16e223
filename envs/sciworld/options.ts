/** The options of an episode. */
import type { EnvironmentOption, Options, Tool } from "../env.js";
import { parseSimplifications, type Simplification } from "./engine/simplifications.js";
import { toolsWithTeleport } from "./tools.js";

interface Part {
  readonly simplification: Simplification;
  readonly summary: string;
  /** Tools of an episode with the simplification. Absent if the simplification does not change the tools. */
  readonly tools?: readonly Tool[];
}

/** The simplifications of ScienceWorld. Each has its own option. */
const parts: Readonly<Record<string, Part>> = {
  teleport: {
    simplification: "teleportAction",
    summary: "Whether `teleport to` moves the agent to any place at once.",
    tools: toolsWithTeleport,
  },
  openDoors: { simplification: "openDoors", summary: "Whether all doors are open at the start." },
  openContainers: { simplification: "openContainers", summary: "Whether all containers are open at the start." },
  selfWatering: { simplification: "selfWateringFlowerPots", summary: "Whether flower pots water themselves." },
  withoutWires: { simplification: "noElectricalAction", summary: "Whether electrical actions are disabled." },
};

function noOrYes({ summary, tools }: Part): EnvironmentOption {
  return {
    summary,
    values: { no: { summary: "No, as in the original." }, yes: { summary: "Yes.", ...(tools && { tools }) } },
  };
}

export const options: Record<string, EnvironmentOption> = {
  simplifications: {
    summary: "Set of the original's simplifications.",
    values: {
      none: { summary: "None, except those chosen by their own options." },
      easy: {
        summary: "Teleport, open doors, self-watering pots, and no electrical actions except in tasks about them.",
        tools: toolsWithTeleport,
      },
    },
  },
  ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, noOrYes(part)])),
  api: {
    summary: "Interface of the original that an episode follows.",
    values: {
      engine: { summary: "That of the engine: the episode ends when the task is done or has failed." },
      python: {
        summary:
          "The Python API, as on AgentGym's server: the episode also ends after more than 100 moves, and the list of valid actions after each step draws from the random stream of the episode.",
      },
    },
  },
};

/** Options of Palestra's engine alone. */
export const engineOptions: Record<string, EnvironmentOption> = {
  ...options,
  validActions: {
    summary: "Actions in the reply to the query `valid-actions`.",
    values: {
      original: {
        summary: "Those that the original lists, also for things that the agent cannot name, as in closed containers.",
      },
      accepted: { summary: "Of the original's list, those that would not be refused." },
    },
  },
};

export function chosenSimplifications(task: string, chosen: Options): ReadonlySet<Simplification> {
  const asked = Object.entries(parts).flatMap(([name, { simplification }]) =>
    chosen[name] === "yes" ? simplification : [],
  );
  return new Set([...asked, ...(chosen.simplifications === "easy" ? parseSimplifications("easy", task) : [])]);
}
