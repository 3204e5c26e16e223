/** The requirement `tasks`, with which tasks are added. */
import type { Requirement } from "../env.js";
import { addedSplits } from "./added.js";

/** The requirement is always available, since some tasks are bundled. `palestra setup tasks` adds more tasks. */
export const tasks: Requirement = {
  name: "tasks",
  howToGet: "Add tasks in Harbor's format with `palestra setup tasks FOLDER`.",
  async probe() {
    const added = addedSplits().map(({ name, tasks: list }) => `${name} (${list.length})`);
    return { available: true, detail: `the bundled tasks${added.length > 0 ? `, and ${added.join(", ")}` : ""}` };
  },
  setUp: async (choices, progress) => (await import("./setup.js")).addTasks(choices, progress),
};
