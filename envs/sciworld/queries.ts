/** Queries about the visible world and the available actions, named as in ScienceWorld's Python API. */
import type { JsonValue, Query } from "../env.js";
import { nameOf } from "./engine/naming.js";
import type { Thing } from "./engine/thing.js";
import type { ScienceWorld } from "./env.js";
import { typeNumber } from "./facts/matter/types.js";
import type { Game } from "./game.js";

export const queries = {
  look: query("What there is where the agent is.", (game) => game.look()),
  inventory: query("What the agent carries.", (game) => game.viewInventory()),
  task: query("What the task asks for.", (game) => game.taskDescription),
  "valid-actions": query(
    "All that can be done now, with the numbers of actions, things and types; while a question is open, its answers.",
    (game, { listsOnlyAccepted }) => {
      const valid = game.validActions();
      const listed = listsOnlyAccepted ? valid.filter(({ action }) => game.accepts(action)) : valid;
      return listed.map(({ action, templateId, objectIds, typeIds }) => {
        return { action, template_id: templateId, obj_ids: [...objectIds], type_ids: [...typeIds] };
      });
    },
  ),
  "possible-actions": query("The wordings of all actions, with OBJ for what is named.", (game) => game.wordings()),
  "possible-objects": query("What can be named where the agent is, each thing in one way.", (game) => {
    return game.possibleObjects();
  }),
  goals: query("Which of the task's goals are met.", (game) => game.goalProgress()),
  "object-tree": query("What is in what, as far as it can be seen where the agent is.", (game) => {
    return treeOf(game.agent.container as Thing);
  }),
} satisfies Readonly<Record<string, Query<ScienceWorld>>>;

function query(summary: string, answer: (game: Game, environment: ScienceWorld) => JsonValue): Query<ScienceWorld> {
  return { summary, answer: (environment) => answer(environment.game as Game, environment) };
}

/**
 * Returns a thing and its visible contents in ScienceWorld's format. Materials are omitted, since they would reveal the
 * answers to tasks.
 */
function treeOf(thing: Thing): { [key: string]: JsonValue } {
  const isSeenInto = thing.isOpen || thing.is("location") || thing.is("agent");
  const inside = isSeenInto ? thing.visibleContents() : [];
  return {
    uuid: String(thing.age),
    name: nameOf(thing),
    type_id: typeNumber(thing),
    contents: Object.fromEntries(inside.map((one) => [`${nameOf(one)}-${one.age}`, treeOf(one)])),
  };
}
