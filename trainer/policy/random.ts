/**
 * Random actions, a lower bound. Each turn picks one of the available actions with equal probability. The available actions
 * are
 *
 * 1. the actions that the newest observation lists, such as BabyAI's `Available actions: ["turn left", ...]`;
 * 2. else the crafting commands of the first observation, as in TextCraft, with the actions that get their ingredients and
 *    that show the inventory;
 * 3. else the calls of the tools whose parameters all have a list of values, such as `go {direction}` with four directions;
 * 4. else the actions that the prompt lists line by line, such as `- left, right: turn on the spot`, without actions that
 *    have a placeholder.
 */

import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import { enumeratedActions } from "../../server/formats/actions/tool-call.js";
import type { Tool } from "../gym/gym.js";
import { keyedRandom } from "../keyed-random.js";
import { type Conversation, type Opening, type Policy, PolicyError } from "./policy.js";
import { writtenReply } from "./written-reply.js";

export class RandomPolicy implements Policy {
  readonly name = "random";

  /** @param format action format of conversations whose opening has none */
  constructor(private readonly format: ActionFormat) {}

  converse(opening: Opening): Conversation {
    const { observation: first, tools, prompt } = opening;
    const fixed = craftingActions(first) ?? toolActions(tools) ?? promptActions(prompt);
    let turn = 0;
    return {
      reply: async (observation) => {
        const actions = availableActions(observation ?? first) ?? fixed;
        if (!actions) throw noActions(opening);
        const draw = keyedRandom(opening.seed, turn++)();
        const action = actions[Math.floor(draw * actions.length)] as string;
        return writtenReply(opening.format ?? this.format, action, opening.tools);
      },
      tokens: () => undefined,
      close: () => {},
    };
  }

  async close(): Promise<void> {}
}

function availableActions(observation: string): string[] | undefined {
  const list = /^Available actions: (\[.*\])\s*$/m.exec(observation)?.[1];
  if (list === undefined) return undefined;
  try {
    const actions: unknown = JSON.parse(list);
    return Array.isArray(actions) && actions.length > 0 ? actions.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function craftingActions(observation: string): string[] | undefined {
  const commands = observation.split("\n").filter((line) => /^craft \d+ .+ using .+$/.test(line));
  if (commands.length === 0) return undefined;
  const ingredients = commands.flatMap((command) => (command.split(" using ")[1] as string).split(", "));
  return [...new Set([...commands, ...ingredients.map((ingredient) => `get ${ingredient}`), "inventory"])];
}

/** Returns undefined if chance would play a single action again and again, though there are other tools. */
function toolActions(tools: readonly Tool[]): string[] | undefined {
  const playable = tools.map((tool) => enumeratedActions(tool));
  const actions = [...new Set(playable.flatMap((each) => each ?? []))];
  return actions.length > 1 || (actions.length === 1 && !playable.includes(undefined)) ? actions : undefined;
}

function promptActions(prompt: string): string[] | undefined {
  const lines = [...prompt.matchAll(/^- ([^:\n]+)/gm)].flatMap(([, names]) => (names as string).split(","));
  const actions = lines.map((name) => name.trim()).filter((name) => name !== "" && !name.includes("<"));
  return actions.length > 0 ? [...new Set(actions)] : undefined;
}

function noActions({ played }: Opening): PolicyError {
  const message = `expected ${played.environment} to list its actions in its observation, its prompt or the values of its tools' parameters, but received no list`;
  return new PolicyError("NO_ACTIONS", message, false);
}
