/** The requirement `tasks`, whose setup adds tasks. */
import type { Requirement } from "../env.js";
import { addedSplits } from "./added.js";

/** This requirement is always met, because some tasks are bundled. `palestra setup tasks` adds further tasks. */
export const tasks: Requirement = {
  name: "tasks",
  howToGet: "Add tasks in Harbor's format with `palestra setup tasks FOLDER`.",
  async probe() {
    const added = addedSplits().map(({ name, tasks: list }) => `${name} (${list.length})`);
    return { available: true, detail: `the bundled tasks${added.length > 0 ? `, and ${added.join(", ")}` : ""}` };
  },
  setUp: async (choices, progress) => (await import("./setup.js")).addTasks(choices, progress),
};
