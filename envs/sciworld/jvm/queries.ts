/** What can be asked of an episode, in the words of the original's Python API. */
import type { AsyncQuery, JsonValue } from "../../env.js";
import type { JvmScienceWorld } from "./env.js";

export const queries: Readonly<Record<string, AsyncQuery<JvmScienceWorld>>> = {
  look: query("What there is where the agent is.", "freeActionLook"),
  inventory: query("What the agent carries.", "freeActionInventory"),
  task: query("What the task asks for.", "getTaskDescription"),
  "valid-actions": query(
    "All that can be done now, with the numbers of actions, things and types; while a question is open, its answers.",
    "getValidActionObjectCombinationsJSON",
    (json) => (JSON.parse(json) as { validActions: JsonValue }).validActions,
  ),
  "possible-actions": query("The wordings of all actions, with OBJ for what is named.", "getPossibleActions"),
  "possible-objects": query("What can be named where the agent is, each thing in one way.", "getPossibleObjects"),
  goals: query("Which of the task's goals are met.", "getGoalProgressStr"),
  "gold-path": {
    summary: "The original's own solution of the task, from its beginning; it may take seconds to find.",
    answer: async (environment, signal) => [...(await environment.solve(signal))],
  },
};

/** @param read what the method's text says; a list of texts says itself */
function query(
  summary: string,
  method: string,
  read: (text: string) => JsonValue = (text) => text,
): AsyncQuery<JvmScienceWorld> {
  return {
    summary,
    async answer(environment, signal) {
      const said = await environment.ask(method, signal);
      return typeof said === "string" ? read(said) : said;
    },
  };
}
