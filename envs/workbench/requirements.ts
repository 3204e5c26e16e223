/** The requirement `tasks`, with which tasks are added. */
import type { Requirement } from "../env.js";
import { addedSplits } from "./added.js";

/** Always available, since tasks are bundled. `palestra setup tasks` adds others. */
export const tasks: Requirement = {
  name: "tasks",
  howToGet: "Add tasks in Harbor's format with `palestra setup tasks FOLDER`.",
  async probe() {
    const added = addedSplits().map(({ name, tasks: list }) => `${name} (${list.length})`);
    return { available: true, detail: `the bundled tasks${added.length > 0 ? `, and ${added.join(", ")}` : ""}` };
  },
  setUp: async (choices, progress) => (await import("./setup.js")).addTasks(choices, progress),
};
