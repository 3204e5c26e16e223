import type { EpisodeEnd, Verdict } from "../env.js";
import { capital, counted } from "../shared/verdicts/words.js";
import { Kind } from "./engine/codes.js";
import type { Game } from "./engine/game.js";
import type { Instruction } from "./engine/sequences.js";
import type { BabyAI } from "./env.js";
import { carriedName, nameIdOf, nameOf } from "./text/names.js";

/** States the mission, which parts of it are done, and what the agent carries and faces. */
export function verdict({ game }: BabyAI, end: EpisodeEnd): Verdict {
  if (!game?.instruction) return { why: "No level was set." };
  return { goal: `${capital(game.mission)}.`, why: `${sentence(game, game.instruction, end)}.` };
}

function sentence(game: Game, instruction: Instruction, { solved, steps, result }: EpisodeEnd): string {
  const { stepCount, maxSteps } = game;
  const moves = `${stepCount} of ${counted(maxSteps, "move")}`;
  if (solved) return `Did the mission in ${counted(steps, "step")} (${moves})`;
  const now = `the agent carries ${carried(game)} and faces ${faced(game)}`;
  const left = `${progress(instruction)}; ${now}`;
  if (game.terminated && game.reward === 0) return `Broke the order or a rule of the mission (${moves}): ${left}`;
  if (game.terminated) return `Did the mission only after ${moves}, too late for the reward`;
  if (game.truncated) return `Used all ${counted(maxSteps, "move")}: ${left}`;
  const limit = result.terminated
    ? `The episode ended after ${counted(steps, "step")}`
    : `The limit of ${counted(steps, "step")} came`;
  return `${limit} (${moves}): ${left}`;
}

/** Returns the open parts of the mission and, after them, the parts that are done. */
function progress(instruction: Instruction): string {
  const { open, done } = partsOf(instruction);
  const finished = done.length === 0 ? "" : ` (done: ${done.join(", ")})`;
  return `still to do: ${open.join(", ")}${finished}`;
}

function partsOf(instruction: Instruction): { open: string[]; done: string[] } {
  if (!("aDone" in instruction)) return { open: [instruction.surface()], done: [] };
  const { a, b, aDone, bDone, type } = instruction;
  // In "A after you B", B comes first.
  const inOrder =
    type === "after"
      ? ([
          [b, bDone],
          [a, aDone],
        ] as const)
      : ([
          [a, aDone],
          [b, bDone],
        ] as const);
  const parts = inOrder.map(([part, isDone]) => (isDone ? { open: [], done: [part.surface()] } : partsOf(part)));
  return { open: parts.flatMap(({ open }) => open), done: parts.flatMap(({ done }) => done) };
}

function carried({ carriedKind, carriedColor }: Game): string {
  return carriedKind === 0 ? "nothing" : `a ${carriedName(carriedKind, carriedColor)}`;
}

function faced(game: Game): string {
  const { world } = game;
  const { frontCell } = world;
  const [x, y] = [world.xOf(frontCell), world.yOf(frontCell)];
  const kind = game.kindAt(x, y);
  if (kind === Kind.wall) return "a wall";
  if (kind < Kind.door || kind > Kind.box) return "an empty cell";
  const name = nameOf(nameIdOf(kind, game.colorAt(x, y), game.stateAt(x, y)));
  return `a ${name}`;
}
