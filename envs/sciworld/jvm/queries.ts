/** Queries about an episode, named as in ScienceWorld's Python API. */
import type { JsonValue, Query } from "../../env.js";
import { queries as native } from "../queries.js";
import type { JvmScienceWorld } from "./env.js";

export const queries: Readonly<Record<string, Query<JvmScienceWorld, true>>> = {
  look: query(native.look, "freeActionLook"),
  inventory: query(native.inventory, "freeActionInventory"),
  task: query(native.task, "getTaskDescription"),
  "valid-actions": query(
    native["valid-actions"],
    "getValidActionObjectCombinationsJSON",
    (json) => (JSON.parse(json) as { validActions: JsonValue }).validActions,
  ),
  "possible-actions": query(native["possible-actions"], "getPossibleActions"),
  "possible-objects": query(native["possible-objects"], "getPossibleObjects"),
  goals: query(native.goals, "getGoalProgressStr"),
  "gold-path": {
    summary: "The original's own solution of the task, from its start; it may take seconds to find.",
    isAdvice: true,
    answer: async (environment, signal) => [...(await environment.solve(signal))],
  },
};

/** Returns a query. @param read parses the text that the method returns; a list of texts is returned unchanged */
function query(
  { summary }: { summary: string },
  method: string,
  read: (text: string) => JsonValue = (text) => text,
): Query<JvmScienceWorld, true> {
  return {
    summary,
    async answer(environment, signal) {
      const said = await environment.ask(method, signal);
      return typeof said === "string" ? read(said) : said;
    },
  };
}
