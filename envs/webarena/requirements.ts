/** Requirements for the benchmark on its real sites. */
import type { Requirement } from "../env.js";
import { settingsPath, siteSettings } from "./settings.js";
import { setUpTasks } from "./setup.js";
import { setUpSites } from "./setup-sites.js";
import { listOf, officialSplit, taskPath } from "./task-files.js";

export const taskFile: Requirement = {
  name: "webarena",
  howToGet: "Run `palestra setup webarena`.",
  async probe() {
    const list = listOf(officialSplit);
    const detail = list
      ? `${list.tasks.length} tasks of ${taskPath(officialSplit)}`
      : `no file at ${taskPath(officialSplit)}`;
    return { available: list !== undefined, detail };
  },
  setUp: (choices) => (choices?.sites ? setUpSites(choices) : setUpTasks(choices)),
};

export const sites: Requirement = {
  name: "webarena-sites",
  howToGet:
    "Run `palestra setup webarena --sites`, describe the sites in sites.json (see envs/webarena/README.md), or set SHOPPING, REDDIT and the like.",
  async probe() {
    try {
      const names = Object.keys(siteSettings());
      if (names.length > 0) return { available: true, detail: names.join(", ") };
      return { available: false, detail: `no file at ${settingsPath()}, and no variable such as SHOPPING` };
    } catch (error) {
      return { available: false, detail: (error as Error).message };
    }
  },
};
